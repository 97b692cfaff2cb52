/* SPDX-License-Identifier: MIT */
/* test_http_body: content ends where it says, however the bytes are cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "http_body.h"

/* @sent: what may be forwarded */
struct outcome {
	enum http_body_result result;
	size_t used;
	char sent[64];
	size_t sent_len;
};

static void keep(struct outcome *o, const char *data, size_t len)
{
	if (len > sizeof(o->sent) - o->sent_len)
		len = sizeof(o->sent) - o->sent_len;
	memcpy(o->sent + o->sent_len, data, len);
	o->sent_len += len;
}

static struct outcome feed(struct http_framing framing, const char *data,
			   size_t len, size_t step)
{
	struct outcome o = {.result = HTTP_BODY_MORE};
	struct http_body body;

	http_body_init(&body, &framing);
	for (size_t at = 0; o.result == HTTP_BODY_MORE && at < len;
	     at += step) {
		struct http_body_part part;

		o.result = http_body_feed(&body, data + at,
					  step < len - at ? step : len - at,
					  &part);
		o.used += part.used;
		keep(&o, data + at, part.drop_at);
		keep(&o, data + at + part.drop_at + part.drop_len,
		     part.used - part.drop_at - part.drop_len);
	}
	return o;
}

static struct outcome run(struct http_framing framing, const char *data,
			  size_t len)
{
	struct outcome whole = feed(framing, data, len, len);

	for (size_t step = 1; step < len && step < 40; step++) {
		struct outcome cut = feed(framing, data, len, step);

		assert_int_equal(cut.result, whole.result);
		assert_int_equal(cut.used, whole.used);
		assert_int_equal(cut.sent_len, whole.sent_len);
		assert_memory_equal(cut.sent, whole.sent, whole.sent_len);
	}
	return whole;
}

static const struct http_framing chunked = {.kind = HTTP_BODY_CHUNKED};

static void expect_chunked(const char *text, enum http_body_result result,
			   size_t used)
{
	struct outcome o = run(chunked, text, strlen(text));

	if (o.result != result || o.used != used)
		fail_msg("%d after %zu: %s", (int)o.result, o.used, text);
}

static void counts_a_length(void **state)
{
	struct http_framing framing = {.kind = HTTP_BODY_LENGTH, .length = 5};
	struct outcome o = run(framing, "abcdefg", 7);

	(void)state;
	assert_int_equal(o.result, HTTP_BODY_DONE);
	assert_int_equal(o.used, 5);
	o = run(framing, "abcd", 4);
	assert_int_equal(o.result, HTTP_BODY_MORE);
	assert_int_equal(o.used, 4);
}

static void ends_at_once_without_content(void **state)
{
	struct http_framing none = {.kind = HTTP_BODY_NONE};
	struct http_framing zero = {.kind = HTTP_BODY_LENGTH};
	struct http_body body;
	struct http_body_part used;

	(void)state;
	http_body_init(&body, &none);
	assert_int_equal(http_body_feed(&body, "", 0, &used), HTTP_BODY_DONE);
	http_body_init(&body, &zero);
	assert_int_equal(http_body_feed(&body, "GET ", 4, &used),
			 HTTP_BODY_DONE);
	assert_int_equal(used.used, 0);
	assert_int_equal(http_body_feed(&body, "GET ", 4, &used),
			 HTTP_BODY_DONE);
	assert_int_equal(used.used, 0);
}

static void goes_on_until_close(void **state)
{
	struct http_framing framing = {.kind = HTTP_BODY_UNTIL_CLOSE};
	struct outcome o = run(framing, "whatever", 8);

	(void)state;
	assert_int_equal(o.result, HTTP_BODY_MORE);
	assert_int_equal(o.used, 8);
}

static void follows_chunks(void **state)
{
	(void)state;
	expect_chunked("0\r\n\r\nGET /", HTTP_BODY_DONE, 5);
	expect_chunked("5\r\nabcde\r\n0\r\n\r\n", HTTP_BODY_DONE, 15);
	expect_chunked("A\r\n0123456789\r\n01\r\nx\r\n000\r\n\r\nrest",
		       HTTP_BODY_DONE, 29);
	expect_chunked("2;a=b;c=\"d e\"\r\n\r\n\r\n0;x\r\n\r\n", HTTP_BODY_DONE,
		       26);
	expect_chunked("0\r\nTrailer: x\r\nOther:\r\n\r\n", HTTP_BODY_DONE, 25);
	expect_chunked("5\r\nabc", HTTP_BODY_MORE, 6);
	expect_chunked("", HTTP_BODY_MORE, 0);
}

