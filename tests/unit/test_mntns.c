/* SPDX-License-Identifier: MIT */
/*
 * test_mntns: what the host mounts later does not appear in a sandbox.
 *
 * How it works: a process with shared mounts stands for the host, its child
 * with a copy of them for the sandbox. What the first mounts is seen in the
 * second until mntns_make_private() - without that the test fails, since it
 * would show nothing.
 */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "netns.h"

static char root[] = "/tmp/exeat-mntns-XXXXXX";

enum outcome {
	HOLDS = 0,
	NO_NAMESPACES,
	NOT_SHARED_BEFORE,
	NOT_MADE_PRIVATE,
	SEEN_AFTER,
	NOT_MOUNTED_AFTER,
};

/* Is what @name shows, as @pid sees it, the folder with the mark? */
static int shows_mark(pid_t pid, const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	(void)snprintf(path, sizeof(path), "/proc/%ld/root%s/%s/mark",
		       (long)pid, root, name);
	return stat(path, &st) == 0;
}

static int show(const char *name)
{
	return mount("source", name, NULL, MS_BIND, NULL);
}

/* As the gate does it: a process of its own. */
static int make_private(pid_t sandbox)
{
	int status = -1;
	pid_t gate = fork();

	if (gate == 0)
		_exit(mntns_make_private(sandbox) == 0 ? 0 : 1);
	return gate > 0 && waitpid(gate, &status, 0) == gate ? status : -1;
}

static enum outcome compare(pid_t sandbox)
{
	if (show("before") != 0)
		return NO_NAMESPACES;
	if (!shows_mark(sandbox, "before"))
		return NOT_SHARED_BEFORE;
	if (make_private(sandbox) != 0)
		return NOT_MADE_PRIVATE;
	if (show("after") != 0 || !shows_mark(getpid(), "after"))
		return NOT_MOUNTED_AFTER;
	return shows_mark(sandbox, "after") ? SEEN_AFTER : HOLDS;
}

static enum outcome be_host(void)
{
	int ready[2];
	char c;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_SHARED, NULL) != 0 ||
	    pipe(ready) != 0)
		return NO_NAMESPACES;
	pid_t sandbox = fork();
	if (sandbox == 0) {
		c = unshare(CLONE_NEWNS) == 0 ? 'y' : 'n';
		(void)!write(ready[1], &c, 1);
		for (;;)
			(void)pause();
	}
	enum outcome outcome =
		sandbox > 0 && read(ready[0], &c, 1) == 1 && c == 'y'
			? compare(sandbox)
			: NO_NAMESPACES;
	if (sandbox > 0) {
		(void)kill(sandbox, SIGKILL);
		(void)waitpid(sandbox, NULL, 0);
	}
	return outcome;
}

static void later_mounts_stay_out(void **state)
{
	int status = -1;
	pid_t host = fork();

	(void)state;
	if (host == 0)
		_exit(be_host());
	assert_int_equal(waitpid(host, &status, 0), host);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), HOLDS);
}

static void refuses_what_is_no_sandbox(void **state)
{
	(void)state;
	assert_int_equal(mntns_make_private(getpid()), -EXDEV);
	assert_int_equal(mntns_make_private(INT_MAX), -ENOENT);
}

static int set_up(void **state)
{
	static const char *const folders[] = {"source", "before", "after",
					      "source/mark"};

	(void)state;
	if (mkdtemp(root) == NULL || chdir(root) != 0)
		return -1;
	for (size_t i = 0; i < 4; i++)
		if (mkdir(folders[i], 0755) != 0)
			return -1;
	return 0;
}

static int tear_down(void **state)
{
	static const char *const folders[] = {"source/mark", "source", "before",
					      "after"};

	(void)state;
	for (size_t i = 0; i < 4; i++)
		(void)rmdir(folders[i]);
	return chdir("/") == 0 ? rmdir(root) : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(later_mounts_stay_out),
		cmocka_unit_test(refuses_what_is_no_sandbox),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
