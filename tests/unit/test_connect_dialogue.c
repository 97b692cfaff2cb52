/* SPDX-License-Identifier: MIT */
/* test_connect_dialogue: what a proxy is asked, and what its answers mean. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "connect_dialogue.h"

struct talk {
	struct proxy_url url;
	struct connect_dialogue d;
	char buf[CONNECT_SAY_MAX_BYTES];
	struct text say;
	size_t used;
};

static void begin(struct talk *talk, const char *url, const char *host)
{
	assert_null(proxy_url_parse(url, strlen(url), &talk->url));
	talk->d = (struct connect_dialogue){
		.proxy = &talk->url, .host = host, .port = 22};
	text_init(&talk->say, talk->buf, sizeof(talk->buf));
	connect_dialogue_start(&talk->d, &talk->say);
}

static enum connect_result hear(struct talk *talk, const char *data, size_t len)
{
	talk->used = 0;
	return connect_dialogue_hear(&talk->d, data, len, &talk->used,
				     &talk->say);
}

#define HEAR(talk, s) hear(talk, s, sizeof(s) - 1)

static void asks_an_http_proxy_for_the_authority(void **state)
{
	struct talk talk;

	(void)state;
	begin(&talk, "http://127.0.0.1:1", "git.test");
	assert_string_equal(talk.buf, "CONNECT git.test:22 HTTP/1.1\r\n"
				      "Host: git.test:22\r\n\r\n");
	begin(&talk, "http://u:p@127.0.0.1:1", "2001:db8::1");
	assert_string_equal(talk.buf,
			    "CONNECT [2001:db8::1]:22 HTTP/1.1\r\n"
			    "Host: [2001:db8::1]:22\r\n"
			    "Proxy-Authorization: Basic dTpw\r\n\r\n");
}

static void leaves_the_origins_bytes(void **state)
{
	struct talk talk;

	(void)state;
	begin(&talk, "http://127.0.0.1:1", "git.test");
	assert_int_equal(HEAR(&talk, "HTTP/1.1 200 OK\r\nA: b\r\n\r"),
			 CONNECT_MORE);
	assert_int_equal(HEAR(&talk, "HTTP/1.1 200 OK\r\nA: b\r\n\r\nSSH-2.0"),
			 CONNECT_OPEN);
	assert_int_equal(talk.used, strlen("HTTP/1.1 200 OK\r\nA: b\r\n\r\n"));
	assert_int_equal(HEAR(&talk, "HTTP/1.1 103 Early\r\n\r\n"),
			 CONNECT_MORE);
	assert_int_equal(HEAR(&talk, "HTTP/1.1 103 Early\r\n\r\n"
				     "HTTP/1.0 299\r\n\r\n"),
			 CONNECT_OPEN);
}

static void shows_why_a_proxy_refused(void **state)
{
	struct talk talk;

	(void)state;
	begin(&talk, "http://127.0.0.1:1", "git.test");
	assert_int_equal(HEAR(&talk, "HTTP/1.1 403 exeat: git.test:22 is not "
				     "allowed\r\nA: b\r\n\r\nbody"),
			 CONNECT_REFUSED);
	assert_string_equal(talk.buf, "the proxy says: 403 exeat: git.test:22 "
				      "is not allowed");
	assert_int_equal(HEAR(&talk, "HTTP/1.1 407 \x1b[2J\x07\r\n\r\n"),
			 CONNECT_REFUSED);
	assert_string_equal(talk.buf, "the proxy says: 407 \\x1b[2J\\x07");
	assert_int_equal(HEAR(&talk, "HTTP/1.1 101 Up\r\n\r\n"),
			 CONNECT_REFUSED);
}

static void takes_nothing_else_for_an_answer(void **state)
{
	static const char *const rows[] = {
		"SSH-2.0-x\r\n\r\n",     "HTTP/1.1 2000 OK\r\n\r\n",
		"HTTP/2 200\r\n\r\n",    "HTTP/1.1 20 OK\r\n\r\n",
		"HTTP/1.1  200\r\n\r\n", "\r\n\r\n",
	};
	struct talk talk;

	(void)state;
	begin(&talk, "http://127.0.0.1:1", "git.test");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (hear(&talk, rows[i], strlen(rows[i])) != CONNECT_BAD)
			fail_msg("taken: %s", rows[i]);
	static char endless[CONNECT_ANSWER_MAX_BYTES];
	memset(endless, 'a', sizeof(endless));
	assert_int_equal(hear(&talk, endless, sizeof(endless) - 1),
			 CONNECT_MORE);
	assert_int_equal(hear(&talk, endless, sizeof(endless)), CONNECT_BAD);
}

static void speaks_socks5_with_names(void **state)
{
	struct talk talk;

	(void)state;
	begin(&talk, "socks5h://127.0.0.1:1", "git.test");
	assert_int_equal(talk.say.len, 3);
	assert_memory_equal(talk.buf, "\5\1\0", 3);
	assert_int_equal(HEAR(&talk, "\5"), CONNECT_MORE);
	assert_int_equal(HEAR(&talk, "\5\0"), CONNECT_SAY);
	assert_int_equal(talk.used, 2);
	assert_int_equal(talk.say.len, 15);
	assert_memory_equal(talk.buf, "\5\1\0\3\10git.test\0\26", 15);
	assert_int_equal(HEAR(&talk, "\5\0\0\1\1\2\3\4\0"), CONNECT_MORE);
	assert_int_equal(HEAR(&talk, "\5\0\0\1\1\2\3\4\0\1SSH"), CONNECT_OPEN);
	assert_int_equal(talk.used, 10);
}

static void speaks_socks5_with_addresses_and_users(void **state)
{
	struct talk talk;

	(void)state;
	begin(&talk, "socks5h://u:pw@127.0.0.1:1", "192.0.2.1");
	assert_memory_equal(talk.buf, "\5\2\0\2", 4);
	assert_int_equal(HEAR(&talk, "\5\2"), CONNECT_SAY);
	assert_int_equal(talk.say.len, 6);
	assert_memory_equal(talk.buf, "\1\1u\2pw", 6);
	assert_int_equal(HEAR(&talk, "\1\1"), CONNECT_REFUSED);
	assert_int_equal(HEAR(&talk, "\1\0"), CONNECT_SAY);
	assert_memory_equal(talk.buf, "\5\1\0\1\xc0\0\2\1\0\26", 10);
	assert_int_equal(HEAR(&talk, "\5\2\0\1\0\0\0\0\0\0"), CONNECT_REFUSED);
	assert_string_equal(talk.buf, "the proxy's policy does not allow it");
	assert_int_equal(HEAR(&talk, "\5\0\0\3\2ab\0\1"), CONNECT_OPEN);
	assert_int_equal(HEAR(&talk, "\5\0\0\7\2ab\0\1"), CONNECT_BAD);
	assert_int_equal(HEAR(&talk, "HTTP/1.1 400 Bad\r\n\r\n"), CONNECT_BAD);
}

static void gives_no_password_that_it_does_not_have(void **state)
{
	struct talk talk;

	(void)state;
	begin(&talk, "socks5h://127.0.0.1:1", "git.test");
	assert_int_equal(HEAR(&talk, "\5\2"), CONNECT_REFUSED);
	assert_int_equal(HEAR(&talk, "\5\xff"), CONNECT_REFUSED);
	assert_int_equal(HEAR(&talk, "\4\0"), CONNECT_BAD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(asks_an_http_proxy_for_the_authority),
		cmocka_unit_test(leaves_the_origins_bytes),
		cmocka_unit_test(shows_why_a_proxy_refused),
		cmocka_unit_test(takes_nothing_else_for_an_answer),
		cmocka_unit_test(speaks_socks5_with_names),
		cmocka_unit_test(speaks_socks5_with_addresses_and_users),
		cmocka_unit_test(gives_no_password_that_it_does_not_have),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
