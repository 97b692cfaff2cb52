/* SPDX-License-Identifier: MIT */
/*
 * test_graft: mounts put in from outside, tried in namespaces of the test's
 * own.
 *
 * A child makes user and mount namespaces, and in a tmpfs the two views that
 * bubblewrap's child has: /oldroot with files, /newroot empty. Its own child
 * then grafts, as the gate does, and looks at what came of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "graft.h"

/* What the grafting child ends with, beside 0. */
enum outcome {
	OUTCOME_REFUSED = 10, /* graft() failed */
	OUTCOME_WRONG = 11,   /* it did not, but the check says no */
	OUTCOME_NO_LAB = 12,  /* the views could not be made */
};

/**
 * struct graft_case - one try
 * @prepare:	more of the two views, or NULL
 * @check:	the mounts are as they should be
 * @files:	what the entries provide
 */
struct graft_case {
	const struct plan_entry *entries;
	size_t count;
	int (*prepare)(void);
	int (*check)(void);
	const struct plan_file *files;
};

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	if (fd < 0)
		return -1;
	ssize_t n = write(fd, text, strlen(text));
	(void)close(fd);
	return n == (ssize_t)strlen(text) ? 0 : -1;
}

static int map_id(const char *file, unsigned int id)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "0 %u 1\n", id);
	return write_text(file, text);
}

/* /oldroot/data/{file,below/,.git/config}, below a mount of its own. */
static int make_views(void)
{
	unsigned int uid = getuid();
	unsigned int gid = getgid();

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 ||
	    write_text("/proc/self/setgroups", "deny") != 0 ||
	    map_id("/proc/self/uid_map", uid) != 0 ||
	    map_id("/proc/self/gid_map", gid) != 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("lab", "/tmp", "tmpfs", 0, NULL) != 0 || chdir("/tmp") != 0)
		return -1;
	if (mkdir("oldroot", 0755) != 0 || mkdir("newroot", 0755) != 0 ||
	    mount("lab", "newroot", "tmpfs", 0, NULL) != 0 ||
	    mkdir("oldroot/data", 0755) != 0 ||
	    mkdir("oldroot/data/below", 0755) != 0 ||
	    mkdir("oldroot/data/.git", 0755) != 0 ||
	    mkdir("oldroot/other", 0755) != 0 ||
	    symlink("oldroot/other/proc", "proc") != 0 ||
	    write_text("oldroot/data/file", "file") != 0 ||
	    write_text("oldroot/data/.git/config", "config") != 0 ||
	    mount("lab", "oldroot/data/below", "tmpfs", 0, NULL) != 0)
		return -1;
	/* As pivot_root does, and nothing outside is needed any more. */
	return syscall(SYS_pivot_root, ".", "oldroot/other") == 0 &&
			       chdir("/") == 0
		       ? 0
		       : -1;
}

static _Noreturn void act(const struct graft_case *c, pid_t child)
{
	const struct fence_plan plan = {
		.entries = c->entries,
		.entry_count = c->count,
		.files = c->files,
	};
	char buf[512];
	struct text why;

	text_init(&why, buf, sizeof(buf));
	if (unshare(CLONE_NEWNS) != 0)
		_exit(OUTCOME_NO_LAB);
	if (graft(&plan, child, &why) != 0) {
		(void)fprintf(stderr, "%s\n", buf);
		_exit(OUTCOME_REFUSED);
	}
	_exit(c->check == NULL || c->check() == 0 ? 0 : OUTCOME_WRONG);
}

static int status_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static int try_graft(const struct graft_case *c)
{
	pid_t child = fork();

	assert_true(child >= 0);
	if (child > 0)
		return status_of(child);
	if (make_views() != 0 || (c->prepare != NULL && c->prepare() != 0))
		_exit(OUTCOME_NO_LAB);
	pid_t self = getpid();
	pid_t actor = fork();
	if (actor == 0)
		act(c, self);
	_exit(actor > 0 ? status_of(actor) : OUTCOME_NO_LAB);
}

#define ENTRY(what, from, to, folder)                                  \
	{                                                              \
		.access = (what), .why = PLAN_FOR_MOUNT, .path = (to), \
		.source = (from), .is_folder = (folder)                \
	}

static int can_write(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	if (fd < 0)
		return 0;
	(void)close(fd);
	return 1;
}

static int check_read_only(void)
{
	return !can_write("/newroot/a/b/file") &&
			       !can_write("/newroot/a/b/below/new") &&
			       access("/newroot/a/b/file", R_OK) == 0 &&
			       can_write("/oldroot/data/file")
		       ? 0
		       : -1;
}

