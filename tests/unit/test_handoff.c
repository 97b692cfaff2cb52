/* SPDX-License-Identifier: MIT */
/* test_handoff: messages and descriptors between the processes of a run. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "handoff.h"

static void make_pair(int pair[2])
{
	assert_int_equal(
		socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
}

static void carries_text_and_number(void **state)
{
	struct handoff_message got = {0};
	int pair[2];

	(void)state;
	make_pair(pair);
	handoff_say(pair[0], HANDOFF_FAILED, EPERM, "no %s", "bwrap");
	assert_int_equal(handoff_receive(pair[1], &got, NULL), 1);
	assert_int_equal(got.type, HANDOFF_FAILED);
	assert_int_equal(got.number, EPERM);
	assert_string_equal(got.text, "no bwrap");
	(void)close(pair[0]);
	assert_int_equal(handoff_receive(pair[1], &got, NULL), 0);
	(void)close(pair[1]);
}

static void carries_a_descriptor_close_on_exec(void **state)
{
	struct handoff_message message = {.type = HANDOFF_LISTENER};
	int pair[2], ends[2], got = -1;
	char byte = 0;

	(void)state;
	make_pair(pair);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(handoff_send(pair[0], &message, ends[0]), 0);
	assert_int_equal(handoff_receive(pair[1], &message, &got), 1);
	assert_true(got >= 0);
	assert_true((fcntl(got, F_GETFD) & FD_CLOEXEC) != 0);
	assert_int_equal(write(ends[1], "x", 1), 1);
	assert_int_equal(read(got, &byte, 1), 1);
	assert_int_equal(byte, 'x');
	(void)close(got);
	(void)close(ends[0]);
	(void)close(ends[1]);
	(void)close(pair[0]);
	(void)close(pair[1]);
}

static void refuses_a_packet_of_another_size(void **state)
{
	struct handoff_message got = {.type = 99};
	int pair[2];

	(void)state;
	make_pair(pair);
	assert_int_equal(send(pair[0], "short", 5, 0), 5);
	assert_int_equal(handoff_receive(pair[1], &got, NULL), -EPROTO);
	assert_int_equal(got.type, 99);
	(void)close(pair[0]);
	(void)close(pair[1]);
}

static void closes_a_descriptor_that_nobody_expects(void **state)
{
	struct handoff_message message = {.type = HANDOFF_LISTENER};
	int pair[2], ends[2];
	char byte;

	(void)state;
	make_pair(pair);
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(handoff_send(pair[0], &message, ends[1]), 0);
	(void)close(ends[1]);
	assert_int_equal(handoff_receive(pair[1], &message, NULL), 1);
	/* The only write end left was the one sent: end of file shows that
	 * it was closed. */
	assert_int_equal(read(ends[0], &byte, 1), 0);
	(void)close(ends[0]);
	(void)close(pair[0]);
	(void)close(pair[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(carries_text_and_number),
		cmocka_unit_test(carries_a_descriptor_close_on_exec),
		cmocka_unit_test(refuses_a_packet_of_another_size),
		cmocka_unit_test(closes_a_descriptor_that_nobody_expects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
