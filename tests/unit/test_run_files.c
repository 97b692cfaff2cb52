/* SPDX-License-Identifier: MIT */
/* test_run_files: run ids, and where audit files may be opened. */
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

#include "run_files.h"

static char folder[] = "/tmp/test_run_files.XXXXXX";

static int make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) == NULL ? -1
				       : setenv("XDG_STATE_HOME", folder, 1);
}

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static int remove_folder(void **state)
{
	(void)state;
	return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void names_runs_by_time_and_chance(void **state)
{
	char a[AUDIT_RUN_ID_BYTES], b[AUDIT_RUN_ID_BYTES];

	(void)state;
	assert_int_equal(run_id_make(12, a), 0);
	assert_int_equal(run_id_make(12, b), 0);
	assert_memory_equal(a, "19700101T000000.012Z-", 21);
	assert_int_equal(strlen(a), 29);
	assert_string_not_equal(a, b);
}

static void makes_its_folders_and_a_private_file(void **state)
{
	char path[PATH_MAX], expected[PATH_MAX];
	struct diag diag = {.text = ""};
	struct stat st;

	(void)state;
	int fd = run_audit_open(NULL, "run-1", path, &diag);
	assert_true(fd >= 0);
	(void)snprintf(expected, sizeof(expected), "%s/exeat/runs/run-1.jsonl",
		       folder);
	assert_string_equal(path, expected);
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_true((fcntl(fd, F_GETFL) & O_APPEND) != 0);
	(void)close(fd);
}

static void never_takes_over_the_file_of_another_run(void **state)
{
	char path[PATH_MAX];
	struct diag diag = {.text = ""};

	(void)state;
	int fd = run_audit_open(NULL, "run-2", path, &diag);
	assert_true(fd >= 0);
	(void)close(fd);
	assert_int_equal(run_audit_open(NULL, "run-2", path, &diag), -1);
	assert_non_null(strstr(diag.text, "run-2.jsonl"));
}

static void appends_to_a_named_file(void **state)
{
	char path[PATH_MAX], name[PATH_MAX];
	struct diag diag = {.text = ""};

	(void)state;
	(void)snprintf(name, sizeof(name), "%s/named.jsonl", folder);
	for (int i = 0; i < 2; i++) {
		int fd = run_audit_open(name, "run", path, &diag);
		assert_true(fd >= 0);
		assert_int_equal(write(fd, "x\n", 2), 2);
		(void)close(fd);
	}
	struct stat st;
	assert_int_equal(stat(name, &st), 0);
	assert_int_equal(st.st_size, 4);
}

static void refuses_a_symbolic_link(void **state)
{
	char path[PATH_MAX], name[PATH_MAX];
	struct diag diag = {.text = ""};

	(void)state;
	(void)snprintf(name, sizeof(name), "%s/link.jsonl", folder);
	assert_int_equal(symlink("/tmp/test_run_files.elsewhere", name), 0);
	assert_int_equal(run_audit_open(name, "run", path, &diag), -1);
	assert_non_null(strstr(diag.text, "symbolic link"));
	assert_non_null(strstr(diag.text, "--audit"));
}

static void asks_for_a_place_when_there_is_none(void **state)
{
	char path[PATH_MAX];
	struct diag diag = {.text = ""};

	(void)state;
	(void)unsetenv("XDG_STATE_HOME");
	(void)unsetenv("HOME");
	assert_int_equal(run_audit_open(NULL, "run", path, &diag), -1);
	assert_non_null(strstr(diag.text, "--audit"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_runs_by_time_and_chance),
		cmocka_unit_test(makes_its_folders_and_a_private_file),
		cmocka_unit_test(never_takes_over_the_file_of_another_run),
		cmocka_unit_test(appends_to_a_named_file),
		cmocka_unit_test(refuses_a_symbolic_link),
		cmocka_unit_test(asks_for_a_place_when_there_is_none),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
