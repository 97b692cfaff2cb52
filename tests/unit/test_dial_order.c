/* SPDX-License-Identifier: MIT */
/* The order in which addresses are dialled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "dial_order.h"

/* Order @given (texts, NULL-ended) and compare with @want. */
static void check(const char *const *given, const char *const *want)
{
	struct netaddr addrs[DIAL_ORDER_MAX];
	size_t count = 0;

	for (; given[count] != NULL; count++)
		assert_true(netaddr_parse(given[count], strlen(given[count]),
					  &addrs[count]));
	count = dial_order_interleave(addrs, count);
	for (size_t i = 0; i < count; i++) {
		char text[NETADDR_TEXT_BYTES];

		netaddr_format(&addrs[i], text);
		assert_non_null(want[i]);
		assert_string_equal(text, want[i]);
	}
	assert_null(want[count]);
}

#define LIST(...)                 \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

static void families_take_turns_ipv6_first(void **state)
{
	(void)state;
	check(LIST("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2"),
	      LIST("2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.2"));
}

static void the_longer_family_comes_last(void **state)
{
	(void)state;
	check(LIST("192.0.2.1", "192.0.2.2", "192.0.2.3", "2001:db8::1"),
	      LIST("2001:db8::1", "192.0.2.1", "192.0.2.2", "192.0.2.3"));
	check(LIST("2001:db8::1", "2001:db8::2", "192.0.2.1"),
	      LIST("2001:db8::1", "192.0.2.1", "2001:db8::2"));
}

static void order_within_a_family_stays(void **state)
{
	(void)state;
	check(LIST("192.0.2.9", "192.0.2.1", "192.0.2.5"),
	      LIST("192.0.2.9", "192.0.2.1", "192.0.2.5"));
}

static void nothing_is_dialled_twice(void **state)
{
	(void)state;
	check(LIST("192.0.2.1", "2001:db8::1", "192.0.2.1", "2001:db8::1"),
	      LIST("2001:db8::1", "192.0.2.1"));
}

static void a_full_list_of_one_family_fits(void **state)
{
	struct netaddr addrs[DIAL_ORDER_MAX];

	(void)state;
	for (size_t i = 0; i < DIAL_ORDER_MAX; i++)
		addrs[i] = (struct netaddr){
			.family = AF_INET, .bytes = {192, 0, 2, (uint8_t)i}
                };
	assert_int_equal(dial_order_interleave(addrs, DIAL_ORDER_MAX),
			 DIAL_ORDER_MAX);
	assert_int_equal(addrs[DIAL_ORDER_MAX - 1].bytes[3],
			 DIAL_ORDER_MAX - 1);
	assert_int_equal(dial_order_interleave(addrs, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(families_take_turns_ipv6_first),
		cmocka_unit_test(the_longer_family_comes_last),
		cmocka_unit_test(order_within_a_family_stays),
		cmocka_unit_test(nothing_is_dialled_twice),
		cmocka_unit_test(a_full_list_of_one_family_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
