/* SPDX-License-Identifier: MIT */
/* Addresses that stand for names: stable, distinct, never reused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "synthetic.h"

static struct hostname name_of(const char *text)
{
	struct hostname name;

	assert_int_equal(hostname_parse(text, strlen(text), &name),
			 HOSTNAME_OK);
	return name;
}

static uint32_t add(struct synthetic *table, const char *text, bool is_new)
{
	struct hostname name = name_of(text);
	bool was_new = !is_new;
	uint32_t number = synthetic_add(table, &name, &was_new);

	assert_true(was_new == is_new);
	return number;
}

static void is_named(const struct synthetic *table, uint32_t number,
		     const char *address, const char *name)
{
	sa_family_t family = strchr(address, ':') != NULL ? AF_INET6 : AF_INET;
	struct netaddr addr = synthetic_address(number, family);
	struct hostname found;
	char text[NETADDR_TEXT_BYTES];

	netaddr_format(&addr, text);
	assert_string_equal(text, address);
	assert_true(synthetic_is(&addr));
	assert_true(synthetic_find(table, &addr, &found));
	assert_string_equal(found.text, name);
	assert_int_equal(found.len, strlen(name));
}

static void a_name_keeps_its_addresses(void **state)
{
	struct synthetic *table = synthetic_new(SYNTHETIC_MAX, 7);

	(void)state;
	uint32_t a = add(table, "a.test", true);
	uint32_t b = add(table, "b.test", true);
	assert_int_equal(add(table, "a.test", false), a);
	is_named(table, a, "198.18.0.1", "a.test");
	is_named(table, b, "198.18.0.2", "b.test");
	is_named(table, a, "fd00:6578:6561:74::1", "a.test");
	is_named(table, b, "fd00:6578:6561:74::2", "b.test");
	synthetic_free(table);
}

static void unknown_addresses_have_no_name(void **state)
{
	static const char *const others[] = {
		"198.18.0.0",
		"198.18.0.2",
		"198.19.0.1",
		"198.20.0.1",
		"198.17.0.1",
		"fd00:6578:6561:74::",
		"192.0.2.1",
		"198.19.255.255",
		"fd00:6578:6561:74::2",
		"::1",
		"fd00:6578:6561:74:1::1",
		"fd00:6578:6561:75::1",
		"fd00:6578:6561:74:0:1:0:1",
	};
	struct synthetic *table = synthetic_new(SYNTHETIC_MAX, 7);
	struct hostname found = {.text = "untouched"};

	(void)state;
	(void)add(table, "a.test", true);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct netaddr addr;

		assert_true(netaddr_parse(others[i], strlen(others[i]), &addr));
		assert_false(synthetic_find(table, &addr, &found));
	}
	assert_string_equal(found.text, "untouched");
	synthetic_free(table);
}

static void only_its_two_blocks_are_synthetic(void **state)
{
	static const struct {
		const char *address;
		bool is_synthetic;
	} cases[] = {
		{"198.18.0.0",           true },
                {"198.19.255.255",       true },
		{"198.17.255.255",       false},
                {"198.20.0.0",           false},
		{"fd00:6578:6561:74::9", true },
                {"fd00:6578:6561:75::9", false},
		{"::ffff:198.18.0.1",    false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct netaddr addr;

		assert_true(netaddr_parse(cases[i].address,
					  strlen(cases[i].address), &addr));
		assert_true(synthetic_is(&addr) == cases[i].is_synthetic);
	}
}

static void full_is_full_and_keeps_what_it_has(void **state)
{
	struct synthetic *table = synthetic_new(2, 7);

	(void)state;
	uint32_t a = add(table, "a.test", true);
	assert_int_not_equal(add(table, "b.test", true), 0);
	assert_int_equal(add(table, "c.test", false), 0);
	assert_int_equal(add(table, "a.test", false), a);
	synthetic_free(table);
}

static void every_number_of_the_block_comes_once(void **state)
{
	struct synthetic *table = synthetic_new(SIZE_MAX, 12345);
	char text[32];

	(void)state;
	for (uint32_t i = 1; i <= SYNTHETIC_MAX; i++) {
		(void)snprintf(text, sizeof(text), "n%u.test", i);
		assert_int_equal(add(table, text, true), i);
	}
	assert_int_equal(add(table, "one.more", false), 0);
	is_named(table, 256, "198.18.1.0", "n256.test");
	is_named(table, 65536, "198.19.0.0", "n65536.test");
	is_named(table, SYNTHETIC_MAX, "198.19.255.254", "n131070.test");
	assert_int_equal(add(table, "n4711.test", false), 4711);
	synthetic_free(table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_keeps_its_addresses),
		cmocka_unit_test(unknown_addresses_have_no_name),
		cmocka_unit_test(only_its_two_blocks_are_synthetic),
		cmocka_unit_test(full_is_full_and_keeps_what_it_has),
		cmocka_unit_test(every_number_of_the_block_comes_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
