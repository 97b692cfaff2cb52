/* SPDX-License-Identifier: MIT */
/* test_audit: one record is one line, whatever a client puts into it. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "audit.h"

static char line[AUDIT_LINE_MAX_BYTES + 1];

static const char *format(const struct audit_record *record)
{
	size_t len = audit_format(record, line);

	line[len] = '\0';
	return line;
}

static void writes_what_is_known_and_no_more(void **state)
{
	struct netaddr address;
	struct audit_record r = {
		.event = AUDIT_DECISION,
		.ts_ms = 1764547200123,
		.seq = 3,
		.run = "r1",
		.conn = 2,
		.has_verdict = true,
		.verdict = VERDICT_ALLOW,
		.would = VERDICT_ALLOW,
		.rule = "policy.cfg:12",
		.via = AUDIT_VIA_CONNECT,
		.host = "a.test",
		.host_len = 6,
		.port = 443,
		.address = &address,
	};

	(void)state;
	assert_true(netaddr_parse("::ffff:127.0.0.2", 16, &address));
	assert_string_equal(
		format(&r),
		"{\"ts\":\"2025-12-01T00:00:00.123Z\",\"run\":\"r1\","
		"\"seq\":3,\"conn\":2,\"event\":\"decision\","
		"\"verdict\":\"allow\",\"rule\":\"policy.cfg:12\","
		"\"via\":\"connect\",\"host\":\"a.test\",\"port\":443,"
		"\"address\":\"127.0.0.2\"}\n");
}

static void says_what_enforce_had_answered(void **state)
{
	struct audit_record r = {
		.event = AUDIT_DECISION,
		.has_verdict = true,
		.verdict = VERDICT_ALLOW,
		.would = VERDICT_DENY,
		.reason = REASON_HTTP_REQUEST_DENIED,
	};

	(void)state;
	assert_non_null(strstr(format(&r),
			       "\"verdict\":\"allow\",\"would\":\"deny\","
			       "\"reason\":\"http_request_denied\""));
}

static void counts_bytes_at_the_end(void **state)
{
	struct audit_record r = {
		.event = AUDIT_CLOSE,
		.has_bytes = true,
		.bytes_up = 5,
		.bytes_down = UINT64_MAX,
		.duration_ms = 7,
	};

	(void)state;
	assert_non_null(strstr(format(&r),
			       "\"bytes_up\":5,"
			       "\"bytes_down\":18446744073709551615,"
			       "\"duration_ms\":7"));
}

static void stays_one_line_whatever_comes(void **state)
{
	static const char hostile[] =
		"allowed.test\n{\"verdict\":\"allow\"}\x1b[2K\0\x7f\xff";
	struct audit_record r = {
		.event = AUDIT_DECISION,
		.host = hostile,
		.host_len = sizeof(hostile) - 1,
		.server_name = hostile,
		.server_name_len = sizeof(hostile) - 1,
		.exe = "a\nb",
	};

	(void)state;
	const char *text = format(&r);
	size_t len = audit_format(&r, line);
	for (size_t i = 0; i + 1 < len; i++)
		assert_true((unsigned char)text[i] >= 0x20 && text[i] != 0x7f);
	assert_int_equal(text[len - 1], '\n');
	assert_null(strstr(text, "{\"verdict\""));
}

static void fits_with_every_field_at_its_worst(void **state)
{
	static char bad[70000];
	struct netaddr address = {.family = 0};

	(void)state;
	memset(bad, 0x01, sizeof(bad) - 1);
	struct audit_record r = {
		.event = AUDIT_DECISION,
		.ts_ms = UINT64_MAX / 2,
		.seq = UINT64_MAX,
		.conn = UINT64_MAX,
		.run = bad,
		.has_verdict = true,
		.verdict = VERDICT_DENY,
		.would = VERDICT_ALLOW,
		.reason = REASON_DESTINATION_IP_PROHIBITED,
		.rule = bad,
		.via = AUDIT_VIA_CONNECT,
		.transport = "tcp",
		.host = bad,
		.host_len = 65536,
		.port = 65535,
		.server_name = bad,
		.server_name_len = 65536,
		.alpn = bad,
		.alpn_len = 255,
		.has_ech = true,
		.address = &address,
		.has_bytes = true,
		.bytes_up = UINT64_MAX,
		.bytes_down = UINT64_MAX,
		.duration_ms = UINT64_MAX,
		.pid = INT64_MAX,
		.exe = bad,
		.argv0 = bad,
		.process = "hidden",
		.detail = bad,
		.has_exit_code = true,
		.exit_code = -1,
	};
	const char *text = format(&r);
	assert_int_equal(text[strlen(text) - 2], '}');
	assert_int_equal(text[strlen(text) - 1], '\n');
	assert_non_null(strstr(text, "\xe2\x80\xa6\""));
}

static void says_that_the_disk_is_full(void **state)
{
	struct audit_record r = {.event = AUDIT_DECISION};
	int full = open("/dev/full", O_WRONLY);

	(void)state;
	if (full < 0)
		skip();
	assert_int_equal(audit_write(full, &r), -ENOSPC);
	(void)close(full);
	assert_int_equal(audit_write(-1, &r), -EBADF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_what_is_known_and_no_more),
		cmocka_unit_test(says_what_enforce_had_answered),
		cmocka_unit_test(counts_bytes_at_the_end),
		cmocka_unit_test(stays_one_line_whatever_comes),
		cmocka_unit_test(fits_with_every_field_at_its_worst),
		cmocka_unit_test(says_that_the_disk_is_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
