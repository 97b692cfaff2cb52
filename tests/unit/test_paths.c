/* SPDX-License-Identifier: MIT */
/* test_paths: paths are compared by whole components. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "paths.h"

static void holds_by_components_only(void **state)
{
	(void)state;
	assert_true(path_is_within("/a/b", "/a"));
	assert_true(path_is_within("/a", "/a"));
	assert_true(path_is_within("/a", "/"));
	assert_true(path_is_within("/", "/"));
	assert_false(path_is_within("/ab", "/a"));
	assert_false(path_is_within("/a", "/a/b"));
	assert_true(path_is_below("/a/b", "/a"));
	assert_false(path_is_below("/a", "/a"));
	assert_true(path_is_below("/a", "/"));
	assert_false(path_is_below("/", "/"));
}

static void tells_the_rest(void **state)
{
	(void)state;
	assert_string_equal(path_rest("/a/b/c", "/a"), "/b/c");
	assert_string_equal(path_rest("/a", "/a"), "");
	assert_string_equal(path_rest("/a", "/"), "/a");
	assert_string_equal(path_rest("/", "/"), "");
}

static int compare(const void *a, const void *b)
{
	const char *const *left = a;
	const char *const *right = b;

	return path_compare(*left, *right);
}

static void sorts_a_folder_before_what_is_in_it(void **state)
{
	const char *paths[] = {"/a-b", "/a/b", "/b",     "/a",
			       "/",    "/a.c", "/a/b/c", "/a\xff"};
	static const char *const sorted[] = {"/",    "/a",   "/a/b",   "/a/b/c",
					     "/a-b", "/a.c", "/a\xff", "/b"};

	(void)state;
	qsort(paths, 8, sizeof(paths[0]), compare);
	for (size_t i = 0; i < 8; i++)
		assert_string_equal(paths[i], sorted[i]);
}

static void joins_and_takes_apart(void **state)
{
	struct arena arena = {NULL};

	(void)state;
	assert_string_equal(path_join(&arena, "/a", "b"), "/a/b");
	assert_string_equal(path_join(&arena, "/a", "/b"), "/a/b");
	assert_string_equal(path_join(&arena, "/a", ""), "/a");
	assert_string_equal(path_join(&arena, "/", "b"), "/b");
	assert_string_equal(path_join(&arena, "/", ""), "/");
	assert_string_equal(path_parent(&arena, "/a/b"), "/a");
	assert_string_equal(path_parent(&arena, "/a"), "/");
	assert_string_equal(path_parent(&arena, "/"), "/");
	assert_string_equal(path_base("/a/b"), "b");
	assert_string_equal(path_base("/"), "");
	arena_clear(&arena);
}

static void cleans(void **state)
{
	static const char *const rows[][2] = {
		{"/a//b/./c/", "/a/b/c"},
		{"/a/../b",    "/b"    },
		{"/..",        "/"     },
		{"/",          "/"     },
		{"//",         "/"     },
		{"/a/b/../..", "/"     },
		{"/a/..b",     "/a/..b"},
		{"/...",       "/..."  },
	};
	struct arena arena = {NULL};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_string_equal(path_clean(&arena, rows[i][0]), rows[i][1]);
	arena_clear(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_by_components_only),
		cmocka_unit_test(tells_the_rest),
		cmocka_unit_test(sorts_a_folder_before_what_is_in_it),
		cmocka_unit_test(joins_and_takes_apart),
		cmocka_unit_test(cleans),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
