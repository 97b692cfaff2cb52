/* SPDX-License-Identifier: MIT */
/*
 * upstream_ask: asks another proxy, on a fresh connection, for a tunnel.
 *
 * How it works: CONNECT is sent, the answer is read up to the end of its head
 * and not a byte further, so the connection that is handed on begins with the
 * origin's first byte. Interim answers (1xx) are skipped. Everything that is
 * not 2xx is a failure; what it says is kept for the client.
 */
#ifndef UPSTREAM_ASK_H
#define UPSTREAM_ASK_H

#include <stdint.h>

#include "authority.h"
#include "decision.h"
#include "proxy_url.h"

struct event_base;
struct upstream_ask;

/**
 * struct upstream_answer - valid during the call
 * @fd:		a tunnel to the destination, the receiver's; -1: see @reason
 * @detail:	why not, in words, printable; never NULL where @fd is -1
 */
struct upstream_answer {
	int fd;
	enum reason reason;
	const char *detail;
};

/**
 * struct upstream_settings - what to ask (copied as far as needed)
 * @fd_own:	connected and non-blocking; taken over, also on failure
 * @url:	for its credentials
 * @done:	called once, from the loop or before upstream_ask_start()
 * returns
 */
struct upstream_settings {
	struct event_base *base;
	int fd_own;
	const struct proxy_url *url;
	const struct authority *to;
	uint64_t timeout_ms;
	void (*done)(void *arg, const struct upstream_answer *answer);
	void *arg;
};

/**
 * upstream_ask_start() - send the request
 * @ask_out:	set before @done can be called; the receiver forgets it there
 * Return: 0; -ENOMEM: @done will not be called.
 */
int upstream_ask_start(const struct upstream_settings *settings,
		       struct upstream_ask **ask_out)
	__attribute__((warn_unused_result));

/** upstream_ask_cancel() - close and free; NULL does nothing */
void upstream_ask_cancel(struct upstream_ask *ask);

#endif
