/* SPDX-License-Identifier: MIT */
/* test_http_message: heads are judged, and written anew without their traps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "http_message.h"

#define MAX_HEAD 4096

static struct request_head request(const char *text)
{
	struct request_head_scan scan = {0};
	struct request_head head = {0};

	assert_int_equal(request_head_parse(&scan, text, strlen(text), &head),
			 REQUEST_HEAD_OK);
	return head;
}

/* "POST http://a.test/ HTTP/1.1" with these fields. */
static const char *judge(const char *fields, struct http_plan *plan_out)
{
	static char text[MAX_HEAD];

	(void)snprintf(text, sizeof(text),
		       "POST http://a.test/ HTTP/1.1\r\nHost: a\r\n%s\r\n",
		       fields);
	struct request_head head = request(text);
	return http_message_judge_request(&head, plan_out);
}

static void finds_where_content_ends(void **state)
{
	struct http_plan plan = {.is_last = true};

	(void)state;
	assert_null(judge("", &plan));
	assert_int_equal(plan.framing.kind, HTTP_BODY_NONE);
	assert_false(plan.is_last);
	assert_null(judge("Content-Length: 18\r\n", &plan));
	assert_int_equal(plan.framing.kind, HTTP_BODY_LENGTH);
	assert_int_equal(plan.framing.length, 18);
	assert_null(judge("transfer-encoding: chunked\r\n", &plan));
	assert_int_equal(plan.framing.kind, HTTP_BODY_CHUNKED);
	assert_null(judge("Connection: x, Close\r\n", &plan));
	assert_true(plan.is_last);
}

static void refuses_framing_that_reads_two_ways(void **state)
{
	static const char *const rows[] = {
		"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
		"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
		"Content-Length: 5\r\nContent-Length: 5\r\n",
		"Content-Length: 5\r\nContent-Length: 6\r\n",
		"Content-Length: 5, 5\r\n",
		"Content-Length:\r\n",
		"Content-Length: +5\r\n",
		"Content-Length: -5\r\n",
		"Content-Length: 0x5\r\n",
		"Content-Length: 05\r\n",
		"Content-Length: 5 5\r\n",
		"Content-Length: 5.0\r\n",
		"Content-Length: 9223372036854775808\r\n",
		"Content-Length: 18446744073709551621\r\n",
		"Transfer-Encoding: Chunked\r\n",
		"Transfer-Encoding: xchunked\r\n",
		"Transfer-Encoding: chunked, identity\r\n",
		"Transfer-Encoding: gzip, chunked\r\n",
		"Transfer-Encoding: chunked;q=1\r\n",
		"Transfer-Encoding: \"chunked\"\r\n",
		"Transfer-Encoding: identity\r\n",
		"Transfer-Encoding:\r\n",
		"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
		"Connection: a b\r\n",
		"Connection: \"close\"\r\n",
		"Connection: a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q\r\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct http_plan plan = {.is_upgrade = true};

		if (judge(rows[i], &plan) == NULL)
			fail_msg("taken: %s", rows[i]);
		assert_true(plan.is_upgrade);
	}
}

static void treats_old_requests_as_their_last(void **state)
{
	struct request_head head =
		request("POST http://a.test/ HTTP/1.0\r\n"
			"Connection: keep-alive\r\nContent-Length: 1\r\n\r\n");
	struct http_plan plan;

	(void)state;
	assert_null(http_message_judge_request(&head, &plan));
	assert_true(plan.is_last);
	head = request("POST http://a.test/ HTTP/1.0\r\n"
		       "Transfer-Encoding: chunked\r\n\r\n");
	assert_non_null(http_message_judge_request(&head, &plan));
}

static void expect_request(const char *from, const char *to)
{
	char buf[MAX_HEAD];
	struct request_head head = request(from);
	struct http_plan plan;
	struct text out;

	assert_null(http_message_judge_request(&head, &plan));
	text_init(&out, buf, sizeof(buf));
	assert_true(http_message_write_request(&head, &plan, &out));
	assert_string_equal(buf, to);
	/* What goes out is a request that reads as what was judged. */
	struct request_head again = request(buf);
	assert_int_equal(again.form, REQUEST_HEAD_ORIGIN_FORM);
	assert_int_equal(again.authority.port, head.authority.port);
	assert_int_equal(again.head_len, out.len);
}

