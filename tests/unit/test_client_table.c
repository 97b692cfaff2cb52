/* SPDX-License-Identifier: MIT */
/* test_client_table: connections are counted by client, and forgotten. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client_table.h"

static struct client_id id_of(const char *text)
{
	struct netaddr addr = {.family = 0};

	assert_true(netaddr_parse(text, strlen(text), &addr));
	return client_id_of_address(&addr);
}

static struct client_entry *add(struct client_table *table,
				const struct client_id *id)
{
	struct client_entry *entry = client_table_add(table, id);

	assert_non_null(entry);
	return entry;
}

static void counts_by_address_and_by_network(void **state)
{
	static const struct {
		const char *a, *b;
		bool is_same;
	} rows[] = {
		{"192.0.2.1",   "192.0.2.1",        true },
		{"192.0.2.1",   "192.0.2.2",        false},
		{"192.0.2.1",   "::ffff:192.0.2.1", true },
		{"2001:db8::1", "2001:db8::ffff:1", true },
		{"2001:db8::1", "2001:db8:0:1::1",  false},
		{"32.1.13.184", "2001:db8::",       false},
	};
	struct client_table table = {.buckets = {NULL}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct client_id a = id_of(rows[i].a);
		struct client_id b = id_of(rows[i].b);
		struct client_entry *one = add(&table, &a);
		struct client_entry *two = add(&table, &b);

		if ((one == two) != rows[i].is_same)
			fail_msg("%s %s", rows[i].a, rows[i].b);
		assert_int_equal(one->count, rows[i].is_same ? 2 : 1);
		client_table_drop(&table, one);
		client_table_drop(&table, two);
	}
	client_table_drop(&table, NULL);
}

static void tells_users_from_addresses(void **state)
{
	struct client_table table = {.buckets = {NULL}};
	struct client_id root = client_id_of_user(0);
	struct client_id zero = id_of("0.0.0.0");
	struct client_entry *user = add(&table, &root);

	(void)state;
	assert_ptr_equal(add(&table, &root), user);
	struct client_entry *other = add(&table, &zero);
	assert_ptr_not_equal(user, other);
	client_table_drop(&table, other);
	client_table_drop(&table, user);
	client_table_drop(&table, user);
}

static void keeps_nothing_of_those_that_are_gone(void **state)
{
	enum {
		COUNT = 2000
	};
	static struct client_entry *entries[COUNT];
	struct client_table table = {.buckets = {NULL}};

	(void)state;
	for (uint32_t i = 0; i < COUNT; i++) {
		struct client_id id = client_id_of_user(i);

		entries[i] = add(&table, &id);
		assert_int_equal(entries[i]->count, 1);
	}
	/* In another order than they came. */
	for (size_t i = 0; i < COUNT; i++)
		client_table_drop(&table, entries[i * 7 % COUNT]);
	for (size_t i = 0; i < CLIENT_TABLE_BUCKETS; i++)
		assert_null(table.buckets[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_by_address_and_by_network),
		cmocka_unit_test(tells_users_from_addresses),
		cmocka_unit_test(keeps_nothing_of_those_that_are_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
