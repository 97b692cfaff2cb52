/* SPDX-License-Identifier: MIT */
/* test_socks_request: SOCKS5 and SOCKS4a dialogues, whole and byte by byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "socks_request.h"

struct outcome {
	enum socks_result result;
	struct socks_output out;
	uint8_t replies[64];
	size_t replies_len;
	size_t used;
	uint8_t version;
};

static void take(struct outcome *o)
{
	if (o->result == SOCKS_MORE)
		return;
	assert_true(o->replies_len + o->out.reply_len <= sizeof(o->replies));
	memcpy(o->replies + o->replies_len, o->out.reply, o->out.reply_len);
	o->replies_len += o->out.reply_len;
	if (o->result != SOCKS_BAD)
		o->used += o->out.used;
}

static struct outcome converse(const void *bytes, size_t len, size_t step)
{
	struct socks_request socks = {0};
	struct outcome o = {.result = SOCKS_MORE};
	const uint8_t *data = bytes;
	size_t seen = 0;

	while (o.result == SOCKS_REPLY ||
	       (o.result == SOCKS_MORE && seen < len)) {
		if (o.result == SOCKS_MORE)
			seen = step < len - seen ? seen + step : len;
		o.result = socks_request_read(&socks, data + o.used,
					      seen - o.used, &o.out);
		take(&o);
	}
	o.version = socks.version;
	return o;
}

/* Whole, after having seen that byte by byte is the same. */
static struct outcome run(const void *bytes, size_t len)
{
	struct outcome whole = converse(bytes, len, len);

	for (size_t step = 1; step < len; step++) {
		struct outcome cut = converse(bytes, len, step);

		assert_int_equal(cut.result, whole.result);
		assert_int_equal(cut.used, whole.used);
		assert_int_equal(cut.replies_len, whole.replies_len);
		assert_memory_equal(cut.replies, whole.replies,
				    whole.replies_len);
	}
	return whole;
}

#define RUN(text) run(text, sizeof(text) - 1)

static void expect_destination(const struct outcome *o, const char *text)
{
	char got[AUTHORITY_TEXT_BYTES];

	assert_int_equal(o->result, SOCKS_OK);
	(void)authority_text(&o->out.authority, got);
	assert_string_equal(got, text);
}

static void reads_a_name_without_authentication(void **state)
{
	struct outcome o = RUN("\5\1\0\5\1\0\3\14Allowed.test\1\273early data");

	(void)state;
	expect_destination(&o, "allowed.test:443");
	assert_int_equal(o.used, 3 + 4 + 13 + 2);
	assert_int_equal(o.replies_len, 2);
	assert_memory_equal(o.replies, "\5\0", 2);
	assert_int_equal(o.out.target.len, 12);
	assert_memory_equal(o.out.target.at, "Allowed.test", 12);
	assert_int_equal(o.version, 5);
}

static void takes_user_and_password_and_ignores_them(void **state)
{
	struct outcome o = RUN("\5\1\2\1\4user\3abc\5\1\0\1\1\1\1\1\0\120");

	(void)state;
	expect_destination(&o, "1.1.1.1:80");
	assert_memory_equal(o.replies, "\5\2\1\0", 4);
	o = RUN("\5\1\2\1\0\0\5\1\0\1\1\1\1\1\0\120");
	expect_destination(&o, "1.1.1.1:80");
}

static void prefers_no_authentication(void **state)
{
	struct outcome o = RUN("\5\3\1\2\0");

	(void)state;
	assert_int_equal(o.result, SOCKS_MORE);
	assert_memory_equal(o.replies, "\5\0", 2);
}

static void reads_an_ipv6_address(void **state)
{
	static const uint8_t bytes[] = {5,   1,    0, 5, 1, 0, 4,   0x20, 1,
					0xd, 0xb8, 0, 0, 0, 0, 0,   0,    0,
					0,   0,    0, 0, 1, 1, 0xbb};
	struct outcome o = run(bytes, sizeof(bytes));

	(void)state;
	expect_destination(&o, "[2001:db8::1]:443");
	assert_int_equal(o.out.target.len, 0);
}

static void reads_socks4_and_4a(void **state)
{
	struct outcome o = RUN("\4\1\1\273\1\2\3\4user\0rest");

	(void)state;
	expect_destination(&o, "1.2.3.4:443");
	assert_int_equal(o.used, 8 + 5);
	assert_int_equal(o.version, 4);
	o = RUN("\4\1\1\273\0\0\0\1\0allowed.test\0");
	expect_destination(&o, "allowed.test:443");
	/* 0.0.0.0 is an address, not the sign of a name. */
	o = RUN("\4\1\1\273\0\0\0\0\0");
	expect_destination(&o, "0.0.0.0:443");
}

