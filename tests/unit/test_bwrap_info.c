/* SPDX-License-Identifier: MIT */
/* test_bwrap_info: bubblewrap's --info-fd, whole and in pieces. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "bwrap_info.h"

static const char said[] = "{\n    \"child-pid\": 1234\n}\n";

static void finds_the_child(void **state)
{
	pid_t child = 0;

	(void)state;
	assert_true(bwrap_info_parse(said, &child));
	assert_int_equal(child, 1234);
}

static void finds_nothing_before_the_number_is_whole(void **state)
{
	const char *whole = strstr(said, "1234") + 4;
	char part[sizeof(said)];
	pid_t child = -7;

	(void)state;
	for (size_t len = 0; len <= (size_t)(whole - said); len++) {
		memcpy(part, said, len);
		part[len] = '\0';
		assert_false(bwrap_info_parse(part, &child));
		assert_int_equal(child, -7);
	}
}

static void refuses_what_is_no_pid(void **state)
{
	static const char *const bad[] = {
		"{\"child-pid\": 0 }", "{\"child-pid\": -5 }",
		"{\"child-pid\": 99999999999 }", "{\"child-pid\": x }",
		"{\"other\": 5 }"};
	pid_t child = -7;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(bwrap_info_parse(bad[i], &child));
	assert_int_equal(child, -7);
}

static void make(int info[2], int watch[2])
{
	assert_int_equal(pipe(info), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, watch), 0);
}

static void clean(int info[2], int watch[2])
{
	for (int i = 0; i < 2; i++) {
		(void)close(info[i]);
		(void)close(watch[i]);
	}
}

static void reads_from_the_pipe(void **state)
{
	int info[2], watch[2];
	pid_t child = 0;

	(void)state;
	make(info, watch);
	assert_int_equal(write(info[1], said, strlen(said)), strlen(said));
	assert_int_equal(bwrap_info_read_child(info[0], watch[0], 1000, &child),
			 0);
	assert_int_equal(child, 1234);
	clean(info, watch);
}

static void says_that_bubblewrap_ended(void **state)
{
	int info[2], watch[2];
	pid_t child = 0;

	(void)state;
	make(info, watch);
	(void)close(info[1]);
	assert_int_equal(bwrap_info_read_child(info[0], watch[0], 1000, &child),
			 -EPIPE);
	info[1] = -1;
	clean(info, watch);
}

static void stops_when_the_runner_is_gone(void **state)
{
	int info[2], watch[2];
	pid_t child = 0;

	(void)state;
	make(info, watch);
	(void)close(watch[1]);
	assert_int_equal(bwrap_info_read_child(info[0], watch[0], -1, &child),
			 -ECANCELED);
	watch[1] = -1;
	clean(info, watch);
}

static void does_not_wait_for_ever(void **state)
{
	int info[2], watch[2];
	pid_t child = 0;

	(void)state;
	make(info, watch);
	assert_int_equal(bwrap_info_read_child(info[0], watch[0], 1, &child),
			 -ETIMEDOUT);
	clean(info, watch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_child),
		cmocka_unit_test(finds_nothing_before_the_number_is_whole),
		cmocka_unit_test(refuses_what_is_no_pid),
		cmocka_unit_test(reads_from_the_pipe),
		cmocka_unit_test(says_that_bubblewrap_ended),
		cmocka_unit_test(stops_when_the_runner_is_gone),
		cmocka_unit_test(does_not_wait_for_ever),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
