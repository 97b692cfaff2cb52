/* SPDX-License-Identifier: MIT */
/* relay_pump: copies bytes one way between two descriptors, without waiting. */
#ifndef RELAY_PUMP_H
#define RELAY_PUMP_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#define RELAY_PUMP_BYTES 65536

/**
 * struct relay_pump - one direction
 * @from, @to:	descriptors; -1 once that end is over
 * @buf:	bytes read and not yet written: [@at, @end)
 * @closes_to:	close @to at the end, so that its reader sees the end too
 * @sends:	@to is a socket, whose blocking mode is not ours to change
 */
struct relay_pump {
	int from;
	int to;
	bool closes_to;
	bool sends;
	size_t at;
	size_t end;
	char buf[RELAY_PUMP_BYTES];
};

/**
 * relay_pump_init() - @from and @to stay the caller's, but see @closes_to
 *
 * Pipes and pseudo-terminals of ours must be non-blocking for writing.
 */
void relay_pump_init(struct relay_pump *pump, int from, int to, bool closes_to);

/** relay_pump_is_over() - nothing more will ever be copied */
bool relay_pump_is_over(const struct relay_pump *pump);

/** relay_pump_poll() - the one event that it waits for; fd -1: none */
struct pollfd relay_pump_poll(const struct relay_pump *pump);

/** relay_pump_step() - act on @revents of relay_pump_poll(); one read or one
 * write */
void relay_pump_step(struct relay_pump *pump, short revents);

/** relay_pump_drain() - copy what can be read without waiting, then end */
void relay_pump_drain(struct relay_pump *pump);

#endif