static const struct {
	const char *bytes;
	size_t len;
	uint8_t code;
} bad5[] = {
  /* a NUL, a space, two dots, an odd address, a literal in brackets */
	{"\5\1\0\3\14denied\0.test\1\273", 19, 1},
	{"\5\1\0\3\4a b.\1\273",           11, 1},
	{"\5\1\0\3\6a.t.. \1\273",         13, 1},
	{"\5\1\0\3\12"
	 "0177.0.0.1\1\273",      17, 1},
	{"\5\1\0\3\5"
	 "127.1\1\273",	   12, 1},
	{"\5\1\0\3\3::1\1\273",            10, 1},
	{"\5\1\0\3\0\1\273",               7,  1},
	{"\5\1\0\3\7a.t:443\1\273",        14, 1},
	{"\5\1\0\1\1\1\1\1\0\0",           10, 1}, /* port 0 */
	{"\5\1\1\1",		       4,  1}, /* reserved byte */
	{"\4\1\0\1",		       4,  1}, /* version */
	{"\5\2\0\1",		       4,  7}, /* BIND */
	{"\5\3\0\1",		       4,  7}, /* UDP ASSOCIATE */
	{"\5\1\0\2",		       4,  8}, /* address type */
};

static void refuses_wrong_requests(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad5) / sizeof(bad5[0]); i++) {
		uint8_t bytes[64] = {5, 1, 0};

		memcpy(bytes + 3, bad5[i].bytes, bad5[i].len);
		struct outcome o = run(bytes, bad5[i].len + 3);
		assert_int_equal(o.result, SOCKS_BAD);
		assert_non_null(o.out.reason);
		assert_int_equal(o.replies_len, 12);
		assert_int_equal(o.replies[3], bad5[i].code);
	}
}

static void refuses_wrong_socks4(void **state)
{
	struct outcome o = RUN("\4\2\1\273\1\2\3\4\0");
	char flood[SOCKS_MESSAGE_MAX_BYTES + 1];

	(void)state;
	assert_int_equal(o.result, SOCKS_BAD);
	assert_int_equal(o.replies_len, 8);
	assert_int_equal(o.replies[1], 91);
	o = RUN("\4\1\0\0\1\2\3\4\0");
	assert_int_equal(o.result, SOCKS_BAD);
	o = RUN("\4\1\1\273\0\0\0\7\0a b\0");
	assert_int_equal(o.result, SOCKS_BAD);
	o = RUN("\4\1\1\273\0\0\0\7\0\0");
	assert_int_equal(o.result, SOCKS_BAD);
	memset(flood, 'x', sizeof(flood));
	memcpy(flood, "\4\1\1\273\1\2\3\4", 8);
	o = run(flood, sizeof(flood));
	assert_int_equal(o.result, SOCKS_BAD);
}

static void refuses_unknown_methods(void **state)
{
	struct outcome o = RUN("\5\1\1");

	(void)state;
	assert_int_equal(o.result, SOCKS_BAD);
	assert_memory_equal(o.replies, "\5\377", 2);
	o = RUN("\5\0");
	assert_int_equal(o.result, SOCKS_BAD);
	o = RUN("\5\1\2\2\1u\1p");
	assert_int_equal(o.result, SOCKS_BAD);
	o = RUN("GET / HTTP/1.1");
	assert_int_equal(o.result, SOCKS_BAD);
	assert_int_equal(o.replies_len, 0);
}

static void answers_in_the_words_of_each_version(void **state)
{
	static const struct {
		enum reason reason;
		uint8_t code;
	} rows[] = {
		{REASON_NONE,                      0},
		{REASON_HTTP_REQUEST_DENIED,       2},
		{REASON_PORT_NOT_ALLOWED,          2},
		{REASON_DESTINATION_IP_PROHIBITED, 2},
		{REASON_DNS_ERROR,                 4},
		{REASON_DNS_TIMEOUT,               4},
		{REASON_CONNECTION_REFUSED,        5},
		{REASON_CONNECTION_TIMEOUT,        6},
		{REASON_CONNECTION_LIMIT_REACHED,  1},
		{REASON_AUDIT_FAILED,              1},
	};
	struct socks_request five = {.version = 5};
	struct socks_request four = {.version = 4};
	uint8_t buf[SOCKS_REPLY_MAX_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(socks_write_reply(&five, rows[i].reason, buf),
				 10);
		assert_int_equal(buf[0], 5);
		assert_int_equal(buf[1], rows[i].code);
		assert_int_equal(buf[3], 1);
		assert_int_equal(socks_write_reply(&four, rows[i].reason, buf),
				 8);
		assert_int_equal(buf[0], 0);
		assert_int_equal(buf[1], rows[i].code == 0 ? 90 : 91);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_a_name_without_authentication),
		cmocka_unit_test(takes_user_and_password_and_ignores_them),
		cmocka_unit_test(prefers_no_authentication),
		cmocka_unit_test(reads_an_ipv6_address),
		cmocka_unit_test(reads_socks4_and_4a),
		cmocka_unit_test(refuses_wrong_requests),
		cmocka_unit_test(refuses_wrong_socks4),
		cmocka_unit_test(refuses_unknown_methods),
		cmocka_unit_test(answers_in_the_words_of_each_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
