/* SPDX-License-Identifier: MIT */
/* test_child: descriptors of a child, and its death with the parent. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "child.h"

static int wait_exit(pid_t pid)
{
	int status;

	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int open_count(int limit)
{
	int count = 0;

	for (int fd = 0; fd < limit; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

/* Pipes that a child is to find at each other's numbers. */
struct pipes {
	int a[2];
	int b[2];
};

static void swap_pipes(const void *arg)
{
	const struct pipes *p = arg;
	/* Each lands on a number that another one has now. */
	const struct child_fd fds[] = {
		{p->a[0], p->b[0]},
		{p->b[0], p->a[0]},
		{p->a[1], p->b[1]},
		{p->b[1], p->a[1]}
        };
	char got = 0;

	if (child_place_fds(fds, 4) != 0)
		_exit(1);
	if (write(p->b[1], "a", 1) != 1 || read(p->b[0], &got, 1) != 1 ||
	    got != 'a')
		_exit(2);
	if (write(p->a[1], "b", 1) != 1 || read(p->a[0], &got, 1) != 1 ||
	    got != 'b')
		_exit(3);
	_exit(open_count(1024) == 4 ? 0 : 4);
}

static void places_descriptors_even_when_they_cross(void **state)
{
	struct pipes p;

	(void)state;
	assert_int_equal(pipe(p.a), 0);
	assert_int_equal(pipe(p.b), 0);
	assert_int_equal(wait_exit(child_fork(swap_pipes, &p)), 0);
	assert_int_equal(wait_exit(child_spawn(swap_pipes, &p)), 0);
	for (int i = 0; i < 2; i++) {
		(void)close(p.a[i]);
		(void)close(p.b[i]);
	}
}

static void keep_stderr_as_five(const void *arg)
{
	const struct child_fd fds[] = {
		{STDERR_FILENO, 5}
        };

	(void)arg;
	if (child_place_fds(fds, 1) != 0)
		_exit(1);
	_exit(open_count(1024) == 1 && fcntl(5, F_GETFD) == 0 ? 0 : 2);
}

static void leaves_nothing_else_open(void **state)
{
	(void)state;
	int high = fcntl(STDERR_FILENO, F_DUPFD, 900);
	assert_true(high >= 900);
	assert_int_equal(wait_exit(child_fork(keep_stderr_as_five, NULL)), 0);
	assert_int_equal(wait_exit(child_spawn(keep_stderr_as_five, NULL)), 0);
	(void)close(high);
}

static void place_nothing(const void *arg)
{
	const struct child_fd fds[] = {
		{999, 5}
        };

	(void)arg;
	_exit(child_place_fds(fds, 1) == -EBADF ? 0 : 1);
}

static void refuses_a_descriptor_that_is_not_open(void **state)
{
	(void)state;
	assert_int_equal(wait_exit(child_fork(place_nothing, NULL)), 0);
}

static void look_at_signals(const void *arg)
{
	struct sigaction now;
	sigset_t mask;

	(void)arg;
	(void)sigprocmask(SIG_BLOCK, NULL, &mask);
	(void)sigaction(SIGUSR1, NULL, &now);
	_exit(getsid(0) == getpid() && !sigismember(&mask, SIGTERM) &&
			      now.sa_handler == SIG_DFL
		      ? 0
		      : 1);
}

static void starts_with_default_signals_and_a_session(void **state)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before, after;
	sigset_t all, old;

	(void)state;
	(void)sigaction(SIGUSR1, &ignore, &before);
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &old);
	assert_int_equal(wait_exit(child_fork(look_at_signals, NULL)), 0);
	assert_int_equal(wait_exit(child_spawn(look_at_signals, NULL)), 0);
	/* The parent's own stay as they were. */
	(void)sigaction(SIGUSR1, &before, &after);
	assert_true(after.sa_handler == SIG_IGN);
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
}

static void say_and_wait(const void *arg)
{
	const int *life = arg;

	if (write(life[1], "x", 1) != 1)
		_exit(1);
	for (;;)
		(void)pause();
}

/* A grandchild holds the only writing end of a pipe: its death is an end of
 * file. The child between is killed as nothing can be prepared for. */
static void dies_with_its_parent(void **state)
{
	int life[2];
	char byte;

	(void)state;
	assert_int_equal(pipe(life), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		(void)!child_fork(say_and_wait, life);
		(void)close(life[1]);
		for (;;)
			(void)pause();
	}
	(void)close(life[1]);
	assert_int_equal(read(life[0], &byte, 1), 1);
	child_kill(pid);
	assert_int_equal(read(life[0], &byte, 1), 0);
	(void)close(life[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_descriptors_even_when_they_cross),
		cmocka_unit_test(leaves_nothing_else_open),
		cmocka_unit_test(refuses_a_descriptor_that_is_not_open),
		cmocka_unit_test(starts_with_default_signals_and_a_session),
		cmocka_unit_test(dies_with_its_parent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