static void drops_trailers(void **state)
{
	static const struct {
		const char *text, *sent;
	} rows[] = {
		{"2\r\nab\r\n0\r\nHost: evil.test\r\n\r\nGET",
		 "2\r\nab\r\n0\r\n\r\n"				       },
		{"0\r\nA: b\r\nContent-Length: 5\r\n\r\n",     "0\r\n\r\n"    },
		{"0;x=y\r\nA:\r\n\r\n",                        "0;x=y\r\n\r\n"},
		{"0\r\n\r\nA: b\r\n",                          "0\r\n\r\n"    },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct outcome o =
			run(chunked, rows[i].text, strlen(rows[i].text));

		assert_int_equal(o.result, HTTP_BODY_DONE);
		assert_int_equal(o.sent_len, strlen(rows[i].sent));
		assert_memory_equal(o.sent, rows[i].sent, o.sent_len);
	}
}

/* Where two readers have differed before. */
static void refuses_loose_chunks(void **state)
{
	static const struct {
		const char *text;
		size_t used;
	} rows[] = {
		{"\r\n",                    0 },
		{" 5\r\nabcde",             0 },
		{"+5\r\nabcde",             0 },
		{"0x5\r\nabcde",            1 },
		{"5 \r\nabcde",             1 },
		{"5\nabcde",                1 },
		{"5\r\rabcde",              2 },
		{"g\r\n",                   0 },
		{";a\r\n",                  0 },
		{"5\r\nabcdef\r\n",         8 },
		{"5\r\nabcde\n0",           8 },
		{"5\r\nabcde0\r\n\r\n",     8 },
		{"5\r\nabcde\r\r",          9 },
		{"5;a\nb\r\n",              3 },
		{"5;a\x01\r\n",             3 },
		{"5;a\x7f\r\n",             3 },
		{"1000000000000000\r\n",    15},
		{"0000000000000001\r\n",    15},
		{"fffffffffffffffff\r\n",   15},
		{"0\r\n folded: x\r\n\r\n", 3 },
		{"0\r\nA : x\r\n\r\n",      4 },
		{"0\r\n: x\r\n\r\n",        3 },
		{"0\r\nA: x\ny\r\n\r\n",    7 },
		{"0\r\nA\r\n\r\n",          4 },
		{"0\r\n\rx",                4 },
		{"0\r\n\n",                 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		expect_chunked(rows[i].text, HTTP_BODY_BAD, rows[i].used);
}

static void bounds_extensions_and_trailers(void **state)
{
	char *text = malloc(20000);

	(void)state;
	assert_non_null(text);
	memset(text, 'x', 20000);
	memcpy(text, "5;", 2);
	assert_int_equal(feed(chunked, text, 20000, 20000).result,
			 HTTP_BODY_BAD);
	assert_true(feed(chunked, text, 20000, 7).used <=
		    HTTP_BODY_LINE_MAX_BYTES);
	memcpy(text, "0\r\nA:", 5);
	struct outcome o = feed(chunked, text, 20000, 20000);
	assert_int_equal(o.result, HTTP_BODY_BAD);
	assert_true(o.used <= HTTP_BODY_TRAILER_MAX_BYTES + 3);
	free(text);
}

static void takes_the_largest_chunk_that_is_written(void **state)
{
	struct outcome o = feed(chunked, "fffffffffffffff\r\nab", 19, 19);

	(void)state;
	assert_int_equal(o.result, HTTP_BODY_MORE);
	assert_int_equal(o.used, 19);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_a_length),
		cmocka_unit_test(ends_at_once_without_content),
		cmocka_unit_test(goes_on_until_close),
		cmocka_unit_test(follows_chunks),
		cmocka_unit_test(drops_trailers),
		cmocka_unit_test(refuses_loose_chunks),
		cmocka_unit_test(bounds_extensions_and_trailers),
		cmocka_unit_test(takes_the_largest_chunk_that_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
