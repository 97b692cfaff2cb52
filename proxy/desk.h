/* SPDX-License-Identifier: MIT */
/*
 * desk: puts exeat-proxy's questions to the gate, and brings the answers back.
 *
 * How it works: a few questions are under way at a time (SERVICE_WINDOW), so
 * that neither side's buffer fills; the others wait in order. Whoever asked is
 * always told, once, from the loop: with the answer, or, when none came within
 * DESK_TIMEOUT_MS, that nothing is known. Nothing ever blocks.
 */
#ifndef DESK_H
#define DESK_H

#include <stdint.h>

#define DESK_TIMEOUT_MS 500

struct desk;
struct desk_request;
struct event_base;
struct service_answer;
struct service_question;

/**
 * struct desk_receiver - who is told
 * @done:	@answer is borrowed; its answer->count descriptors in @fds are
 *		the receiver's
 */
struct desk_receiver {
	void (*done)(void *arg, const struct service_answer *answer,
		     const int *fds);
	void *arg;
};

/** desk_new() - @pair: to the gate (service.h), borrowed.
 * Return: NULL when out of memory. */
struct desk *desk_new(struct event_base *base, int pair);

/** desk_free() - every request must be cancelled or answered by then; NULL
 * does nothing */
void desk_free(struct desk *desk);

/**
 * desk_ask() - ask; @question's id is the desk's business
 * @request_out: valid until the receiver is called or it is cancelled
 * Return: 0 or -ENOMEM.
 */
int desk_ask(struct desk *desk, const struct service_question *question,
	     const struct desk_receiver *receiver,
	     struct desk_request **request_out)
	__attribute__((warn_unused_result));

/** desk_cancel() - the receiver will not be called; NULL does nothing */
void desk_cancel(struct desk_request *request);

#endif