static void writes_host_from_the_target(void **state)
{
	(void)state;
	expect_request("GET http://Allowed.test/a?b HTTP/1.1\r\n"
		       "Host: denied.test\r\nAccept: */*\r\n\r\n",
		       "GET /a?b HTTP/1.1\r\nHost: allowed.test\r\n"
		       "Accept: */*\r\nVia: 1.1 exeat\r\n\r\n");
	expect_request("GET http://[2001:db8::1]:8080 HTTP/1.0\r\n\r\n",
		       "GET / HTTP/1.0\r\nHost: [2001:db8::1]:8080\r\n"
		       "Via: 1.0 exeat\r\nConnection: close\r\n\r\n");
	expect_request("GET http://a.test?q HTTP/1.1\r\nHost:\r\n\r\n",
		       "GET /?q HTTP/1.1\r\nHost: a.test\r\n"
		       "Via: 1.1 exeat\r\n\r\n");
	expect_request("GET /x HTTP/1.1\r\nHost: A.test:81\r\n\r\n",
		       "GET /x HTTP/1.1\r\nHost: a.test:81\r\n"
		       "Via: 1.1 exeat\r\n\r\n");
}

static void writes_an_asterisk_for_options(void **state)
{
	struct request_head head = request(
		"OPTIONS http://a.test HTTP/1.1\r\nHost: a.test\r\n\r\n");
	struct http_plan plan;
	char buf[MAX_HEAD];
	struct text out;

	(void)state;
	assert_null(http_message_judge_request(&head, &plan));
	text_init(&out, buf, sizeof(buf));
	assert_true(http_message_write_request(&head, &plan, &out));
	assert_memory_equal(buf, "OPTIONS * HTTP/1.1\r\nHost: a.test\r\n", 34);
}

static void drops_what_ends_at_the_proxy(void **state)
{
	(void)state;
	expect_request("POST http://a.test/ HTTP/1.1\r\nHost: a.test\r\n"
		       "Proxy-Authorization: Basic c2VjcmV0\r\n"
		       "proxy-connection: keep-alive\r\n"
		       "Keep-Alive: 5\r\nTE: trailers\r\n"
		       "Connection: X-Hop, keep-alive,, content-length\r\n"
		       "x-hop: secret\r\nX-Kept: yes\r\n"
		       "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"
		       "Content-Length: 3\r\n\r\n",
		       "POST / HTTP/1.1\r\nHost: a.test\r\nX-Kept: yes\r\n"
		       "HTTP2-Settings: AAMAAABk\r\nContent-Length: 3\r\n"
		       "Via: 1.1 exeat\r\n\r\n");
	expect_request("POST http://a.test/ HTTP/1.1\r\nHost: a.test\r\n"
		       "Connection: transfer-encoding, host\r\n"
		       "Expect: 100-continue\r\n"
		       "Transfer-Encoding: chunked\r\n\r\n",
		       "POST / HTTP/1.1\r\nHost: a.test\r\n"
		       "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n"
		       "Via: 1.1 exeat\r\n\r\n");
}

static void passes_only_websocket_upgrades(void **state)
{
	struct http_plan plan;

	(void)state;
	expect_request("GET http://a.test/ws HTTP/1.1\r\nHost: a.test\r\n"
		       "Connection: keep-alive, Upgrade\r\n"
		       "Upgrade: WebSocket\r\nSec-WebSocket-Key: x\r\n\r\n",
		       "GET /ws HTTP/1.1\r\nHost: a.test\r\n"
		       "Sec-WebSocket-Key: x\r\nVia: 1.1 exeat\r\n"
		       "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
	assert_null(judge("Connection: Upgrade\r\nUpgrade: h2c\r\n", &plan));
	assert_false(plan.is_upgrade);
	assert_null(judge("Connection: Upgrade\r\nUpgrade: websocket\r\n"
			  "Upgrade: h2c\r\n",
			  &plan));
	assert_false(plan.is_upgrade);
	assert_null(judge("Upgrade: websocket\r\n", &plan));
	assert_false(plan.is_upgrade);
	assert_null(judge("Connection: Upgrade\r\nUpgrade: websocket\r\n"
			  "Content-Length: 5\r\n",
			  &plan));
	assert_false(plan.is_upgrade);
}

static void says_when_a_head_does_not_fit(void **state)
{
	struct request_head head =
		request("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n");
	struct http_plan plan;
	char buf[16];
	struct text out;

	(void)state;
	assert_null(http_message_judge_request(&head, &plan));
	text_init(&out, buf, sizeof(buf));
	assert_false(http_message_write_request(&head, &plan, &out));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_where_content_ends),
		cmocka_unit_test(refuses_framing_that_reads_two_ways),
		cmocka_unit_test(treats_old_requests_as_their_last),
		cmocka_unit_test(writes_host_from_the_target),
		cmocka_unit_test(writes_an_asterisk_for_options),
		cmocka_unit_test(drops_what_ends_at_the_proxy),
		cmocka_unit_test(passes_only_websocket_upgrades),
		cmocka_unit_test(says_when_a_head_does_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