static void shows_a_folder_and_what_is_mounted_below_it(void **state)
{
	const struct plan_entry entries[] = {
		ENTRY(PLAN_READ, "/data", "/a/b", true)};
	const struct graft_case c = {
		.entries = entries,
		.count = 1,
		.prepare = NULL,
		.check = check_read_only,
	};

	(void)state;
	assert_int_equal(try_graft(&c), 0);
}

static int check_writable(void)
{
	struct statvfs seen;

	return can_write("/newroot/data/file") &&
			       can_write("/newroot/data/below/new") &&
			       !can_write("/newroot/data/.git/config") &&
			       statvfs("/newroot/data", &seen) == 0 &&
			       (seen.f_flag & (ST_NOSUID | ST_NODEV)) ==
				       (ST_NOSUID | ST_NODEV)
		       ? 0
		       : -1;
}

static void protects_a_file_in_a_writable_folder(void **state)
{
	struct plan_entry entries[] = {
		ENTRY(PLAN_WRITE, "/data", "/data", true),
		ENTRY(PLAN_READ, "/data/.git/config", "/data/.git/config",
		      false),
	};
	const struct graft_case c = {
		.entries = entries,
		.count = 2,
		.prepare = NULL,
		.check = check_writable,
	};

	(void)state;
	entries[1].is_over_host = true;
	assert_int_equal(try_graft(&c), 0);
}

static int plant_source_link(void)
{
	return rename("/oldroot/data/.git", "/oldroot/data/x") == 0 &&
			       symlink("x", "/oldroot/data/.git") == 0
		       ? 0
		       : -1;
}

static void refuses_a_link_in_place_of_a_folder(void **state)
{
	const struct plan_entry entries[] = {
		ENTRY(PLAN_WRITE, "/data", "/data", true),
		ENTRY(PLAN_READ, "/data/.git/config", "/data/.git/config",
		      false),
	};
	const struct graft_case c = {
		.entries = entries,
		.count = 2,
		.prepare = plant_source_link,
		.check = NULL,
	};

	(void)state;
	assert_int_equal(try_graft(&c), OUTCOME_REFUSED);
}

static int plant_target_link(void)
{
	return symlink("/data", "/oldroot/data/here");
}

static void refuses_a_link_in_place_of_a_target(void **state)
{
	const struct plan_entry entries[] = {
		ENTRY(PLAN_WRITE, "/data", "/data", true),
		ENTRY(PLAN_READ, "/other", "/data/here", true),
	};
	const struct graft_case c = {
		.entries = entries,
		.count = 2,
		.prepare = plant_target_link,
		.check = NULL,
	};

	(void)state;
	assert_int_equal(try_graft(&c), OUTCOME_REFUSED);
}

static void refuses_a_source_that_is_gone(void **state)
{
	const struct plan_entry entries[] = {
		ENTRY(PLAN_READ, "/gone", "/gone", true)};
	const struct graft_case c = {
		.entries = entries,
		.count = 1,
		.prepare = NULL,
		.check = NULL,
	};

	(void)state;
	assert_int_equal(try_graft(&c), OUTCOME_REFUSED);
}

static int check_hidden(void)
{
	return access("/newroot/data/.git", F_OK) != 0 &&
			       access("/newroot/data/file", R_OK) == 0 &&
			       access("/newroot/data/x/config", F_OK) == 0 &&
			       !can_write("/newroot/data/x/new")
		       ? 0
		       : -1;
}

static int move_git(void)
{
	return rename("/oldroot/data/.git", "/oldroot/data/x");
}

static void what_is_to_be_hidden_may_be_gone(void **state)
{
	const struct plan_entry entries[] = {
		ENTRY(PLAN_READ, "/data", "/data", true),
		ENTRY(PLAN_HIDE_FOLDER, NULL, "/data/.git", true),
	};
	const struct graft_case c = {
		.entries = entries,
		.count = 2,
		.prepare = move_git,
		.check = check_hidden,
	};

	(void)state;
	assert_int_equal(try_graft(&c), 0);
}

static int check_shown_again(void)
{
	return access("/newroot/data/file", F_OK) != 0 &&
			       access("/newroot/data/sub/config", R_OK) == 0 &&
			       !can_write("/newroot/data/new")
		       ? 0
		       : -1;
}

static void shows_a_part_of_what_is_hidden(void **state)
{
	const struct plan_entry entries[] = {
		ENTRY(PLAN_READ, "/data", "/data", true),
		ENTRY(PLAN_HIDE_FOLDER, NULL, "/data", true),
		ENTRY(PLAN_READ, "/data/.git", "/data/sub", true),
	};
	const struct graft_case c = {
		.entries = entries,
		.count = 3,
		.prepare = NULL,
		.check = check_shown_again,
	};

	(void)state;
	assert_int_equal(try_graft(&c), 0);
}

