/* SPDX-License-Identifier: MIT */
/*
 * dialer: connects to addresses that were judged, in turn (RFC 8305).
 *
 * How it works: addresses are tried in the order given. A failure starts the
 * next one at once; silence starts it after 250 ms beside the first. The first
 * to answer wins, the others are closed. Nothing is ever resolved here, so what
 * was judged is what is dialled, and nothing is bound before connect(2): the
 * kernel then picks a source port per destination and does not run out of them.
 */
#ifndef DIALER_H
#define DIALER_H

#include <stddef.h>
#include <stdint.h>

#include "decision.h"
#include "netaddr.h"

struct dial;
struct event_base;
struct text;

#define DIALER_ATTEMPT_DELAY_MS 250 /* RFC 8305 s5 */

/**
 * struct dial_result - how it ended
 * @fd:		connected, non-blocking, the receiver's; -1: see @reason
 * @address:	the one that answered
 * @reason:	where @fd is -1
 * @dial:	what was tried, for dial_describe(); valid during the call
 */
struct dial_result {
	int fd;
	struct netaddr address;
	enum reason reason;
	const struct dial *dial;
};

/**
 * struct dial_settings - what to do
 * @addrs:	@count of them, at least 1 (copied)
 * @done:	called once, from the loop; never after dial_cancel()
 */
struct dial_settings {
	struct event_base *base;
	const struct netaddr *addrs;
	size_t count;
	uint16_t port;
	uint64_t timeout_ms; /* for all of them together */
	void (*done)(void *arg, const struct dial_result *result);
	void *arg;
};

/**
 * dial_start() - begin
 * @dial_out:	set where the answer is still to come; the caller may cancel it
 *		until @done is called
 *
 * A connection that is there at once (loopback) is reported through @done
 * before this returns, and so is the failure of every address.
 *
 * Return: 0, also when @done was called already (*dial_out is NULL then);
 * -ENOMEM: nothing was begun and @done will not be called.
 */
int dial_start(const struct dial_settings *settings, struct dial **dial_out)
	__attribute__((warn_unused_result));

/** dial_cancel() - close what is under way and free; NULL does nothing */
void dial_cancel(struct dial *dial);

/** dial_describe() - "192.0.2.1: Connection refused, 2001:db8::1: ..." */
void dial_describe(const struct dial *dial, struct text *t);

#endif
