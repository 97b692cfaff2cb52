/* SPDX-License-Identifier: MIT */
/* Answers are kept for as long as they are good, and not more than fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "resolver_cache.h"

static struct hostname named(const char *text)
{
	struct hostname host;

	assert_int_equal(hostname_parse(text, strlen(text), &host),
			 HOSTNAME_OK);
	return host;
}

static void put(struct resolver_cache *cache, int64_t now, const char *name,
		uint8_t last, uint32_t ttl_s)
{
	const struct netaddr addr = {
		.family = AF_INET, .bytes = {192, 0, 2, last}
        };
	const struct hostname host = named(name);

	resolver_cache_put(cache, now, &host,
			   &(struct resolver_cache_answer){
				   .addrs = &addr,
				   .count = last > 0,
				   .ttl_s = ttl_s,
			   });
}

/* Return: -1 nothing known, 0 known to have none, else the last byte. */
static int find(struct resolver_cache *cache, int64_t now, const char *name)
{
	struct netaddr addrs[32];
	const struct hostname host = named(name);
	size_t count = 0;

	if (!resolver_cache_find(cache, now, &host, addrs, &count))
		return -1;
	return count == 0 ? 0 : addrs[0].bytes[3];
}

static void keeps_an_answer_for_its_ttl(void **state)
{
	struct resolver_cache cache;

	(void)state;
	resolver_cache_init(&cache);
	assert_int_equal(find(&cache, 0, "a.test"), -1);
	put(&cache, 1000, "a.test", 7, 60);
	assert_int_equal(find(&cache, 1000, "a.test"), 7);
	assert_int_equal(find(&cache, 60999, "a.test"), 7);
	assert_int_equal(find(&cache, 61000, "a.test"), -1);
	assert_int_equal(cache.count, 0);
	resolver_cache_clear(&cache);
}

static void a_newer_answer_takes_its_place(void **state)
{
	struct resolver_cache cache;

	(void)state;
	resolver_cache_init(&cache);
	put(&cache, 0, "a.test", 7, 60);
	put(&cache, 0, "a.test", 8, 60);
	assert_int_equal(find(&cache, 1, "a.test"), 8);
	put(&cache, 2, "a.test", 9, 0); /* ttl 0: for this one time only */
	assert_int_equal(find(&cache, 3, "a.test"), -1);
	resolver_cache_clear(&cache);
}

static void remembers_that_there_is_none(void **state)
{
	struct resolver_cache cache;

	(void)state;
	resolver_cache_init(&cache);
	put(&cache, 0, "no.test", 0, 0);
	assert_int_equal(
		find(&cache, RESOLVER_CACHE_NEGATIVE_MS - 1, "no.test"), 0);
	assert_int_equal(find(&cache, RESOLVER_CACHE_NEGATIVE_MS, "no.test"),
			 -1);
	resolver_cache_clear(&cache);
}

static void a_long_ttl_is_cut(void **state)
{
	struct resolver_cache cache;

	(void)state;
	resolver_cache_init(&cache);
	put(&cache, 0, "a.test", 7, UINT32_MAX);
	assert_int_equal(find(&cache,
			      RESOLVER_CACHE_TTL_MAX_S * INT64_C(1000) - 1,
			      "a.test"),
			 7);
	assert_int_equal(find(&cache, RESOLVER_CACHE_TTL_MAX_S * INT64_C(1000),
			      "a.test"),
			 -1);
	resolver_cache_clear(&cache);
}

static void the_oldest_goes_when_it_is_full(void **state)
{
	struct resolver_cache cache;
	char name[32];

	(void)state;
	resolver_cache_init(&cache);
	for (int i = 0; i <= RESOLVER_CACHE_MAX; i++) {
		(void)snprintf(name, sizeof(name), "h%d.test", i);
		put(&cache, i, name, 7, 3600);
	}
	assert_int_equal(cache.count, RESOLVER_CACHE_MAX);
	assert_int_equal(find(&cache, 2000, "h0.test"), -1);
	assert_int_equal(find(&cache, 2000, "h1.test"), 7);
	assert_int_equal(find(&cache, 2000, name), 7);
	resolver_cache_clear(&cache);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_an_answer_for_its_ttl),
		cmocka_unit_test(a_newer_answer_takes_its_place),
		cmocka_unit_test(remembers_that_there_is_none),
		cmocka_unit_test(a_long_ttl_is_cut),
		cmocka_unit_test(the_oldest_goes_when_it_is_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
