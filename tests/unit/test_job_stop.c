/* SPDX-License-Identifier: MIT */
/* test_job_stop: when a stopped command is looked for, and what is one. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "job_stop.h"

static pid_t start(const char *name)
{
	pid_t pid = fork();

	if (pid == 0) {
		(void)prctl(PR_SET_NAME, name);
		(void)raise(SIGSTOP);
		for (;;)
			(void)pause();
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, NULL, WUNTRACED), pid);
	return pid;
}

static void end(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void tells_a_stopped_process_from_a_running_one(void **state)
{
	pid_t pid = start("odd) T (name");

	(void)state;
	assert_true(job_stop_is_stopped(pid));
	assert_int_equal(kill(pid, SIGCONT), 0);
	assert_int_equal(waitpid(pid, NULL, WCONTINUED), pid);
	assert_false(job_stop_is_stopped(pid));
	end(pid);
	assert_false(job_stop_is_stopped(pid));
	assert_false(job_stop_is_stopped(getpid()));
	assert_false(job_stop_is_stopped(0));
}

static void looks_for_about_a_second_after_a_key(void **state)
{
	struct job_stop job = {.due_ms = 0};
	int64_t now = 1000;
	unsigned int looks = 0;

	(void)state;
	assert_false(job_stop_look(&job, getpid(), now));
	job_stop_typed(&job, now);
	while (job.due_ms != 0) {
		assert_true(job.due_ms > now);
		now = job.due_ms;
		assert_false(job_stop_look(&job, getpid(), now));
		looks++;
	}
	assert_in_range(now, 1600, 3000);
	assert_in_range(looks, 3, 10);
}

static void does_not_look_before_it_is_due(void **state)
{
	struct job_stop job = {.due_ms = 0};
	pid_t pid = start("stopped");

	(void)state;
	job_stop_typed(&job, 1000);
	assert_false(job_stop_look(&job, pid, 1001));
	assert_true(job_stop_look(&job, pid, job.due_ms));
	end(pid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_a_stopped_process_from_a_running_one),
		cmocka_unit_test(looks_for_about_a_second_after_a_key),
		cmocka_unit_test(does_not_look_before_it_is_due),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
