/* SPDX-License-Identifier: MIT */
/* test_request_head: what is a request, what is refused, and how it is cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "head_cuts.h"

static struct outcome parse(const char *text)
{
	return head_parse(text, strlen(text));
}

static void expect_span(struct http_span span, const char *text)
{
	assert_int_equal(span.len, strlen(text));
	assert_memory_equal(span.at, text, span.len);
}

static void expect_result(const char *text, enum request_head_result result)
{
	struct outcome outcome = parse(text);

	if (outcome.result != result)
		fail_msg("%d (%s): %s", (int)outcome.result,
			 outcome.head.reason != NULL ? outcome.head.reason : "",
			 text);
}

static void reads_connect(void **state)
{
	struct outcome o = parse("CONNECT Allowed.Test.:443 HTTP/1.1\r\n"
				 "Host: x\r\nUser-Agent: \xff y\r\n\r\nearly");

	(void)state;
	assert_int_equal(o.result, REQUEST_HEAD_OK);
	assert_int_equal(o.head.form, REQUEST_HEAD_AUTHORITY_FORM);
	expect_span(o.head.method, "CONNECT");
	expect_span(o.head.target, "Allowed.Test.:443");
	assert_int_equal(o.head.authority.kind, AUTHORITY_NAME);
	assert_string_equal(o.head.authority.name.text, "allowed.test");
	assert_int_equal(o.head.authority.port, 443);
	assert_int_equal(o.head.minor_version, 1);
	assert_int_equal(o.head.head_len, 36 + 9 + 17 + 2);
}

static void reads_connect_to_a_literal(void **state)
{
	struct outcome o = parse("CONNECT [::1]:443 HTTP/1.1\r\nHost:\r\n\r\n");

	(void)state;
	assert_int_equal(o.result, REQUEST_HEAD_OK);
	assert_int_equal(o.head.authority.kind, AUTHORITY_ADDRESS);
}

static void lets_only_old_clients_leave_host_out(void **state)
{
	(void)state;
	expect_result("CONNECT allowed.test:443 HTTP/1.0\r\n\r\n",
		      REQUEST_HEAD_OK);
	expect_result("CONNECT allowed.test:443 HTTP/1.1\r\n\r\n",
		      REQUEST_HEAD_BAD);
	expect_result("CONNECT a.test:443 HTTP/1.1\r\nHost: a\r\nHost: a\r\n"
		      "\r\n",
		      REQUEST_HEAD_BAD);
	expect_result("CONNECT a.test:443 HTTP/1.0\r\nHost: a\r\nhOST: a\r\n"
		      "\r\n",
		      REQUEST_HEAD_BAD);
	expect_result("CONNECT a.test:443 HTTP/1.1\r\nHost: a b\r\n\r\n",
		      REQUEST_HEAD_BAD);
	expect_result("CONNECT a.test:443 HTTP/1.1\r\nHost: a@b\r\n\r\n",
		      REQUEST_HEAD_BAD);
}

/* Field case 1 and its relatives: each line with a Host field behind it. */
static const char *const wrong_lines[] = {
	"CONNECT [127.0.0.2]:443 HTTP/1.1",
	"CONNECT [allowed.test]:443 HTTP/1.1",
	"CONNECT allowed.test :443 HTTP/1.1",
	"CONNECT allowed.test\t:443 HTTP/1.1",
	"CONNECT allowed.test:443 x HTTP/1.1",
	"CONNECT allowed.test HTTP/1.1",
	"CONNECT allowed.test: HTTP/1.1",
	"CONNECT :443 HTTP/1.1",
	"CONNECT allowed.test:0 HTTP/1.1",
	"CONNECT allowed.test:65979 HTTP/1.1",
	"CONNECT allowed.test:74536 HTTP/1.1",
	"CONNECT allowed.test:4294967739 HTTP/1.1",
	"CONNECT allowed.test:+443 HTTP/1.1",
	"CONNECT allowed.test:0x1bb HTTP/1.1",
	"CONNECT allowed.test:443/ HTTP/1.1",
	"CONNECT https://allowed.test:443 HTTP/1.1",
	"CONNECT denied.test@allowed.test:443 HTTP/1.1",
	"CONNECT allowed.test:443@denied.test:443 HTTP/1.1",
	"CONNECT allowed.test%2e:443 HTTP/1.1",
	"CONNECT denied.test#.allowed.test:443 HTTP/1.1",
	"CONNECT ::1:443 HTTP/1.0",
	"CONNECT allowed.test..:443 HTTP/1.1",
	"CONNECT .:443 HTTP/1.1",
	"CONNECT 127.0.0.9.:443 HTTP/1.1",
	"CONNECT 0177.0.0.1:443 HTTP/1.1",
	"CONNECT 2130706433:443 HTTP/1.1",
	"CONNECT evil\x1b[2K\x07.test:443 HTTP/1.1",
	"CONNECT a\nverdict=allow.test:443 HTTP/1.1",
	"CONNECT a\rb.test:443 HTTP/1.1",
	"CONNECT \xe2\x80\xae.test:443 HTTP/1.1",
	"CONNECT /path HTTP/1.1",
	"CONNECT http://allowed.test/ HTTP/1.1",
	"CONNECT * HTTP/1.1",
	"CONNECT  allowed.test:443 HTTP/1.1",
	"CONNECT allowed.test:443  HTTP/1.1",
	"CONNECT allowed.test:443\tHTTP/1.1",
	"CONNECT allowed.test:443 HTTP/1.1 ",
	" CONNECT allowed.test:443 HTTP/1.1",
	"connect allowed.test:443 HTTP/1.1",
	"Connect allowed.test:443 HTTP/1.1",
	"CONNECT allowed.test:443 http/1.1",
	"CONNECT allowed.test:443 HTTP/1.10",
	"CONNECT allowed.test:443 HTTP/11",
	"CONNECT allowed.test:443 HTTP/1.",
	"CONNECT allowed.test:443 HTTP/1,1",
	"CONNECT allowed.test:443 HTTPS/1.1",
	"CONNECT allowed.test:443",
	"CONNECT",
	"CONNECT ",
	"GET /",
	"GET allowed.test:443 HTTP/1.1",
	"GET allowed.test HTTP/1.1",
	"GET https://allowed.test/ HTTP/1.1",
	"GET ftp://allowed.test/ HTTP/1.1",
	"GET gopher://allowed.test/ HTTP/1.1",
	"GET http:///path HTTP/1.1",
	"GET http://user@allowed.test/ HTTP/1.1",
	"GET http://allowed.test:/ HTTP/1.1",
	"GET http://allowed.test:080/ HTTP/1.1",
	"GET http://allowed.test/#f HTTP/1.1",
	"GET http:/allowed.test/ HTTP/1.1",
	"OPTIONS * HTTP/1.1",
	"GE(T http://allowed.test/ HTTP/1.1",
	"get http://allowed.test/ HTTP/1.1",
	"SSH-2.0-OpenSSH_9.2p1",
};

