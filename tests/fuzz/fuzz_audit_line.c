/* SPDX-License-Identifier: MIT */
/* fuzz_audit_line: any bytes as an audit file; what our reader takes, json-c
 * takes too, and it says the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "audit_file.h"

static void require(bool holds)
{
	if (!holds)
		abort();
}

static bool has_nul(const char *line, size_t len)
{
	return memchr(line, '\0', len) != NULL;
}

/* json-c writes U+FFFD for the surrogate that stands for a bad byte, keeps the
 * last of two values, and ends keys at NUL. */
static bool is_comparable(const char *line, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (line[i] == '\\' || (unsigned char)line[i] >= 0x80)
			return false;
	return !has_nul(line, len);
}

static void require_same(const struct audit_entry *a,
			 const struct audit_entry *b)
{
	require(a->seen == b->seen && a->event == b->event);
	require(a->ts_ms == b->ts_ms && a->seq == b->seq && a->conn == b->conn);
	require(a->verdict == b->verdict && a->would == b->would);
	require(a->port == b->port && a->pid == b->pid);
	require(a->bytes_up == b->bytes_up && a->exit_code == b->exit_code);
	require(audit_words_equal(a->host, b->host));
	require(audit_words_equal(a->detail, b->detail));
	require(audit_words_equal(a->process, b->process));
}

static void compare(const char *line, size_t len)
{
	static struct audit_line_space plain_space, json_space;
	struct audit_entry plain, json;
	enum audit_line_result rc =
		audit_line_parse_plain(line, len, &plain_space, &plain);

	if (rc == AUDIT_LINE_UNUSUAL || !is_comparable(line, len))
		return;
	if (rc != AUDIT_LINE_OK)
		return;
	require(audit_json_parse(line, len, &json_space, &json) == rc);
	require_same(&plain, &json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct audit_line_space space;
	const char *at = (const char *)data;
	size_t left = size;

	while (left > 0) {
		const char *newline = memchr(at, '\n', left);
		size_t len = newline == NULL ? left : (size_t)(newline - at);
		struct audit_entry entry;

		if (len < AUDIT_LINE_READ_BYTES) {
			compare(at, len);
			if (audit_line_parse(at, len, &space, &entry) ==
			    AUDIT_LINE_OK)
				require(audit_entry_is_whole(&entry));
		}
		left -= newline == NULL ? len : len + 1;
		at += newline == NULL ? len : len + 1;
	}
	return 0;
}
