/* SPDX-License-Identifier: MIT */
/* test_relay_pump: one-way copies that lose nothing and end in time. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "relay_pump.h"

static struct relay_pump pump;

static void make_pipes(int source[2], int sink[2])
{
	assert_int_equal(pipe2(source, O_NONBLOCK), 0);
	assert_int_equal(pipe2(sink, O_NONBLOCK), 0);
}

static void turn(void)
{
	struct pollfd fd = relay_pump_poll(&pump);

	assert_int_equal(poll(&fd, 1, 1000), 1);
	relay_pump_step(&pump, fd.revents);
}

static void copies_and_passes_the_end_on(void **state)
{
	int source[2], sink[2];
	char got[8] = "";

	(void)state;
	make_pipes(source, sink);
	relay_pump_init(&pump, source[0], sink[1], true);
	assert_int_equal(write(source[1], "a\0b", 3), 3);
	turn();
	turn();
	assert_int_equal(read(sink[0], got, sizeof(got)), 3);
	assert_memory_equal(got, "a\0b", 3);
	(void)close(source[1]);
	turn();
	assert_true(relay_pump_is_over(&pump));
	assert_int_equal(read(sink[0], got, sizeof(got)), 0);
	(void)close(source[0]);
	(void)close(sink[0]);
}

static void waits_for_a_slow_reader(void **state)
{
	int source[2], sink[2];
	char block[4096];
	size_t filled = 0;
	ssize_t n;

	(void)state;
	make_pipes(source, sink);
	memset(block, 'x', sizeof(block));
	while ((n = write(sink[1], block, sizeof(block))) > 0)
		filled += (size_t)n;
	relay_pump_init(&pump, source[0], sink[1], false);
	assert_int_equal(write(source[1], "tail", 4), 4);
	turn();
	/* Full: it waits for room and holds what it has. */
	struct pollfd fd = relay_pump_poll(&pump);
	assert_int_equal(fd.fd, sink[1]);
	assert_int_equal(fd.events, POLLOUT);
	assert_int_equal(poll(&fd, 1, 0), 0);
	while (filled > 0) {
		n = read(sink[0], block, sizeof(block));
		assert_true(n > 0);
		filled -= (size_t)n;
	}
	turn();
	assert_int_equal(read(sink[0], block, sizeof(block)), 4);
	assert_memory_equal(block, "tail", 4);
	for (int i = 0; i < 2; i++) {
		(void)close(source[i]);
		(void)close(sink[i]);
	}
}

static void ends_when_the_reader_is_gone_and_keeps_count(void **state)
{
	int source[2], sink[2];

	(void)state;
	make_pipes(source, sink);
	relay_pump_init(&pump, source[0], sink[1], true);
	assert_int_equal(write(source[1], "12345", 5), 5);
	turn();
	(void)close(sink[0]);
	turn();
	assert_true(relay_pump_is_over(&pump));
	assert_int_equal(pump.end - pump.at, 5);
	(void)close(source[0]);
	(void)close(source[1]);
}

static void drains_what_is_there(void **state)
{
	int source[2], sink[2];
	char got[8];

	(void)state;
	make_pipes(source, sink);
	relay_pump_init(&pump, source[0], sink[1], false);
	assert_int_equal(write(source[1], "last", 4), 4);
	/* The writer is still open, as an orphan's would be: no waiting. */
	relay_pump_drain(&pump);
	assert_int_equal(read(sink[0], got, sizeof(got)), 4);
	assert_true(relay_pump_is_over(&pump));
	for (int i = 0; i < 2; i++) {
		(void)close(source[i]);
		(void)close(sink[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_and_passes_the_end_on),
		cmocka_unit_test(waits_for_a_slow_reader),
		cmocka_unit_test(ends_when_the_reader_is_gone_and_keeps_count),
		cmocka_unit_test(drains_what_is_there),
	};
	struct sigaction ignore = {.sa_handler = SIG_IGN};

	(void)sigaction(SIGPIPE, &ignore, NULL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
