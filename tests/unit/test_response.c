/* SPDX-License-Identifier: MIT */
/* test_response: refusals say all in the reason phrase and reflect nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "response.h"

static char buf[RESPONSE_MAX_BYTES + 1]; /* NOLINT: one test at a time */

static const char *refuse(const struct response_refusal *refusal)
{
	size_t len = response_write_refusal(refusal, buf);

	assert_true(len < RESPONSE_MAX_BYTES);
	buf[len] = '\0';
	assert_int_equal(strlen(buf), len);
	return buf;
}

static struct response_refusal refusal_of(enum reason reason, const char *host,
					  uint16_t port)
{
	return (struct response_refusal){.reason = reason,
					 .host = host,
					 .host_len = strlen(host),
					 .port = port};
}

static void says_everything_in_the_reason_phrase(void **state)
{
	struct response_refusal r =
		refusal_of(REASON_HTTP_REQUEST_DENIED, "other.test", 8443);

	(void)state;
	r.allow = "--allow other.test:8443";
	assert_string_equal(
		refuse(&r),
		"HTTP/1.1 403 exeat: other.test:8443 is not allowed (allow it "
		"with --allow other.test:8443)\r\n"
		"Proxy-Status: exeat; error=http_request_denied; "
		"details=\"other.test:8443 is not allowed\"\r\n"
		"Content-Type: text/plain; charset=utf-8\r\n"
		"Content-Length: 105\r\n"
		"Connection: close\r\n"
		"\r\n"
		"exeat: other.test:8443 is not allowed\n"
		"reason: http_request_denied\n"
		"allow it with: --allow other.test:8443\n");
}

static void writes_the_content_length_of_its_body(void **state)
{
	(void)state;
	for (int reason = 0; reason < REASON_COUNT; reason++) {
		struct response_refusal r =
			refusal_of((enum reason)reason, "a.test", 443);
		const char *text = refuse(&r);
		const char *body = strstr(text, "\r\n\r\n");
		char field[64];

		assert_non_null(body);
		(void)snprintf(field, sizeof(field),
			       "\r\nContent-Length: %zu\r\n", strlen(body + 4));
		assert_non_null(strstr(text, field));
		assert_non_null(strstr(text, "\r\nConnection: close\r\n"));
		assert_non_null(strstr(body, reason_text((enum reason)reason)));
	}
}

static const struct {
	enum reason reason;
	unsigned int status;
	const char *error;
} statuses[] = {
	{REASON_HTTP_REQUEST_DENIED,       403, "http_request_denied"      },
	{REASON_PORT_NOT_ALLOWED,          403, "http_request_denied"      },
	{REASON_DESTINATION_IP_PROHIBITED, 403, "destination_ip_prohibited"},
	{REASON_DNS_ERROR,                 502, "dns_error"                },
	{REASON_DNS_TIMEOUT,               504, "dns_timeout"              },
	{REASON_CONNECTION_REFUSED,        502, "connection_refused"       },
	{REASON_CONNECTION_TIMEOUT,        504, "connection_timeout"       },
	{REASON_CONNECTION_LIMIT_REACHED,  503, "connection_limit_reached" },
	{REASON_HTTP_REQUEST_ERROR,        400, "http_request_error"       },
	{REASON_PROXY_INTERNAL_ERROR,      500, "proxy_internal_error"     },
	{REASON_AUDIT_FAILED,              503, "proxy_internal_error"     },
};

static void gives_each_reason_its_status_and_type(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
		struct response_refusal r =
			refusal_of(statuses[i].reason, "a.test", 443);
		char start[128];

		assert_int_equal(response_status(&r), statuses[i].status);
		(void)snprintf(start, sizeof(start),
			       "HTTP/1.1 %u exeat: a.test:443 ",
			       statuses[i].status);
		assert_memory_equal(refuse(&r), start, strlen(start));
		(void)snprintf(start, sizeof(start),
			       "Proxy-Status: exeat; error=%s; ",
			       statuses[i].error);
		assert_non_null(strstr(buf, start));
	}
}

static void puts_reasons_of_our_own_into_details(void **state)
{
	struct response_refusal r =
		refusal_of(REASON_PORT_NOT_ALLOWED, "a.test", 22);

	(void)state;
	assert_non_null(strstr(refuse(&r), "details=\"port_not_allowed: "));
}