static void refuses_wrong_request_lines(void **state)
{
	char head[256];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong_lines) / sizeof(wrong_lines[0]);
	     i++) {
		size_t len = strlen(wrong_lines[i]);

		memcpy(head, wrong_lines[i], len);
		memcpy(head + len, "\r\nHost: x\r\n\r\n", 14);
		expect_result(head, REQUEST_HEAD_BAD);
	}
}

static const char *const wrong_fields[] = {
	": empty\r\n",
	"Name : space before the colon\r\n",
	"Na me: x\r\n",
	"Name\r\n",
	" Folded: first\r\n",
	"A: b\r\n folded\r\n",
	"A: b\r\n\tfolded\r\n",
	"A: b\nB: c\r\n",
	"A: b\rc\r\n",
	"A: b\r\rc\r\n",
	"A: b\x01\r\n",
	"A: \x7f\r\n",
	"A(b): c\r\n",
	"A\x80: c\r\n",
	"User-Agent: \x1b]0;x\x07\r\n",
	"Content-Length: 0\r\n",
	"content-length: 5\r\n",
	"Content-Length:\r\n",
	"Transfer-Encoding: chunked\r\n",
	"Transfer-Encoding: identity\r\n",
};

static void refuses_wrong_fields(void **state)
{
	char head[256];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong_fields) / sizeof(wrong_fields[0]);
	     i++) {
		size_t at = 0;
		const char *parts[] = {"CONNECT a.test:443 HTTP/1.1\r\n",
				       "Host: x\r\n", wrong_fields[i], "\r\n"};

		for (size_t k = 0; k < 4; k++) {
			memcpy(head + at, parts[k], strlen(parts[k]) + 1);
			at += strlen(parts[k]);
		}
		expect_result(head, REQUEST_HEAD_BAD);
	}
}

