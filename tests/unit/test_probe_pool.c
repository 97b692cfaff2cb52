/* SPDX-License-Identifier: MIT */
/* test_probe_pool: probes that answer, hang, crash, and leave others behind. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "probe_pool.h"

/* Shared with the probes, which run in processes of their own. */
static pid_t *left_behind;

static void answer(struct probe_result *result)
{
	probe_found(result, "seen %d", 42);
	probe_say(result, PROBE_OK, "G1", NULL);
}

static void hang(struct probe_result *result)
{
	(void)result;
	for (;;)
		(void)pause();
}

static void crash(struct probe_result *result)
{
	(void)result;
	_exit(3);
}

/* A grandchild in a session of its own, as a daemon makes itself. */
static void leave_behind(struct probe_result *result)
{
	pid_t pid = fork();

	if (pid == 0) {
		(void)setsid();
		*left_behind = getpid();
		(void)sigaction(SIGTERM,
				&(struct sigaction){.sa_handler = SIG_IGN},
				NULL);
		hang(result);
	}
	while (*(volatile pid_t *)left_behind == 0)
		(void)usleep(100);
	hang(result);
}

static struct probe make(void (*measure)(struct probe_result *))
{
	return (struct probe){.name = "test",
			      .measure = measure,
			      .lost = "what is lost",
			      .mend = "what mends it"};
}

static int64_t now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void gives_back_what_a_probe_says(void **state)
{
	const struct probe probe = make(answer);
	const struct probe *probes[] = {&probe};
	struct probe_result result;

	(void)state;
	probe_pool_run(probes, 1, PROBE_LIMIT_MS, &result);
	assert_int_equal(result.state, PROBE_OK);
	assert_string_equal(result.found, "seen 42");
	assert_string_equal(result.meaning, "G1");
	assert_string_equal(result.remedy, "");
}

static void one_that_hangs_delays_no_other_and_is_killed(void **state)
{
	const struct probe slow = make(hang), quick = make(answer);
	const struct probe *probes[] = {&slow, &quick, &slow};
	struct probe_result results[3];
	int64_t before = now_ms();

	(void)state;
	probe_pool_run(probes, 3, 200, results);
	int64_t took = now_ms() - before;
	assert_in_range(took, 200, 3000);
	assert_int_equal(results[0].state, PROBE_HANGS);
	assert_string_equal(results[0].meaning, "what is lost");
	assert_string_equal(results[0].remedy, "what mends it");
	assert_int_equal(results[1].state, PROBE_OK);
	assert_int_equal(results[2].state, PROBE_HANGS);
}

static void one_that_crashes_is_broken(void **state)
{
	const struct probe probe = make(crash);
	const struct probe *probes[] = {&probe};
	struct probe_result result;

	(void)state;
	probe_pool_run(probes, 1, PROBE_LIMIT_MS, &result);
	assert_int_equal(result.state, PROBE_BROKEN);
	assert_string_equal(result.remedy, "what mends it");
}

static void nothing_that_a_probe_started_is_left(void **state)
{
	const struct probe probe = make(leave_behind);
	const struct probe *probes[] = {&probe};
	struct probe_result result;

	(void)state;
	*left_behind = 0;
	probe_pool_run(probes, 1, 500, &result);
	assert_int_equal(result.state, PROBE_HANGS);
	assert_true(*left_behind > 0);
	assert_int_equal(kill(*left_behind, 0), -1);
	assert_int_equal(errno, ESRCH);
}

static void output_of_a_program_is_printable_and_short(void **state)
{
	char said[64];
	char shell[] = "sh", flag[] = "-c",
	     script[] = "printf 'a\\033[2Jb'; exit 7";
	char *argv[] = {shell, flag, script, NULL};
	struct probe_result result = {.state = PROBE_OK};
	struct text output;

	(void)state;
	text_init(&output, said, sizeof(said));
	assert_int_equal(probe_execute(argv, &output), 7);
	probe_found(&result, "%s", said);
	assert_string_equal(result.found, "a\\x1b[2Jb");
}

static void program_that_is_not_there_is_127(void **state)
{
	char said[8];
	char name[] = "no-such-program";
	char *argv[] = {name, NULL};
	struct text output;

	(void)state;
	text_init(&output, said, sizeof(said));
	assert_int_equal(probe_execute(argv, &output), 127);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_back_what_a_probe_says),
		cmocka_unit_test(one_that_hangs_delays_no_other_and_is_killed),
		cmocka_unit_test(one_that_crashes_is_broken),
		cmocka_unit_test(nothing_that_a_probe_started_is_left),
		cmocka_unit_test(output_of_a_program_is_printable_and_short),
		cmocka_unit_test(program_that_is_not_there_is_127),
	};

	left_behind = mmap(NULL, sizeof(*left_behind), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (left_behind == MAP_FAILED)
		return EXIT_FAILURE;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
