/* SPDX-License-Identifier: MIT */
/* test_doctor_cache: answers that are kept, and when they are not used. */
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "doctor_cache.h"
#include "runtime_dir.h"

#define NOW 1800000000

static char folder[] = "/tmp/test_doctor_cache.XXXXXX";

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static int set_up(void **state)
{
	(void)state;
	memcpy(folder + sizeof(folder) - 7, "XXXXXX", 6);
	return mkdtemp(folder) == NULL ||
			       setenv("XDG_RUNTIME_DIR", folder, 1) != 0
		       ? -1
		       : 0;
}

static int tear_down(void **state)
{
	(void)state;
	return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void keep(struct probe_result results[static 2])
{
	memset(results, 0, 2 * sizeof(results[0]));
	probe_found(&results[0], "first");
	probe_say(&results[1], PROBE_BROKEN, "means", "mend");
	doctor_cache_put(PROBE_FOR_BWRAP, NOW, results, 2);
}

static bool get(time_t now)
{
	struct probe_result results[2];

	return doctor_cache_get(PROBE_FOR_BWRAP, now, results, 2);
}

static void what_was_kept_comes_back(void **state)
{
	struct probe_result before[2], after[2];

	(void)state;
	keep(before);
	assert_true(doctor_cache_get(PROBE_FOR_BWRAP, NOW + 20, after, 2));
	assert_memory_equal(before, after, sizeof(before));
	keep(before);
	assert_true(get(NOW));
}

static void is_not_used_when_old_or_from_the_future(void **state)
{
	struct probe_result results[2];

	(void)state;
	keep(results);
	assert_false(get(NOW + 21));
	assert_false(get(NOW - 1));
}

static void each_back_end_stands_for_itself(void **state)
{
	struct probe_result results[2];

	(void)state;
	keep(results);
	assert_false(doctor_cache_get(PROBE_FOR_DOCKER, NOW, results, 2));
}

static void another_path_is_another_machine(void **state)
{
	struct probe_result results[2];
	char *path = strdup(getenv("PATH"));

	(void)state;
	assert_non_null(path);
	keep(results);
	assert_int_equal(setenv("PATH", "/elsewhere", 1), 0);
	assert_false(get(NOW));
	assert_int_equal(setenv("PATH", path, 1), 0);
	assert_true(get(NOW));
	free(path);
}

static void cut_or_changed_files_are_not_used(void **state)
{
	struct probe_result results[2];
	char path[PATH_MAX];
	struct stat st;

	(void)state;
	keep(results);
	assert_int_equal(runtime_dir_path("doctor-bwrap", path), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(truncate(path, st.st_size - 1), 0);
	assert_false(get(NOW));
	keep(results);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	uint32_t wild = 77;
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, &wild, 4, 40), 4);
	(void)close(fd);
	assert_false(get(NOW));
}

static void link_in_its_place_is_not_followed(void **state)
{
	struct probe_result results[2];
	char path[PATH_MAX], other[PATH_MAX];

	(void)state;
	keep(results);
	assert_int_equal(runtime_dir_path("doctor-bwrap", path), 0);
	assert_int_equal(runtime_dir_path("other", other), 0);
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(symlink(other, path), 0);
	assert_false(get(NOW));
}

static void folder_that_others_can_write_to_is_not_used(void **state)
{
	char path[PATH_MAX];

	(void)state;
	assert_int_equal(setenv("XDG_STATE_HOME", "/state", 1), 0);
	assert_int_equal(chmod(folder, 0777), 0);
	assert_int_equal(runtime_dir_path("x", path), 0);
	assert_string_equal(path, "/state/exeat/live/x");
	assert_int_equal(chmod(folder, 0700), 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(what_was_kept_comes_back),
		CASE(is_not_used_when_old_or_from_the_future),
		CASE(each_back_end_stands_for_itself),
		CASE(another_path_is_another_machine),
		CASE(cut_or_changed_files_are_not_used),
		CASE(link_in_its_place_is_not_followed),
		CASE(folder_that_others_can_write_to_is_not_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
