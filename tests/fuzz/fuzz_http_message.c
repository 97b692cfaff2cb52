/* SPDX-License-Identifier: MIT */
/* fuzz_http_message: what is written reads back as what was judged. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "http_message.h"

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void require_framing(const struct http_framing *a,
			    const struct http_framing *b)
{
	require(a->kind == b->kind);
	require(a->kind != HTTP_BODY_LENGTH || a->length == b->length);
}

/* Content in steps: the same end, no byte beyond it, as much forwarded. */
static size_t feed(const struct http_framing *framing, const char *data,
		   size_t len, size_t step, enum http_body_result *result_out)
{
	enum http_body_result result = HTTP_BODY_MORE;
	struct http_body body;
	size_t sum = 0;

	http_body_init(&body, framing);
	for (size_t at = 0; result == HTTP_BODY_MORE && at < len; at += step) {
		struct http_body_part part;
		size_t size = step < len - at ? step : len - at;

		result = http_body_feed(&body, data + at, size, &part);
		require(part.used <= size);
		require(part.drop_at + part.drop_len <= part.used);
		sum += part.used - part.drop_len;
	}
	*result_out = result;
	return sum;
}

static void check_content(const struct http_framing *framing, const char *data,
			  size_t len)
{
	enum http_body_result whole;
	enum http_body_result cut;

	require(feed(framing, data, len, len, &whole) ==
		feed(framing, data, len, 3, &cut));
	require(whole == cut);
}

static void check_request(const char *data, size_t len)
{
	static char buf[HTTP_MESSAGE_MAX_BYTES];
	struct request_head_scan scan = {0};
	struct request_head_scan scan_again = {0};
	struct request_head head;
	struct request_head again;
	struct http_plan plan;
	struct http_plan plan_again;
	struct text out;

	if (request_head_parse(&scan, data, len, &head) != REQUEST_HEAD_OK ||
	    head.form == REQUEST_HEAD_AUTHORITY_FORM ||
	    http_message_judge_request(&head, &plan) != NULL)
		return;
	check_content(&plan.framing, data + head.head_len, len - head.head_len);
	text_init(&out, buf, sizeof(buf));
	require(http_message_write_request(&head, &plan, &out));
	if (memcmp(buf, "OPTIONS * ", 10) == 0)
		return;
	if (request_head_parse(&scan_again, buf, out.len, &again) !=
	    REQUEST_HEAD_OK) {
		/* Only what we add can have made it too large. */
		require(head.head_len + 700 > REQUEST_HEAD_MAX_BYTES ||
			scan.lines.fields + 6 > REQUEST_HEAD_MAX_FIELDS);
		return;
	}
	require(again.head_len == out.len);
	require(again.authority.port == head.authority.port);
	require(again.authority.kind == head.authority.kind);
	require(http_message_judge_request(&again, &plan_again) == NULL);
	require_framing(&plan.framing, &plan_again.framing);
	require(plan.is_upgrade == plan_again.is_upgrade);
}

static void check_response(const char *data, size_t len, uint8_t flags)
{
	static char buf[HTTP_MESSAGE_MAX_BYTES];
	struct http_exchange exchange = {.is_head = (flags & 1) != 0,
					 .is_upgrade = (flags & 2) != 0,
					 .minor_version = (flags & 4) != 0,
					 .client_closes = (flags & 8) != 0};
	struct head_scan scan = {0};
	struct head_scan scan_again = {0};
	struct response_head head;
	struct response_head again;
	struct http_plan plan;
	struct http_plan plan_again;
	struct text out;

	if (response_head_parse(&scan, data, len, &head) != RESPONSE_HEAD_OK ||
	    http_message_judge_response(&head, &exchange, &plan) != NULL)
		return;
	check_content(&plan.framing, data + head.head_len, len - head.head_len);
	text_init(&out, buf, sizeof(buf));
	require(http_message_write_response(&head, &exchange, &plan, &out));
	if (response_head_parse(&scan_again, buf, out.len, &again) !=
	    RESPONSE_HEAD_OK) {
		require(head.head_len + 700 > RESPONSE_HEAD_MAX_BYTES ||
			scan.fields + 6 > RESPONSE_HEAD_MAX_FIELDS);
		return;
	}
	require(again.head_len == out.len && again.status == head.status);
	require(http_message_judge_response(&again, &exchange, &plan_again) ==
		NULL);
	require_framing(&plan.framing, &plan_again.framing);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	check_request((const char *)data + 1, size - 1);
	check_response((const char *)data + 1, size - 1, data[0]);
	return 0;
}
