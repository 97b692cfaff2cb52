/* SPDX-License-Identifier: MIT */
/* test_init_pipe: exeat-init's way, with a reader in bubblewrap's place. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "init_pipe.h"

/**
 * struct way_case - a program of known bytes and a pipe for it
 * @watch:	a pipe whose other end is ours to close
 */
struct way_case {
	struct init_pipe way;
	int ends[2];
	int watch[2];
	int program;
	size_t len;
	char path[32];
};

static unsigned char byte_at(size_t at)
{
	return (unsigned char)(at * 7 + at / 251);
}

static void case_make(struct way_case *c, size_t len)
{
	c->len = len;
	c->program = memfd_create("program", MFD_CLOEXEC);
	assert_true(c->program >= 0);
	for (size_t i = 0; i < len; i++) {
		unsigned char byte = byte_at(i);
		assert_int_equal(write(c->program, &byte, 1), 1);
	}
	(void)snprintf(c->path, sizeof(c->path), "/proc/self/fd/%d",
		       c->program);
	assert_int_equal(pipe2(c->ends, O_CLOEXEC), 0);
	assert_int_equal(pipe2(c->watch, O_CLOEXEC), 0);
	assert_int_equal(init_pipe_fill(&c->way, c->ends[1], c->path), 0);
}

static void case_clear(struct way_case *c)
{
	(void)close(c->program);
	(void)close(c->watch[0]);
	(void)close(c->watch[1]);
	if (c->ends[0] >= 0)
		(void)close(c->ends[0]);
	if (c->way.pipe < 0)
		return;
	(void)close(c->way.pipe);
	(void)close(c->way.program);
}

static int wait_now(const struct way_case *c)
{
	return init_pipe_wait(&c->way, c->watch[0], 0);
}

static void waits_until_somebody_reads(void **state)
{
	struct way_case c;
	char buf[8192];

	(void)state;
	case_make(&c, 30000);
	assert_int_equal(wait_now(&c), -ETIMEDOUT);
	assert_true(read(c.ends[0], buf, sizeof(buf)) > 0);
	assert_int_equal(wait_now(&c), 0);
	case_clear(&c);
}

static void reader_gets_the_program_unchanged(size_t len)
{
	struct way_case c;
	unsigned char buf[70000];
	size_t got = 0;
	ssize_t n;

	case_make(&c, len);
	n = read(c.ends[0], buf, 4096);
	assert_true(n > 0);
	got += (size_t)n;
	assert_int_equal(init_pipe_finish(&c.way), 0);
	while ((n = read(c.ends[0], buf + got, sizeof(buf) - got)) > 0)
		got += (size_t)n;
	assert_true(got >= len);
	for (size_t i = 0; i < got; i++)
		assert_int_equal(buf[i], i < len ? byte_at(i) : 0);
	case_clear(&c);
}

static void long_and_short_programs_pass(void **state)
{
	(void)state;
	reader_gets_the_program_unchanged(30000);
	reader_gets_the_program_unchanged(4096);
	reader_gets_the_program_unchanged(65000);
	reader_gets_the_program_unchanged(10);
}

static void short_program_holds_the_reader_back_too(void **state)
{
	struct way_case c;

	(void)state;
	case_make(&c, 10);
	assert_int_equal(wait_now(&c), -ETIMEDOUT);
	case_clear(&c);
}

static void sees_the_reader_end(void **state)
{
	struct way_case c;

	(void)state;
	case_make(&c, 30000);
	(void)close(c.ends[0]);
	c.ends[0] = -1;
	assert_int_equal(wait_now(&c), -EPIPE);
	case_clear(&c);
}

static void sees_the_watched_side_end(void **state)
{
	struct way_case c;

	(void)state;
	case_make(&c, 30000);
	(void)close(c.watch[1]);
	c.watch[1] = -1;
	assert_int_equal(wait_now(&c), -ECANCELED);
	case_clear(&c);
}

static void says_that_there_is_no_program(void **state)
{
	struct init_pipe way;
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(init_pipe_fill(&way, ends[1], "/nonexistent/init"),
			 -ENOENT);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_until_somebody_reads),
		cmocka_unit_test(long_and_short_programs_pass),
		cmocka_unit_test(short_program_holds_the_reader_back_too),
		cmocka_unit_test(sees_the_reader_end),
		cmocka_unit_test(sees_the_watched_side_end),
		cmocka_unit_test(says_that_there_is_no_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
