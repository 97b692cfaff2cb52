/* SPDX-License-Identifier: MIT */
/* inner_dial: connects to a server inside the sandbox, once it is there. */
#include "inner_dial.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include "inner_sockets.h"
#include "ticks.h"

#define FIRST_PAUSE_MS 10
#define LAST_PAUSE_MS  160

/**
 * struct inner_dial - one connection on its way
 * @family:	what is tried now
 * @fds:	by family, kept for the next try; -1: none so far
 * @connecting:	fds[@family] becomes writable
 * @pause:	the next try, or at the latest the first
 */
struct inner_dial {
	struct inner_dial_settings settings;
	struct inner_waiter waiter;
	struct event connecting;
	struct event pause;
	int64_t deadline_ms;
	int pause_ms;
	enum inner_family family;
	int fds[INNER_FAMILY_COUNT];
};

static const struct netaddr addresses[INNER_FAMILY_COUNT] = {
	[INNER_IPV4] = {AF_INET,  {127, 0, 0, 1}                        },
	[INNER_IPV6] = {AF_INET6,
			{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}},
};

void inner_dial_cancel(struct inner_dial *dial)
{
	if (dial == NULL)
		return;
	inner_sockets_leave(dial->settings.sockets, &dial->waiter);
	(void)event_del(&dial->connecting);
	(void)event_del(&dial->pause);
	for (size_t f = 0; f < INNER_FAMILY_COUNT; f++)
		if (dial->fds[f] >= 0)
			(void)close(dial->fds[f]);
	free(dial);
}

static void finish(struct inner_dial *dial, int fd)
{
	const struct inner_dial_settings settings = dial->settings;
	enum inner_family family = dial->family;

	if (fd >= 0)
		dial->fds[family] = -1;
	inner_dial_cancel(dial);
	settings.done(settings.arg, fd, &addresses[family]);
}

static void succeed(struct inner_dial *dial)
{
	int fd = dial->fds[dial->family];
	int one = 1;

	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	finish(dial, fd);
}

/* Return: 0: connected; -EINPROGRESS; another -errno. */
static int start_connect(const struct inner_dial *dial, int fd)
{
	struct sockaddr_storage sa;
	socklen_t len = netaddr_to_sockaddr(&addresses[dial->family],
					    dial->settings.port, &sa);
	int rc;

	do
		rc = connect(fd, (const struct sockaddr *)&sa, len);
	while (rc != 0 && errno == EINTR);
	return rc == 0 ? 0 : -errno;
}

static void await(struct inner_dial *dial, int ms)
{
	const struct timeval tv = ticks_timeval(ms);

	(void)event_add(&dial->pause, &tv);
}

/* Neither family has a server: later, if there is time left. */
static void try_later(struct inner_dial *dial)
{
	if (ticks_now_ms() + dial->pause_ms >= dial->deadline_ms) {
		finish(dial, -1);
		return;
	}
	dial->family = INNER_IPV4;
	await(dial, dial->pause_ms);
	if (dial->pause_ms < LAST_PAUSE_MS)
		dial->pause_ms *= 2;
}

static void on_connected(evutil_socket_t fd, short what, void *arg);

/* Return: false: it will be gone on with later, or is over. */
static bool try_family(struct inner_dial *dial)
{
	int *fd = &dial->fds[dial->family];

	if (*fd < 0)
		*fd = inner_sockets_take(dial->settings.sockets, dial->family,
					 &dial->waiter);
	if (*fd == -EAGAIN) {
		await(dial, INNER_DIAL_TIMEOUT_MS);
		return false;
	}
	int rc = *fd < 0 ? *fd : start_connect(dial, *fd);
	if (rc == 0) {
		succeed(dial);
		return false;
	}
	if (rc != -EINPROGRESS)
		return true;
	(void)event_assign(&dial->connecting, dial->settings.base, *fd,
			   EV_WRITE, on_connected, dial);
	await(dial, INNER_DIAL_TIMEOUT_MS);
	return event_add(&dial->connecting, NULL) != 0;
}

static void try_families(struct inner_dial *dial)
{
	while (try_family(dial)) {
		if (dial->family == INNER_IPV6) {
			try_later(dial);
			return;
		}
		dial->family = INNER_IPV6;
	}
}

static void on_connected(evutil_socket_t fd, short what, void *arg)
{
	struct inner_dial *dial = arg;
	int error = 0;
	socklen_t len = sizeof(error);

	(void)what;
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) == 0 &&
	    error == 0) {
		succeed(dial);
	} else if (dial->family == INNER_IPV4) {
		dial->family = INNER_IPV6;
		try_families(dial);
	} else {
		try_later(dial);
	}
}

static void on_socket(void *arg)
{
	try_families(arg);
}

static void on_pause(evutil_socket_t fd, short what, void *arg)
{
	struct inner_dial *dial = arg;

	(void)fd;
	(void)what;
	if (ticks_now_ms() >= dial->deadline_ms)
		finish(dial, -1);
	else
		try_families(dial);
}

struct inner_dial *inner_dial_start(const struct inner_dial_settings *settings)
{
	struct inner_dial *dial = calloc(1, sizeof(*dial));

	if (dial == NULL)
		return NULL;
	dial->settings = *settings;
	dial->waiter = (struct inner_waiter){.ready = on_socket, .arg = dial};
	dial->deadline_ms = ticks_now_ms() + INNER_DIAL_TIMEOUT_MS;
	dial->pause_ms = FIRST_PAUSE_MS;
	dial->fds[INNER_IPV4] = -1;
	dial->fds[INNER_IPV6] = -1;
	(void)event_assign(&dial->connecting, settings->base, -1, EV_WRITE,
			   on_connected, dial);
	(void)evtimer_assign(&dial->pause, settings->base, on_pause, dial);
	/* From the loop: the receiver has nothing in hand yet. */
	await(dial, 0);
	return dial;
}
