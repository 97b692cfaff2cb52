/* SPDX-License-Identifier: MIT */
/* test_tree_walk: every name once, no link followed, limits kept. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tree_walk.h"

static const char *const folders[] = {"a", "a/b", "a/b/c", "shut"};
static const char *const files[] = {"x", "a/y", "a/b/c/z", "shut/w"};

struct seen {
	char names[32][64];
	size_t count;
	size_t closed;
	int answer;
};

static int on_entry(const struct tree_entry *entry, void *arg)
{
	struct seen *seen = arg;

	if (entry->is_closed) {
		seen->closed++;
		return 0;
	}
	assert_true(seen->count < 32);
	(void)snprintf(seen->names[seen->count++], sizeof(seen->names[0]),
		       "%.60s", entry->rest);
	return seen->answer;
}

static bool has(const struct seen *seen, const char *name)
{
	size_t times = 0;

	for (size_t i = 0; i < seen->count; i++)
		times += strcmp(seen->names[i], name) == 0;
	assert_true(times <= 1);
	return times == 1;
}

static int set_up(void **state)
{
	static char root[] = "/tmp/exeat-walk-XXXXXX";

	assert_non_null(mkdtemp(root));
	assert_int_equal(chdir(root), 0);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(mkdir(folders[i], 0700), 0);
	for (size_t i = 0; i < 4; i++) {
		FILE *file = fopen(files[i], "we");
		assert_non_null(file);
		assert_int_equal(fclose(file), 0);
	}
	assert_int_equal(symlink("a", "link"), 0);
	assert_int_equal(symlink("..", "a/up"), 0);
	*state = root;
	return 0;
}

static int tear_down(void **state)
{
	(void)chmod("shut", 0700);
	(void)unlink("link");
	(void)unlink("a/up");
	for (size_t i = 0; i < 4; i++)
		(void)unlink(files[i]);
	for (size_t i = 4; i > 0; i--)
		(void)rmdir(folders[i - 1]);
	return chdir("/") == 0 ? rmdir(*state) : -1;
}

static void sees_every_name_once_and_follows_no_link(void **state)
{
	struct seen seen = {.count = 0};
	const struct tree_walk walk = {
		.names_max = 100, .on_entry = on_entry, .arg = &seen};

	assert_int_equal(tree_walk(*state, &walk), 0);
	for (size_t i = 0; i < 4; i++) {
		assert_true(has(&seen, folders[i]));
		assert_true(has(&seen, files[i]));
	}
	assert_true(has(&seen, "link"));
	assert_true(has(&seen, "a/up"));
	assert_int_equal(seen.count, 10);
}

static void ends_where_it_is_told_to(void **state)
{
	struct seen seen = {.answer = -7};
	struct tree_walk walk = {
		.names_max = 100, .on_entry = on_entry, .arg = &seen};

	assert_int_equal(tree_walk(*state, &walk), -7);
	assert_int_equal(seen.count, 1);
	seen = (struct seen){.answer = 0};
	walk.names_max = 3;
	assert_int_equal(tree_walk(*state, &walk), 1);
	assert_int_equal(seen.count, 3);
}

static void tells_what_it_cannot_open(void **state)
{
	struct seen seen = {.count = 0};
	const struct tree_walk walk = {
		.names_max = 100, .on_entry = on_entry, .arg = &seen};

	assert_int_equal(chmod("shut", 0), 0);
	assert_int_equal(tree_walk(*state, &walk), 0);
	/* Nothing is shut for uid 0. */
	assert_int_equal(seen.closed, geteuid() == 0 ? 0 : 1);
	assert_int_equal(chmod("shut", 0700), 0);
}

static void a_file_holds_nothing(void **state)
{
	struct seen seen = {.count = 0};
	const struct tree_walk walk = {
		.names_max = 100, .on_entry = on_entry, .arg = &seen};

	(void)state;
	assert_int_equal(tree_walk("x", &walk), 0);
	assert_int_equal(tree_walk("none", &walk), 0);
	assert_int_equal(seen.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sees_every_name_once_and_follows_no_link),
		cmocka_unit_test(ends_where_it_is_told_to),
		cmocka_unit_test(tells_what_it_cannot_open),
		cmocka_unit_test(a_file_holds_nothing),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
