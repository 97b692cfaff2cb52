/* SPDX-License-Identifier: MIT */
/* test_authority: host ":" port, and everything that only looks like it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "authority.h"

static const struct {
	const char *text;
	const char *canonical;
} good[] = {
	{"allowed.test:443",            "allowed.test:443"           },
	{"ALLOWED.Test.:8443",          "allowed.test:8443"          },
	{"_x.allowed.test:1",           "_x.allowed.test:1"          },
	{"xn--bcher-kva.example:65535", "xn--bcher-kva.example:65535"},
	{"127.0.0.1:80",                "127.0.0.1:80"               },
	{"[::1]:443",                   "[::1]:443"                  },
	{"[2001:DB8:0::1]:22",          "[2001:db8::1]:22"           },
	{"[::ffff:127.0.0.1]:443",      "[::ffff:127.0.0.1]:443"     },
};

static void reads_names_and_literals(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		char text[AUTHORITY_TEXT_BYTES];
		struct authority a;

		assert_null(authority_parse(good[i].text, strlen(good[i].text),
					    0, &a));
		size_t len = authority_text(&a, text);
		assert_int_equal(len, strlen(text));
		assert_string_equal(text, good[i].canonical);
	}
}

static const char *const bad[] = {
	"",
	":",
	":443",
	"allowed.test",
	"allowed.test:",
	"allowed.test:0",
	"allowed.test:65536",
	"allowed.test:65979",
	"allowed.test:4294967739",
	"allowed.test:+443",
	"allowed.test:-1",
	"allowed.test:0443",
	"allowed.test:0x1bb",
	"allowed.test:443 ",
	"allowed.test: 443",
	"allowed.test :443",
	"allowed.test\t:443",
	"allowed.test:443/",
	"allowed.test:443:443",
	"https://allowed.test:443",
	"http://allowed.test",
	"allowed.test/:443",
	"denied.test@allowed.test:443",
	"allowed.test:443@denied.test:443",
	"allowed.test%2e:443",
	"denied.test#.allowed.test:443",
	"denied.test?.allowed.test:443",
	"denied.test\\.allowed.test:443",
	"allowed..test:443",
	".allowed.test:443",
	"allowed.test..:443",
	".:443",
	"-allowed.test:443",
	"*.allowed.test:443",
	"all\xc3\xb6wed.test:443",
	"allowed\xe3\x80\x82test:443",
	"::1:443",
	"[::1]",
	"[::1]443",
	"[::1:443",
	"[]:443",
	"[allowed.test]:443",
	"[127.0.0.2]:443",
	"[fe80::1%eth0]:443",
	"[fe80::1%25eth0]:443",
	"[[::1]]:443",
	"[::1]x:443",
	"127.0.0.9.:443",
	"127.1:443",
	"0177.0.0.1:443",
	"0x7f.0.0.1:443",
	"0x7f000001:443",
	"2130706433:443",
	"127.0.0.010:443",
	"1.2.3:443",
	"1.2.3.4.5:443",
	"999.0.0.1:443",
	"allowed.0x1:443",
};

static void refuses_what_only_looks_like_one(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct authority a = {.port = 7};

		if (authority_parse(bad[i], strlen(bad[i]), 0, &a) == NULL)
			fail_msg("taken: %s", bad[i]);
		assert_int_equal(a.port, 7);
	}
}

static void refuses_every_byte_that_no_name_has(void **state)
{
	(void)state;
	for (int c = 0; c < 256; c++) {
		char text[] = "ab.test:443";
		struct authority a;
		bool is_name = c == '-' || c == '_' || c == '.' ||
			       (c >= '0' && c <= '9') ||
			       (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');

		text[1] = (char)c;
		bool taken =
			authority_parse(text, sizeof(text) - 1, 0, &a) == NULL;
		/* "a-.test" and "a..test" are wrong as labels */
		assert_int_equal(taken, is_name && c != '-' && c != '.');
	}
}

static void bounds_names_and_labels(void **state)
{
	char text[400];
	struct authority a;

	(void)state;
	for (size_t len = 1; len <= 300; len++) {
		for (size_t i = 0; i < len; i++)
			text[i] = i % 50 == 49 ? '.' : 'a';
		text[len - 1] = 'a';
		memcpy(text + len, ":443", 4);
		const char *why = authority_parse(text, len + 4, 0, &a);
		assert_int_equal(why == NULL, len <= 253);
	}
	memset(text, 'a', 64);
	memcpy(text + 63, ".t:1", 4);
	assert_null(authority_parse(text, 67, 0, &a));
	memcpy(text + 63, "a.t:1", 5);
	assert_non_null(authority_parse(text, 68, 0, &a));
}

static void takes_the_default_port_where_there_is_one(void **state)
{
	struct authority a;

	(void)state;
	assert_null(authority_parse("allowed.test", 12, 80, &a));
	assert_int_equal(a.port, 80);
	assert_null(authority_parse("[::1]", 5, 80, &a));
	assert_int_equal(a.port, 80);
	assert_int_equal(a.kind, AUTHORITY_ADDRESS);
	assert_null(authority_parse("allowed.test:81", 15, 80, &a));
	assert_int_equal(a.port, 81);
	assert_non_null(authority_parse("allowed.test:", 13, 80, &a));
	assert_non_null(authority_parse("", 0, 80, &a));
}

static void writes_the_host_alone(void **state)
{
	char text[HOSTNAME_MAX_BYTES + 1];
	struct authority a;

	(void)state;
	assert_null(authority_parse("[2001:db8::1]:443", 17, 0, &a));
	assert_int_equal(authority_host_text(&a, text), 11);
	assert_string_equal(text, "2001:db8::1");
	assert_null(authority_parse("A.test.:443", 11, 0, &a));
	assert_int_equal(authority_host_text(&a, text), 6);
	assert_string_equal(text, "a.test");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_names_and_literals),
		cmocka_unit_test(refuses_what_only_looks_like_one),
		cmocka_unit_test(refuses_every_byte_that_no_name_has),
		cmocka_unit_test(bounds_names_and_labels),
		cmocka_unit_test(takes_the_default_port_where_there_is_one),
		cmocka_unit_test(writes_the_host_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
