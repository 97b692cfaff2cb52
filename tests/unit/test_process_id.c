/* SPDX-License-Identifier: MIT */
/* test_process_id: a number alone does not name a process. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "process_id.h"

static void finds_the_very_process_and_no_other(void **state)
{
	struct process_id id = {.pid = 0};

	(void)state;
	assert_true(process_id_of(getpid(), &id));
	assert_int_equal(id.pid, getpid());
	int fd = process_id_open(&id);
	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	/* The same number, given out again. */
	id.started++;
	assert_int_equal(process_id_open(&id), -ESRCH);
	id.pid = 0;
	assert_int_equal(process_id_open(&id), -ESRCH);
}

static void name_with_blanks_and_parentheses_is_no_field(void **state)
{
	struct process_use plain, odd;

	(void)state;
	assert_true(process_use_read(getpid(), &plain));
	assert_int_equal(prctl(PR_SET_NAME, "a) R 1 (b"), 0);
	assert_true(process_use_read(getpid(), &odd));
	assert_int_equal(plain.started, odd.started);
	assert_true(odd.rss_kib > 0);
}

static void process_that_has_ended_is_none(void **state)
{
	struct process_id id;
	pid_t pid = fork();

	(void)state;
	if (pid == 0)
		for (;;)
			(void)pause();
	assert_true(process_id_of(pid, &id));
	assert_int_equal(process_pid_ns(pid), process_pid_ns(getpid()));
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(process_id_open(&id), -ESRCH);
	assert_int_equal(process_pid_ns(pid), 0);
	assert_int_equal(process_inner_pid(pid), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_very_process_and_no_other),
		cmocka_unit_test(name_with_blanks_and_parentheses_is_no_field),
		cmocka_unit_test(process_that_has_ended_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