static void refuses_a_nul_anywhere(void **state)
{
	static const char text[] =
		"CONNECT a.test:443 HTTP/1.1\r\nHost: x\r\nA: bc\r\n\r\n";

	(void)state;
	for (size_t i = 0; i + 4 < sizeof(text); i++) {
		char head[sizeof(text)];

		memcpy(head, text, sizeof(text));
		head[i] = '\0';
		assert_int_equal(head_parse(head, sizeof(text) - 1).result,
				 REQUEST_HEAD_BAD);
	}
}

static void refuses_bare_line_feeds(void **state)
{
	(void)state;
	expect_result("CONNECT allowed.test:443 HTTP/1.1\nHost: x\n\n",
		      REQUEST_HEAD_BAD);
	expect_result("CONNECT a.test:443 HTTP/1.1\r\nHost: x\r\n\n",
		      REQUEST_HEAD_BAD);
	expect_result("\r\nCONNECT a.test:443 HTTP/1.0\r\n\r\n",
		      REQUEST_HEAD_BAD);
	expect_result("\n", REQUEST_HEAD_BAD);
}

static void judges_versions(void **state)
{
	(void)state;
	expect_result("CONNECT a.test:443 HTTP/2.0\r\n\r\n",
		      REQUEST_HEAD_VERSION);
	expect_result("CONNECT a.test:443 HTTP/1.2\r\n\r\n",
		      REQUEST_HEAD_VERSION);
	expect_result("CONNECT a.test:443 HTTP/0.9\r\n\r\n",
		      REQUEST_HEAD_VERSION);
	expect_result("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", REQUEST_HEAD_HTTP2);
}

static void tells_other_protocols_by_their_first_byte(void **state)
{
	(void)state;
	expect_result("\x16\x03\x01", REQUEST_HEAD_TLS);
	expect_result("\x05\x01", REQUEST_HEAD_SOCKS5);
	expect_result("\x04\x01\x01\xbb", REQUEST_HEAD_SOCKS4);
	expect_result("\x80\x2e\x01", REQUEST_HEAD_BAD);
	assert_int_equal(head_parse("\0\0\0\x08", 4).result, REQUEST_HEAD_BAD);
	/* The PROXY protocol is not for clients to speak. */
	expect_result("PROXY TCP4 192.0.2.1 192.0.2.2 1 443\r\n\r\n",
		      REQUEST_HEAD_BAD);
	assert_int_equal(
		head_parse("\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c", 16).result,
		REQUEST_HEAD_BAD);
	expect_result("", REQUEST_HEAD_MORE);
}

static void shows_the_raw_target_of_what_it_refuses(void **state)
{
	struct outcome o =
		parse("CONNECT evil\x1b[2K.test:443 HTTP/1.1\r\n\r\n");

	(void)state;
	expect_span(o.head.target, "evil\x1b[2K.test:443");
	o = parse("CONNECT a.test :443 HTTP/1.1\r\n\r\n");
	expect_span(o.head.target, "a.test :443");
	assert_string_equal(o.head.reason,
			    "target holds a space or a byte that is not ASCII");
	o = parse("GET /\r\n\r\n");
	expect_span(o.head.target, "/");
	o = parse("CONNECT a.test:443 HTTP/1.0\r\nA\r\n\r\n");
	expect_span(o.head.target, "a.test:443");
	o = parse("NOSPACE\r\n");
	expect_span(o.head.target, "");
}

static char *big_head(size_t fields, size_t value_len, size_t *len_out)
{
	static const char line[] = "CONNECT a.test:443 HTTP/1.0\r\n";
	size_t size = sizeof(line) + fields * (value_len + 6) + 2;
	char *head = malloc(size);
	size_t at = sizeof(line) - 1;

	assert_non_null(head);
	memcpy(head, line, at);
	for (size_t i = 0; i < fields; i++) {
		memcpy(head + at, "A: ", 3);
		memset(head + at + 3, 'x', value_len);
		memcpy(head + at + 3 + value_len, "\r\n", 2);
		at += value_len + 5;
	}
	memcpy(head + at, "\r\n", 2);
	*len_out = at + 2;
	return head;
}

static enum request_head_result big_result(size_t fields, size_t value_len)
{
	size_t len;
	char *head = big_head(fields, value_len, &len);
	struct outcome whole = head_cut_at(head, len, 0);
	struct outcome bytes = head_byte_by_byte(head, len);

	head_expect_same(&whole, &bytes);
	free(head);
	return whole.result;
}

