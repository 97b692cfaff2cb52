/* SPDX-License-Identifier: MIT */
/*
 * test_fence_check: a sandbox is compared with its plan, from both sides.
 *
 * How it works: a child with mounts of its own stands for exeat-init. In it
 * "shown" lies over "place" and an empty folder over "hidden"; outside both are
 * what they were.
 */
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fence_check.h"

struct sandbox {
	char root[PATH_MAX];
	pid_t init;
};

static const char *at(const struct sandbox *s, const char *name)
{
	static char paths[8][PATH_MAX];
	static size_t turn;
	char *path = paths[turn++ % 8];

	assert_true(snprintf(path, PATH_MAX, "%.3000s/%s", s->root, name) <
		    PATH_MAX);
	return path;
}

static _Noreturn void be_init(const struct sandbox *s, int ready)
{
	char c = 'y';

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount(at(s, "shown"), at(s, "place"), NULL, MS_BIND, NULL) != 0 ||
	    mount(at(s, "empty"), at(s, "hidden"), NULL, MS_BIND, NULL) != 0)
		c = 'n';
	if (write(ready, &c, 1) != 1)
		_exit(1);
	for (;;)
		(void)pause();
}

static int set_up(void **state)
{
	static const char *const folders[] = {"shown", "place", "empty",
					      "hidden", "plain"};
	static struct sandbox s;
	char made[] = "/tmp/exeat-check-XXXXXX";
	int ready[2];
	char c = 'n';

	assert_non_null(mkdtemp(made));
	assert_non_null(realpath(made, s.root));
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(mkdir(at(&s, folders[i]), 0755), 0);
	assert_int_equal(symlink("shown", at(&s, "link")), 0);
	assert_int_equal(symlink("none", at(&s, "dangling")), 0);
	assert_int_equal(pipe(ready), 0);
	s.init = fork();
	assert_true(s.init >= 0);
	if (s.init == 0)
		be_init(&s, ready[1]);
	(void)close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	(void)close(ready[0]);
	*state = &s;
	if (c != 'y')
		print_message("no user namespaces here\n");
	return c == 'y' ? 0 : -1;
}

static int tear_down(void **state)
{
	static const char *const names[] = {"link",  "dangling", "shown",
					    "place", "empty",    "hidden",
					    "plain", ""};
	struct sandbox *s = *state;

	(void)kill(s->init, SIGKILL);
	(void)waitpid(s->init, NULL, 0);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (unlink(at(s, names[i])) != 0)
			(void)rmdir(at(s, names[i]));
	return 0;
}

struct row {
	enum plan_access access;
	const char *path;
	const char *source;
	bool is_right;
};

static int check(const struct sandbox *s, const struct row *rows, size_t count,
		 char why[static 512])
{
	struct plan_entry entries[4] = {{.access = PLAN_READ}};
	const struct fence_plan plan = {.entries = entries,
					.entry_count = count};
	struct text t;

	text_init(&t, why, 512);
	for (size_t i = 0; i < count; i++)
		entries[i] = (struct plan_entry){
			.access = rows[i].access,
			.path = at(s, rows[i].path),
			.source = rows[i].source == NULL
					  ? NULL
					  : at(s, rows[i].source),
		};
	return fence_check(&plan, s->init, &t);
}

static void each_mount_is_what_was_planned(void **state)
{
	static const struct row rows[] = {
  /* As planned. */
		{PLAN_READ,        "place",  "shown",    true },
		{PLAN_WRITE,       "place",  "shown",    true },
		{PLAN_READ,        "plain",  "plain",    true },
		{PLAN_HIDE_FOLDER, "hidden", NULL,       true },
		{PLAN_HIDE_FOLDER, "none",   NULL,       true },
 /* What is of no path of the host is not looked at. */
		{PLAN_PRIVATE,     "none",   NULL,       true },
		{PLAN_LINK,        "link",   "shown",    true },
 /* The host's side differs. */
		{PLAN_READ,        "place",  "plain",    false},
		{PLAN_WRITE,       "place",  "place",    false},
		{PLAN_SOCKET,      "plain",  "shown",    false},
 /* Not hidden. */
		{PLAN_HIDE_FOLDER, "plain",  NULL,       false},
		{PLAN_HIDE_FILE,   "shown",  NULL,       false},
 /* A link on either side, even one that leads to the same. */
		{PLAN_READ,        "link",   "shown",    false},
		{PLAN_READ,        "shown",  "link",     false},
		{PLAN_READ,        "place",  "dangling", false},
 /* Gone on either side. */
		{PLAN_READ,        "none",   "shown",    false},
		{PLAN_READ,        "place",  "none",     false},
	};
	const struct sandbox *s = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char why[512];
		int rc = check(s, &rows[i], 1, why);
		if (rc != (rows[i].is_right ? 0 : -1))
			fail_msg("row %zu: %d %s", i, rc, why);
		if (rc != 0)
			assert_non_null(strstr(why, at(s, rows[i].path)));
	}
}

static void of_several_for_one_path_the_last_is_seen(void **state)
{
	const struct row rows[] = {
		{PLAN_READ, "place", "plain", true},
		{PLAN_READ, "place", "shown", true},
	};
	char why[512];

	assert_int_equal(check(*state, rows, 2, why), 0);
	assert_int_equal(check(*state, rows, 1, why), -1);
}

static void a_sandbox_that_is_gone_is_no_sandbox(void **state)
{
	const struct fence_plan plan = {.entry_count = 0};
	char why[512];
	struct text t;

	(void)state;
	text_init(&t, why, sizeof(why));
	assert_int_equal(fence_check(&plan, INT_MAX, &t), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_mount_is_what_was_planned),
		cmocka_unit_test(of_several_for_one_path_the_last_is_seen),
		cmocka_unit_test(a_sandbox_that_is_gone_is_no_sandbox),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
