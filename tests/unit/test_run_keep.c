/* SPDX-License-Identifier: MIT */
/* test_run_keep: old records go, new ones and other files stay. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "run_keep.h"

#define DAY_MS UINT64_C(86400000)

static char folder[] = "/tmp/exeat-test-keep-XXXXXX";
static int folder_fd = -1;

static int start(void **state)
{
	(void)state;
	memcpy(folder + sizeof(folder) - 7, "XXXXXX", 6);
	if (mkdtemp(folder) == NULL)
		return -1;
	folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return folder_fd < 0;
}

static const char *const names[] = {
	"a.jsonl", "b.jsonl", "c.jsonl", "own.jsonl", "notes.txt", "x", "x.1"};

static int stop(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		(void)unlinkat(folder_fd, names[i], 0);
	(void)close(folder_fd);
	return rmdir(folder);
}

/* Return: its descriptor, as a run has it. */
static int make(const char *name, size_t bytes, time_t days_ago)
{
	const struct timespec when = {.tv_sec = time(NULL) - days_ago * 86400};
	const struct timespec times[2] = {when, when};
	int fd = openat(folder_fd, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
	assert_int_equal(futimens(fd, times), 0);
	return fd;
}

static void make_closed(const char *name, size_t bytes, time_t days_ago)
{
	(void)close(make(name, bytes, days_ago));
}

static bool is_there(const char *name)
{
	return faccessat(folder_fd, name, F_OK, 0) == 0;
}

static void removes_what_is_older_than_it_should_be(void **state)
{
	(void)state;
	make_closed("a.jsonl", 1, 31);
	make_closed("b.jsonl", 1, 29);
	make_closed("own.jsonl", 1, 400);
	make_closed("notes.txt", 1, 400);
	run_keep_folder(folder, "own.jsonl", 30 * DAY_MS, 0);
	assert_false(is_there("a.jsonl"));
	assert_true(is_there("b.jsonl"));
	assert_true(is_there("own.jsonl"));
	assert_true(is_there("notes.txt"));
}

static void removes_the_oldest_of_what_is_too_large(void **state)
{
	(void)state;
	make_closed("b.jsonl", 400, 3);
	make_closed("a.jsonl", 400, 2);
	make_closed("c.jsonl", 400, 1);
	run_keep_folder(folder, NULL, 0, 1000);
	assert_false(is_there("b.jsonl"));
	assert_true(is_there("a.jsonl"));
	assert_true(is_there("c.jsonl"));
}

static void keeps_what_a_run_still_writes_to(void **state)
{
	(void)state;
	int fd = make("a.jsonl", 10, 99);
	run_keep_lock(fd);
	run_keep_folder(folder, NULL, DAY_MS, 0);
	assert_true(is_there("a.jsonl"));
	(void)close(fd);
	run_keep_folder(folder, NULL, DAY_MS, 0);
	assert_false(is_there("a.jsonl"));
}

static void does_not_follow_links(void **state)
{
	(void)state;
	make_closed("notes.txt", 10, 99);
	assert_int_equal(symlinkat("notes.txt", folder_fd, "a.jsonl"), 0);
	run_keep_folder(folder, NULL, DAY_MS, 1);
	assert_true(is_there("notes.txt"));
	assert_true(is_there("a.jsonl"));
}

static void turns_a_named_file_over_when_it_is_too_large(void **state)
{
	char path[sizeof(folder) + 2];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/x", folder);
	make_closed("x", 100, 0);
	run_keep_file(path, 100);
	assert_true(is_there("x"));
	run_keep_file(path, 99);
	assert_false(is_there("x"));
	assert_true(is_there("x.1"));
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, start, stop)
	const struct CMUnitTest tests[] = {
		CASE(removes_what_is_older_than_it_should_be),
		CASE(removes_the_oldest_of_what_is_too_large),
		CASE(keeps_what_a_run_still_writes_to),
		CASE(does_not_follow_links),
		CASE(turns_a_named_file_over_when_it_is_too_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
