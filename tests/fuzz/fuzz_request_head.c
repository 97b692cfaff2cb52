/* SPDX-License-Identifier: MIT */
/* fuzz_request_head: the verdict does not depend on how a head is cut. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "request_head.h"

struct outcome {
	enum request_head_result result;
	struct request_head head;
};

/* In steps of @step bytes. */
static struct outcome parse(const char *data, size_t len, size_t step)
{
	struct outcome outcome = {.result = REQUEST_HEAD_MORE};
	struct request_head_scan scan = {0};
	size_t seen = 0;

	while (outcome.result == REQUEST_HEAD_MORE && seen < len) {
		seen = step < len - seen ? seen + step : len;
		outcome.result =
			request_head_parse(&scan, data, seen, &outcome.head);
	}
	return outcome;
}

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void walk_fields(const struct request_head *head)
{
	struct http_span rest = head->fields;
	struct http_span name;
	struct http_span value;
	size_t fields = 0;

	while (http_split_field(&rest, &name, &value)) {
		require(name.len > 0);
		fields++;
	}
	require(rest.len == 0 && fields <= REQUEST_HEAD_MAX_FIELDS);
}

static void check_ok(const struct request_head *head, const char *data,
		     size_t len)
{
	char text[AUTHORITY_TEXT_BYTES];
	struct authority again;
	size_t text_len = authority_text(&head->authority, text);

	require(head->head_len <= len &&
		head->head_len <= REQUEST_HEAD_MAX_BYTES);
	require(memcmp(data + head->head_len - 4, "\r\n\r\n", 4) == 0);
	/* What was read is a fixed point: it reads as itself. */
	require(authority_parse(text, text_len, 0, &again) == NULL);
	require(again.kind == head->authority.kind &&
		again.port == head->authority.port);
	walk_fields(head);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct outcome whole = parse(text, size, size);
	size_t step = size > 0 ? (size_t)data[size - 1] % 61 + 1 : 1;
	struct outcome cut = parse(text, size, size > 4096 ? 61 : step);

	require(whole.result == cut.result);
	if (whole.result == REQUEST_HEAD_MORE)
		return 0;
	require(whole.head.target.at == cut.head.target.at);
	require(whole.head.target.len == cut.head.target.len);
	require(whole.head.reason == cut.head.reason);
	if (whole.result == REQUEST_HEAD_OK)
		check_ok(&whole.head, text, size);
	return 0;
}
