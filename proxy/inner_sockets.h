/* SPDX-License-Identifier: MIT */
/*
 * inner_sockets: sockets that belong to the sandbox's network, made by the
 * gate.
 *
 * How it works: the gate makes a handful at a time; what is not needed yet is
 * kept here. Whoever finds none is told when more have come, or none will.
 */
#ifndef INNER_SOCKETS_H
#define INNER_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

#include "service.h"

struct desk;
struct desk_request;

/** struct inner_waiter - embedded in whoever waits */
struct inner_waiter {
	TAILQ_ENTRY(inner_waiter) link;
	void (*ready)(void *arg);
	void *arg;
	bool is_waiting;
};

enum inner_family {
	INNER_IPV4 = 0,
	INNER_IPV6,
	INNER_FAMILY_COUNT
};

/** struct inner_sockets - embedded; zeroed: of no use, but may be cleared */
struct inner_sockets {
	struct desk *desk;
	int fds[INNER_FAMILY_COUNT][SERVICE_SOCKETS_MAX];
	size_t counts[INNER_FAMILY_COUNT];
	struct desk_request *requests[INNER_FAMILY_COUNT];
	TAILQ_HEAD(inner_waiters, inner_waiter) waiters;
};

/** inner_sockets_init() - @desk: borrowed */
void inner_sockets_init(struct inner_sockets *sockets, struct desk *desk);

/** inner_sockets_clear() - close what is left; nobody may wait any more */
void inner_sockets_clear(struct inner_sockets *sockets);

/**
 * inner_sockets_take() - a TCP socket, non-blocking, the caller's
 * @waiter:	told once, from the loop, when it is worth while to try again
 * Return: a descriptor; -EAGAIN: @waiter will be told; another -errno.
 */
int inner_sockets_take(struct inner_sockets *sockets, enum inner_family family,
		       struct inner_waiter *waiter)
	__attribute__((warn_unused_result));

/** inner_sockets_leave() - do not tell @waiter */
void inner_sockets_leave(struct inner_sockets *sockets,
			 struct inner_waiter *waiter);

#endif
