/* SPDX-License-Identifier: MIT */
/* test_response_head: an origin's heads, judged and written for the client. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "http_message.h"
#include "response_head.h"

#define MAX_HEAD 4096

static enum response_head_result parse(const char *text, size_t len,
				       size_t step, struct response_head *head)
{
	enum response_head_result result = RESPONSE_HEAD_MORE;
	struct head_scan scan = {0};
	size_t seen = 0;

	while (result == RESPONSE_HEAD_MORE && seen < len) {
		seen = step < len - seen ? seen + step : len;
		result = response_head_parse(&scan, text, seen, head);
	}
	return result;
}

static struct response_head response(const char *text)
{
	struct response_head whole = {0};
	struct response_head bytes = {0};

	assert_int_equal(parse(text, strlen(text), strlen(text), &whole),
			 RESPONSE_HEAD_OK);
	assert_int_equal(parse(text, strlen(text), 1, &bytes),
			 RESPONSE_HEAD_OK);
	assert_int_equal(whole.head_len, bytes.head_len);
	assert_int_equal(whole.status, bytes.status);
	return whole;
}

static void reads_status_lines(void **state)
{
	struct response_head head =
		response("HTTP/1.1 404 Not \xc3\xa4 there\r\nA: b\r\n\r\nbody");

	(void)state;
	assert_int_equal(head.status, 404);
	assert_int_equal(head.minor_version, 1);
	assert_int_equal(head.phrase.len, 12);
	assert_int_equal(head.head_len, 35);
	head = response("HTTP/1.0 200\r\n\r\n");
	assert_int_equal(head.status, 200);
	assert_int_equal(head.minor_version, 0);
	assert_int_equal(head.phrase.len, 0);
	head = response("HTTP/1.1 200 \r\n\r\n");
	assert_int_equal(head.phrase.len, 0);
}

static void refuses_loose_heads(void **state)
{
	static const char *const rows[] = {
		"HTTP/1.1 200 OK\nA: b\n\n",
		"HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n",
		"HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
		"HTTP/1.1 200 OK\r\n: b\r\n\r\n",
		"HTTP/1.1 200 OK\r\nA\r\n\r\n",
		"HTTP/1.1 200 O\x1bK\r\n\r\n",
		"HTTP/1.1 200 O\rK\r\n\r\n",
		"HTTP/2.0 200 OK\r\n\r\n",
		"HTTP/1.2 200 OK\r\n\r\n",
		"HTTP/1.1  200 OK\r\n\r\n",
		"HTTP/1.1 20 OK\r\n\r\n",
		"HTTP/1.1 2000 OK\r\n\r\n",
		"HTTP/1.1 099 OK\r\n\r\n",
		"HTTP/1.1 600 OK\r\n\r\n",
		"HTTP/1.1 +20 OK\r\n\r\n",
		"http/1.1 200 OK\r\n\r\n",
		"ICY 200 OK\r\n\r\n",
		"\r\nHTTP/1.1 200 OK\r\n\r\n",
		"<html>\r\n\r\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t len = strlen(rows[i]);

		for (size_t step = 1; step <= len; step++) {
			struct response_head head = {0};

			if (parse(rows[i], len, step, &head) !=
			    RESPONSE_HEAD_BAD)
				fail_msg("taken: %s", rows[i]);
			assert_non_null(head.reason);
		}
	}
}

static void bounds_size_and_fields(void **state)
{
	size_t size = RESPONSE_HEAD_MAX_BYTES + 1024;
	char *text = malloc(size);
	struct response_head head = {0};

	(void)state;
	assert_non_null(text);
	memset(text, 'x', size);
	memcpy(text, "HTTP/1.1 200 OK\r\nA: ", 20);
	assert_int_equal(parse(text, size, size, &head), RESPONSE_HEAD_BAD);
	size_t at = 17;
	for (size_t i = 0; i <= RESPONSE_HEAD_MAX_FIELDS; i++, at += 5)
		memcpy(text + at, "A: \r\n", 5);
	assert_int_equal(parse(text, at, at, &head), RESPONSE_HEAD_BAD);
	memcpy(text + at - 5, "\r\n", 2);
	assert_int_equal(parse(text, at, at, &head), RESPONSE_HEAD_OK);
	free(text);
}

static const struct http_exchange usual = {.minor_version = 1};

static const char *judge(const char *text, const struct http_exchange *exchange,
			 struct http_plan *plan_out)
{
	struct response_head head = response(text);

	return http_message_judge_response(&head, exchange, plan_out);
}

static void finds_where_content_ends(void **state)
{
	static const struct http_exchange to_head = {.is_head = true,
						     .minor_version = 1};

	static const struct {
		const char *text;
		const struct http_exchange *exchange;
		enum http_body_kind kind;
		bool is_last;
	} rows[] = {
		{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",          &usual,
		 HTTP_BODY_LENGTH,									 false},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
		 &usual,							    HTTP_BODY_CHUNKED,     false},
		{"HTTP/1.1 200 OK\r\n\r\n",                               &usual,   HTTP_BODY_UNTIL_CLOSE,
		 true											   },
		{"HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n",          &usual,
		 HTTP_BODY_LENGTH,									 true },
		{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"
		 "Connection: close\r\n\r\n",            &usual,   HTTP_BODY_LENGTH,      true },
		{"HTTP/1.1 204 No Content\r\n\r\n",                       &usual,   HTTP_BODY_NONE,
		 false											  },
		{"HTTP/1.1 304 x\r\nContent-Length: 5\r\n\r\n",           &usual,
		 HTTP_BODY_NONE,									   false},
		{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n",          &to_head,
		 HTTP_BODY_NONE,									   false},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
		 &to_head,							  HTTP_BODY_NONE,        false},
		{"HTTP/1.1 100 Continue\r\n\r\n",                         &usual,   HTTP_BODY_NONE,
		 false											  },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct http_plan plan;

		assert_null(judge(rows[i].text, rows[i].exchange, &plan));
		assert_int_equal(plan.framing.kind, rows[i].kind);
		assert_int_equal(plan.is_last, rows[i].is_last);
		assert_false(plan.is_upgrade);
		assert_int_equal(plan.is_interim, i == 9);
	}
}

static void refuses_answers_that_read_two_ways(void **state)
{
	static const struct http_exchange old = {.minor_version = 0};

	static const struct {
		const char *text;
		const struct http_exchange *exchange;
	} rows[] = {
		{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"
		 "Transfer-Encoding: chunked\r\n\r\n",   &usual},
		{"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"
		 "Content-Length: 6\r\n\r\n",            &usual},
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",    &usual},
		{"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
		 &usual							 },
		{"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", &old  },
		{"HTTP/1.1 100 Continue\r\n\r\n",                         &old  },
		{"HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\n",    &usual},
		{"HTTP/1.1 101 x\r\nConnection: upgrade\r\n"
		 "Upgrade: websocket\r\n\r\n",           &usual},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct http_plan plan;

		if (judge(rows[i].text, rows[i].exchange, &plan) == NULL)
			fail_msg("taken: %s", rows[i].text);
	}
}

static void expect_written(const char *from,
			   const struct http_exchange *exchange, const char *to)
{
	struct response_head head = response(from);
	struct http_plan plan;
	char buf[MAX_HEAD];
	struct text out;

	assert_null(http_message_judge_response(&head, exchange, &plan));
	text_init(&out, buf, sizeof(buf));
	assert_true(http_message_write_response(&head, exchange, &plan, &out));
	assert_string_equal(buf, to);
	(void)response(buf);
}

static void writes_what_was_judged(void **state)
{
	static const struct http_exchange closing = {.minor_version = 1,
						     .client_closes = true};
	static const struct http_exchange to_head = {.is_head = true,
						     .minor_version = 1};
	static const struct http_exchange socket = {.is_upgrade = true,
						    .minor_version = 1};

	(void)state;
	expect_written("HTTP/1.1 200 OK\r\nServer: x\r\nKeep-Alive: 5\r\n"
		       "Connection: keep-alive, X-Hop\r\nX-Hop: y\r\n"
		       "Content-Length: 5\r\n\r\n",
		       &usual,
		       "HTTP/1.1 200 OK\r\nServer: x\r\nContent-Length: 5\r\n"
		       "Via: 1.1 exeat\r\n\r\n");
	expect_written("HTTP/1.0 200\r\n\r\n", &usual,
		       "HTTP/1.1 200 \r\nVia: 1.0 exeat\r\n"
		       "Connection: close\r\n\r\n");
	expect_written("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
		       &closing,
		       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
		       "Via: 1.1 exeat\r\nConnection: close\r\n\r\n");
	expect_written("HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n",
		       &to_head,
		       "HTTP/1.1 200 OK\r\nContent-Length: 77\r\n"
		       "Via: 1.1 exeat\r\n\r\n");
	expect_written("HTTP/1.1 100 Continue\r\n\r\n", &closing,
		       "HTTP/1.1 100 Continue\r\nVia: 1.1 exeat\r\n\r\n");
	expect_written("HTTP/1.1 101 x\r\nconnection: upgrade\r\n"
		       "upgrade: WebSocket\r\nSec-WebSocket-Accept: y\r\n\r\n",
		       &socket,
		       "HTTP/1.1 101 x\r\nSec-WebSocket-Accept: y\r\n"
		       "Via: 1.1 exeat\r\nConnection: Upgrade\r\n"
		       "Upgrade: websocket\r\n\r\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_status_lines),
		cmocka_unit_test(refuses_loose_heads),
		cmocka_unit_test(bounds_size_and_fields),
		cmocka_unit_test(finds_where_content_ends),
		cmocka_unit_test(refuses_answers_that_read_two_ways),
		cmocka_unit_test(writes_what_was_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
