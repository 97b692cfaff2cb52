/* SPDX-License-Identifier: MIT */
/* test_cgroup: where a control group can be made, on made-up machines. */
#include <errno.h>
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

#include "cgroup.h"

static char root[] = "/tmp/test_cgroup.XXXXXX";
static char self[PATH_MAX];
static char mountinfo[PATH_MAX];
static const struct cgroup_files files = {.self = self, .mountinfo = mountinfo};

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
	memcpy(root + sizeof(root) - 7, "XXXXXX", 6);
	if (mkdtemp(root) == NULL)
		return -1;
	(void)snprintf(self, sizeof(self), "%s/self", root);
	(void)snprintf(mountinfo, sizeof(mountinfo), "%s/mountinfo", root);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void put(const char *name, const char *text)
{
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", root, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void folder(const char *name)
{
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(mkdir(path, 0755), 0);
}

/* A group of version 2 with its two files. */
static void group(const char *name, const char *switched_on)
{
	char path[PATH_MAX];

	folder(name);
	(void)snprintf(path, sizeof(path), "%s/cgroup.subtree_control", name);
	put(path, switched_on);
	(void)snprintf(path, sizeof(path), "%s/cgroup.procs", name);
	put(path, "");
}

/* proc_pid_mountinfo(5): one line. */
static void add_mount(const char *from, const char *at, const char *type)
{
	FILE *file = fopen(mountinfo, "a");

	assert_non_null(file);
	assert_true(fprintf(file, "30 24 0:26 %s %s/%s rw,nosuid - %s\n", from,
			    root, at, type) > 0);
	assert_int_equal(fclose(file), 0);
}

#define V2 "cgroup2 cgroup2 rw,nsdelegate"

static void expect_folder(const struct cgroup_place *place, const char *name)
{
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_string_equal(place->folder, path);
}

static void delegated_parent_with_the_controller_is_taken(void **state)
{
	struct cgroup_place place;

	(void)state;
	add_mount("/", "fs", V2);
	put("self", "0::/user/app/scope\n");
	group("fs", "cpu memory pids\n");
	group("fs/user", "cpu memory pids\n");
	group("fs/user/app", "memory pids\n");
	group("fs/user/app/scope", "\n");
	assert_int_equal(cgroup_find(&files, "memory", &place), 0);
	assert_true(place.is_v2);
	expect_folder(&place, "fs/user/app");
	/* The nearest that has this one is higher up. */
	assert_int_equal(cgroup_find(&files, "cpu", &place), 0);
	expect_folder(&place, "fs/user");
}

static void part_of_a_controllers_name_is_another(void **state)
{
	struct cgroup_place place;

	(void)state;
	add_mount("/", "fs", V2);
	put("self", "0::/\n");
	group("fs", "memory2 pidsx\n");
	assert_int_equal(cgroup_find(&files, "memory", &place), -ENOENT);
	assert_int_equal(cgroup_find(&files, "pids", &place), -ENOENT);
}

static void container_sees_its_own_part_of_the_tree(void **state)
{
	struct cgroup_place place;

	(void)state;
	add_mount("/docker/abc", "fs", V2);
	put("self", "0::/docker/abc/app\n");
	group("fs", "memory\n");
	group("fs/app", "\n");
	assert_int_equal(cgroup_find(&files, "memory", &place), 0);
	expect_folder(&place, "fs");
}

static void group_outside_of_what_is_seen_is_none(void **state)
{
	struct cgroup_place place;

	(void)state;
	add_mount("/", "fs", V2);
	put("self", "0::/../other\n");
	group("fs", "memory\n");
	assert_int_equal(cgroup_find(&files, "memory", &place), -ENOENT);
}

static void version_1_is_taken_where_2_has_no_controllers(void **state)
{
	struct cgroup_place place;

	(void)state;
	add_mount("/", "fs", V2);
	add_mount("/", "pids", "cgroup cgroup rw,pids");
	add_mount("/", "memory", "cgroup cgroup rw,memory");
	put("self", "8:pids:/\n4:memory:/job/a\n0::/\n");
	group("fs", "\n");
	folder("pids");
	folder("memory");
	folder("memory/job");
	folder("memory/job/a");
	assert_int_equal(cgroup_find(&files, "memory", &place), 0);
	assert_false(place.is_v2);
	expect_folder(&place, "memory/job/a");
	assert_int_equal(cgroup_find(&files, "pids", &place), 0);
	expect_folder(&place, "pids");
}

static void without_any_hierarchy_there_is_none(void **state)
{
	struct cgroup_place place;

	(void)state;
	put("mountinfo", "30 24 0:26 / / rw - ext4 /dev/sda rw\n");
	put("self", "");
	assert_int_equal(cgroup_find(&files, "memory", &place), -ENOENT);
	put("mountinfo", "junk\n- - -\n");
	assert_int_equal(cgroup_find(&files, "memory", &place), -ENOENT);
}

static void makes_writes_and_removes_a_group(void **state)
{
	struct cgroup_place place;
	char path[PATH_MAX];

	(void)state;
	(void)snprintf(place.folder, sizeof(place.folder), "%s", root);
	assert_int_equal(cgroup_make(&place, "run", path), 0);
	assert_int_equal(cgroup_make(&place, "run", path), 0);
	assert_int_equal(cgroup_write(path, "pids.max", "5"), -ENOENT);
	put("run/pids.max", "max\n");
	assert_int_equal(cgroup_write(path, "pids.max", "5"), 0);
	assert_int_equal(cgroup_remove(path), -ENOTEMPTY);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(delegated_parent_with_the_controller_is_taken),
		CASE(part_of_a_controllers_name_is_another),
		CASE(container_sees_its_own_part_of_the_tree),
		CASE(group_outside_of_what_is_seen_is_none),
		CASE(version_1_is_taken_where_2_has_no_controllers),
		CASE(without_any_hierarchy_there_is_none),
		CASE(makes_writes_and_removes_a_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
