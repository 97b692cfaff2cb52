/* SPDX-License-Identifier: MIT */
/* inner_sockets: sockets that belong to the sandbox's network. */
#include "inner_sockets.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "desk.h"

void inner_sockets_init(struct inner_sockets *sockets, struct desk *desk)
{
	*sockets = (struct inner_sockets){.desk = desk};
	TAILQ_INIT(&sockets->waiters);
}

void inner_sockets_clear(struct inner_sockets *sockets)
{
	for (size_t f = 0; f < INNER_FAMILY_COUNT; f++) {
		desk_cancel(sockets->requests[f]);
		sockets->requests[f] = NULL;
		while (sockets->counts[f] > 0)
			(void)close(sockets->fds[f][--sockets->counts[f]]);
	}
}

/* Those that wait now, not those that begin to while they are told. */
static void tell_waiters(struct inner_sockets *sockets)
{
	struct inner_waiter *last =
		TAILQ_LAST(&sockets->waiters, inner_waiters);
	struct inner_waiter *waiter;

	do {
		waiter = TAILQ_FIRST(&sockets->waiters);
		if (waiter == NULL)
			return;
		inner_sockets_leave(sockets, waiter);
		waiter->ready(waiter->arg);
	} while (waiter != last);
}

static void store(struct inner_sockets *sockets, enum inner_family family,
		  const struct service_answer *answer, const int *fds)
{
	sockets->requests[family] = NULL;
	for (uint32_t i = 0; i < answer->count; i++) {
		if (sockets->counts[family] < SERVICE_SOCKETS_MAX)
			sockets->fds[family][sockets->counts[family]++] =
				fds[i];
		else
			(void)close(fds[i]);
	}
	tell_waiters(sockets);
}

static void on_ipv4(void *arg, const struct service_answer *answer,
		    const int *fds)
{
	store(arg, INNER_IPV4, answer, fds);
}

static void on_ipv6(void *arg, const struct service_answer *answer,
		    const int *fds)
{
	store(arg, INNER_IPV6, answer, fds);
}

static int ask(struct inner_sockets *sockets, enum inner_family family)
{
	const struct desk_receiver receiver = {
		.done = family == INNER_IPV4 ? on_ipv4 : on_ipv6,
		.arg = sockets,
	};
	const struct service_question question = {
		.kind = SERVICE_SOCKETS,
		.family = family == INNER_IPV4 ? AF_INET : AF_INET6,
	};

	return desk_ask(sockets->desk, &question, &receiver,
			&sockets->requests[family]);
}

int inner_sockets_take(struct inner_sockets *sockets, enum inner_family family,
		       struct inner_waiter *waiter)
{
	if (sockets->counts[family] > 0)
		return sockets->fds[family][--sockets->counts[family]];
	if (sockets->requests[family] == NULL) {
		int rc = ask(sockets, family);
		if (rc != 0)
			return rc;
	}
	if (!waiter->is_waiting)
		TAILQ_INSERT_TAIL(&sockets->waiters, waiter, link);
	waiter->is_waiting = true;
	return -EAGAIN;
}

void inner_sockets_leave(struct inner_sockets *sockets,
			 struct inner_waiter *waiter)
{
	if (waiter->is_waiting)
		TAILQ_REMOVE(&sockets->waiters, waiter, link);
	waiter->is_waiting = false;
}