static int holds(const char *path, const char *text, mode_t mode)
{
	char found[64];
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, found, sizeof(found));

	if (fd >= 0)
		(void)close(fd);
	return n == (ssize_t)strlen(text) &&
	       memcmp(found, text, (size_t)n) == 0 && stat(path, &st) == 0 &&
	       (st.st_mode & 07777) == mode;
}

static int check_provided(void)
{
	char text[32];

	return holds("/newroot/etc/ours", "ours", 0444) &&
			       holds("/newroot/etc/deep/copy", "file", 0555) &&
			       holds("/newroot/data/file", "ours", 0444) &&
			       holds("/oldroot/data/file", "file", 0644) &&
			       readlink("/newroot/bin", text, sizeof(text)) ==
				       8 &&
			       memcmp(text, "/usr/bin", 8) == 0 &&
			       access("/exeat-file", F_OK) != 0
		       ? 0
		       : -1;
}

static void provides_files_and_links(void **state)
{
	static const struct plan_file files[] = {
		{.path = "/etc/ours",      .bytes = "ours", .len = 4},
		{.path = "/etc/deep/copy",
		 .source = "/data/file",
		 .is_program = true                                 },
		{.path = "/data/file",     .bytes = "ours", .len = 4},
	};
	const struct plan_entry entries[] = {
		ENTRY(PLAN_LINK, "/usr/bin", "/bin", false),
		ENTRY(PLAN_READ, "/data", "/data", true),
		{.access = PLAN_FILE,
						     .path = "/data/file",
						     .is_over_host = true,
						     .file = 2},
		ENTRY(PLAN_FOLDER, NULL, "/etc", true),
		{.access = PLAN_FILE,                   .path = "/etc/deep/copy", .file = 1},
		{.access = PLAN_FILE,                   .path = "/etc/ours", .file = 0     },
	};
	const struct graft_case c = {
		.entries = entries,
		.count = 6,
		.files = files,
		.check = check_provided,
	};

	(void)state;
	assert_int_equal(try_graft(&c), 0);
}

static void refuses_a_copy_behind_a_link(void **state)
{
	static const struct plan_file files[] = {
		{.path = "/etc/copy", .source = "/data/.git/config"}
        };
	const struct plan_entry entries[] = {
		{.access = PLAN_FILE, .path = "/etc/copy", .file = 0}
        };
	const struct graft_case c = {
		.entries = entries,
		.count = 1,
		.files = files,
		.prepare = plant_source_link,
	};

	(void)state;
	assert_int_equal(try_graft(&c), OUTCOME_REFUSED);
}

/* No mount inside has a peer or a master outside. */
static int check_cut_off(void)
{
	char line[512];
	int found = 0;
	int linked = 0;
	FILE *file = fopen("/oldroot/other/proc/self/mountinfo", "re");

	if (file == NULL)
		return -1;
	while (fgets(line, sizeof(line), file) != NULL) {
		if (strstr(line, " /newroot") == NULL)
			continue;
		found++;
		linked += strstr(line, "master:") != NULL ||
			  strstr(line, "shared:") != NULL;
	}
	(void)fclose(file);
	return found >= 2 && linked == 0 ? 0 : -1;
}

static int share_all(void)
{
	return mount(NULL, "/", NULL, MS_REC | MS_SHARED, NULL);
}

static void later_mounts_of_the_host_do_not_come_in(void **state)
{
	const struct plan_entry entries[] = {
		ENTRY(PLAN_READ, "/data", "/data", true)};
	const struct graft_case c = {
		.entries = entries,
		.count = 1,
		.prepare = share_all,
		.check = check_cut_off,
	};

	(void)state;
	assert_int_equal(try_graft(&c), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shows_a_folder_and_what_is_mounted_below_it),
		cmocka_unit_test(protects_a_file_in_a_writable_folder),
		cmocka_unit_test(refuses_a_link_in_place_of_a_folder),
		cmocka_unit_test(refuses_a_link_in_place_of_a_target),
		cmocka_unit_test(refuses_a_source_that_is_gone),
		cmocka_unit_test(what_is_to_be_hidden_may_be_gone),
		cmocka_unit_test(shows_a_part_of_what_is_hidden),
		cmocka_unit_test(provides_files_and_links),
		cmocka_unit_test(refuses_a_copy_behind_a_link),
		cmocka_unit_test(later_mounts_of_the_host_do_not_come_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