static void writes_statuses_of_the_request(void **state)
{
	struct response_refusal r = {.reason = REASON_HTTP_REQUEST_ERROR};
	static const unsigned int codes[] = {408, 431, 505};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		char start[32];

		r.status = codes[i];
		(void)snprintf(start, sizeof(start),
			       "HTTP/1.1 %u exeat: ", codes[i]);
		assert_memory_equal(refuse(&r), start, strlen(start));
	}
	r.status = 0;
	r.detail = "port is missing";
	assert_memory_equal(refuse(&r),
			    "HTTP/1.1 400 exeat: bad request: port is missing",
			    48);
}

static void expect_harmless(const char *text)
{
	const char *body = strstr(text, "\r\n\r\n");
	size_t lines = 0;

	assert_non_null(body);
	for (const char *p = text; p < body; p++) {
		if (p[0] == '\r' && p[1] == '\n')
			lines++, p++;
		else
			assert_true(*p >= 0x20 && *p < 0x7f);
	}
	assert_int_equal(lines, 4);
	for (const char *p = body + 4; *p != '\0'; p++)
		assert_true(*p == '\n' || (*p >= 0x20 && *p < 0x7f));
}

static void never_reflects_a_byte_unescaped(void **state)
{
	static const char evil[] = "a\r\nSet-Cookie: x\r\n\r\n<script>"
				   "\x1b[2K\x00\xe2\x80\xae\"\\";
	struct response_refusal r = {.reason = REASON_HTTP_REQUEST_ERROR,
				     .host = evil,
				     .host_len = sizeof(evil) - 1,
				     .detail = "kernel \"says\" \n \\"};

	(void)state;
	expect_harmless(refuse(&r));
	assert_non_null(strstr(buf, "a\\x0d\\x0aSet-Cookie"));
	/* RFC 8941: the string holds only escaped quotes and backslashes */
	assert_non_null(strstr(buf, "\\\"says\\\""));
	assert_non_null(strstr(buf, "a\\\\x0d"));
}

static void stays_whole_and_bounded(void **state)
{
	char host[20000];
	char allow[512];

	(void)state;
	for (int c = 0; c < 256; c++) {
		struct response_refusal r = {.reason = REASON_PORT_NOT_ALLOWED,
					     .host = host,
					     .host_len = sizeof(host),
					     .port = 65535,
					     .allow = allow,
					     .detail = host};

		memset(host, c, sizeof(host));
		host[sizeof(host) - 1] = '\0';
		memset(allow, 'x', sizeof(allow));
		allow[sizeof(allow) - 1] = '\0';
		expect_harmless(refuse(&r));
		assert_non_null(strstr(buf, "..."));
		assert_non_null(strstr(buf, allow));
	}
}

static void brackets_an_ipv6_literal(void **state)
{
	struct response_refusal r =
		refusal_of(REASON_HTTP_REQUEST_DENIED, "2001:db8::1", 443);

	(void)state;
	assert_non_null(strstr(refuse(&r), "403 exeat: [2001:db8::1]:443 is"));
}

static void writes_the_established_answer(void **state)
{
	(void)state;
	size_t len = response_write_established(buf);
	assert_int_equal(len, 39);
	assert_memory_equal(buf, "HTTP/1.1 200 Connection established\r\n\r\n",
			    len);
}

static void writes_fatal_alerts(void **state)
{
	static const uint8_t unrecognized[] = {21, 3, 3, 0, 2, 2, 112};
	uint8_t alert[RESPONSE_ALERT_BYTES];

	(void)state;
	assert_int_equal(
		response_write_alert(REASON_SERVER_NAME_MISMATCH, alert),
		sizeof(alert));
	assert_memory_equal(alert, unrecognized, sizeof(alert));
	assert_int_equal(
		response_write_alert(REASON_SERVER_NAME_MALFORMED, alert), 7);
	assert_int_equal(alert[6], 50);
	assert_int_equal(
		response_write_alert(REASON_HTTP_REQUEST_DENIED, alert), 7);
	assert_int_equal(alert[6], 49);
	assert_int_equal(response_write_alert(REASON_NOT_TLS, alert), 0);
	assert_int_equal(response_write_alert(REASON_HELLO_TIMEOUT, alert), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_everything_in_the_reason_phrase),
		cmocka_unit_test(writes_the_content_length_of_its_body),
		cmocka_unit_test(gives_each_reason_its_status_and_type),
		cmocka_unit_test(puts_reasons_of_our_own_into_details),
		cmocka_unit_test(writes_statuses_of_the_request),
		cmocka_unit_test(never_reflects_a_byte_unescaped),
		cmocka_unit_test(stays_whole_and_bounded),
		cmocka_unit_test(brackets_an_ipv6_literal),
		cmocka_unit_test(writes_the_established_answer),
		cmocka_unit_test(writes_fatal_alerts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