static void bounds_size_and_number_of_fields(void **state)
{
	/* 29 of the line, 5 around the value, 2 at the end */
	size_t fits = REQUEST_HEAD_MAX_BYTES - 36;
	char *flood = malloc(65536);

	(void)state;
	assert_int_equal(big_result(1, fits), REQUEST_HEAD_OK);
	assert_int_equal(big_result(1, fits + 1), REQUEST_HEAD_TOO_LARGE);
	assert_int_equal(big_result(1, 71680), REQUEST_HEAD_TOO_LARGE);
	assert_int_equal(big_result(REQUEST_HEAD_MAX_FIELDS, 1),
			 REQUEST_HEAD_OK);
	assert_int_equal(big_result(REQUEST_HEAD_MAX_FIELDS + 1, 1),
			 REQUEST_HEAD_TOO_LARGE);
	assert_int_equal(big_result(10000, 1), REQUEST_HEAD_TOO_LARGE);
	assert_non_null(flood);
	memset(flood, 'A', 65536);
	assert_int_equal(head_cut_at(flood, 65536, 0).result,
			 REQUEST_HEAD_TOO_LARGE);
	assert_int_equal(
		head_cut_at(flood, REQUEST_HEAD_MAX_BYTES - 1, 0).result,
		REQUEST_HEAD_MORE);
	free(flood);
}

static void reads_absolute_form(void **state)
{
	struct outcome o = parse("GET HTTP://Allowed.test:8080/a?b=c HTTP/1.1"
				 "\r\nHost: denied.test\r\n"
				 "Content-Length: 0\r\n\r\n");

	(void)state;
	assert_int_equal(o.result, REQUEST_HEAD_OK);
	assert_int_equal(o.head.form, REQUEST_HEAD_ABSOLUTE_FORM);
	expect_span(o.head.method, "GET");
	expect_span(o.head.path, "/a?b=c");
	assert_string_equal(o.head.authority.name.text, "allowed.test");
	assert_int_equal(o.head.authority.port, 8080);

	o = parse("GET http://[::1] HTTP/1.0\r\n\r\n");
	assert_int_equal(o.result, REQUEST_HEAD_OK);
	assert_int_equal(o.head.authority.port, 80);
	expect_span(o.head.path, "");
	o = parse("GET http://a.test?q HTTP/1.0\r\n\r\n");
	expect_span(o.head.path, "?q");
}

static void takes_origin_form_from_host(void **state)
{
	struct outcome o = parse("GET /x HTTP/1.1\r\nHost: A.test:81\r\n\r\n");

	(void)state;
	assert_int_equal(o.result, REQUEST_HEAD_OK);
	assert_int_equal(o.head.form, REQUEST_HEAD_ORIGIN_FORM);
	assert_string_equal(o.head.authority.name.text, "a.test");
	assert_int_equal(o.head.authority.port, 81);
	expect_span(o.head.path, "/x");
	expect_result("GET /x HTTP/1.0\r\n\r\n", REQUEST_HEAD_BAD);
	expect_result("GET /x HTTP/1.1\r\nHost:\r\n\r\n", REQUEST_HEAD_BAD);
	expect_result("GET /x HTTP/1.1\r\nHost: a.test:0\r\n\r\n",
		      REQUEST_HEAD_BAD);
}

static void walks_fields(void **state)
{
	struct outcome o = parse("GET http://a.test/ HTTP/1.1\r\nHost: a\r\n"
				 "X:\t y z \t\r\nE:\r\n\r\n");
	struct http_span rest = o.head.fields;
	struct http_span name;
	struct http_span value;

	(void)state;
	assert_true(http_split_field(&rest, &name, &value));
	assert_true(http_span_is(name, "hOST"));
	assert_true(http_split_field(&rest, &name, &value));
	expect_span(name, "X");
	expect_span(value, "y z");
	assert_true(http_split_field(&rest, &name, &value));
	expect_span(value, "");
	assert_false(http_split_field(&rest, &name, &value));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_connect),
		cmocka_unit_test(reads_connect_to_a_literal),
		cmocka_unit_test(lets_only_old_clients_leave_host_out),
		cmocka_unit_test(refuses_wrong_request_lines),
		cmocka_unit_test(refuses_wrong_fields),
		cmocka_unit_test(refuses_a_nul_anywhere),
		cmocka_unit_test(refuses_bare_line_feeds),
		cmocka_unit_test(judges_versions),
		cmocka_unit_test(tells_other_protocols_by_their_first_byte),
		cmocka_unit_test(shows_the_raw_target_of_what_it_refuses),
		cmocka_unit_test(bounds_size_and_number_of_fields),
		cmocka_unit_test(reads_absolute_form),
		cmocka_unit_test(takes_origin_form_from_host),
		cmocka_unit_test(walks_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
