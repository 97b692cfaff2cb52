/* SPDX-License-Identifier: MIT */
/* Refused destinations, each once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "deny_table.h"

static void counts_each_destination_once(void **state)
{
	struct deny_table table = {0};

	(void)state;
	deny_table_add(&table, "a.test:443", "--allow a.test");
	deny_table_add(&table, "b.test:443", "");
	deny_table_add(&table, "a.test:443", "--allow a.test");
	assert_int_equal(table.count, 2);
	assert_string_equal(table.entries[0].destination, "a.test:443");
	assert_string_equal(table.entries[0].flag, "--allow a.test");
	assert_int_equal(table.entries[0].count, 2);
	assert_int_equal(table.entries[1].count, 1);
	assert_int_equal(table.others, 0);
	deny_table_clear(&table);
	assert_int_equal(table.count, 0);
	assert_null(table.entries);
}

static void keeps_64_and_counts_the_others(void **state)
{
	struct deny_table table = {0};
	char name[32];

	(void)state;
	for (int i = 0; i < 100; i++) {
		(void)snprintf(name, sizeof(name), "h%d.test:443", i);
		deny_table_add(&table, name, "");
	}
	deny_table_add(&table, "h3.test:443", "");
	assert_int_equal(table.count, DENY_TABLE_MAX);
	assert_int_equal(table.others, 100 - DENY_TABLE_MAX);
	assert_int_equal(table.entries[3].count, 2);
	deny_table_clear(&table);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_each_destination_once),
		cmocka_unit_test(keeps_64_and_counts_the_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
