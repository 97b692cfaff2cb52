/* SPDX-License-Identifier: MIT */
/* What a hosts file says of a name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hosts_file.h"

static struct netaddr found[4];

static size_t find(const char *text, const char *name)
{
	struct hostname host;

	assert_int_equal(hostname_parse(name, strlen(name), &host),
			 HOSTNAME_OK);
	return hosts_file_find(text, strlen(text), &host, found, 4);
}

static void assert_address(size_t at, const char *want)
{
	char text[NETADDR_TEXT_BYTES];

	netaddr_format(&found[at], text);
	assert_string_equal(text, want);
}

static void finds_names_and_aliases(void **state)
{
	static const char text[] = "127.0.0.1 localhost\n"
				   "192.0.2.1\tdb.test  db\n"
				   "  2001:db8::1 DB.test. # and more\r\n"
				   "192.0.2.2 other.test";

	(void)state;
	assert_int_equal(find(text, "db.test"), 2);
	assert_address(0, "192.0.2.1");
	assert_address(1, "2001:db8::1");
	assert_int_equal(find(text, "db"), 1);
	assert_int_equal(find(text, "other.test"), 1);
	assert_address(0, "192.0.2.2");
	assert_int_equal(find(text, "more"), 0);
	assert_int_equal(find(text, "test"), 0);
}

static void comments_end_a_line(void **state)
{
	(void)state;
	assert_int_equal(find("# 192.0.2.1 a.test\n", "a.test"), 0);
	assert_int_equal(find("192.0.2.1 b.test#a.test\n", "a.test"), 0);
	assert_int_equal(find("192.0.2.1 b.test#a.test\n", "b.test"), 1);
	assert_int_equal(find("192.0.2.1#x a.test\n", "a.test"), 0);
}

static void lines_that_are_not_strict_are_skipped(void **state)
{
	static const char text[] = "127.1 a.test\n"
				   "0177.0.0.1 a.test\n"
				   "fe80::1%lo a.test\n"
				   "a.test 192.0.2.1\n"
				   "192.0.2.9\n"
				   "\n"
				   "192.0.2.7 a_b..test a.test\n";

	(void)state;
	assert_int_equal(find(text, "a.test"), 1);
	assert_address(0, "192.0.2.7");
}

static void the_list_is_bounded_and_may_be_empty(void **state)
{
	(void)state;
	assert_int_equal(find("1.1.1.1 a\n1.1.1.2 a\n1.1.1.3 a\n"
			      "1.1.1.4 a\n1.1.1.5 a\n",
			      "a"),
			 4);
	assert_int_equal(find("", "a"), 0);
	assert_int_equal(
		hosts_file_find(NULL, 0, &(struct hostname){"a", 1}, found, 4),
		0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_names_and_aliases),
		cmocka_unit_test(comments_end_a_line),
		cmocka_unit_test(lines_that_are_not_strict_are_skipped),
		cmocka_unit_test(the_list_is_bounded_and_may_be_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
