/* SPDX-License-Identifier: MIT */
/* dialer: connects to addresses that were judged, in turn (RFC 8305). */
#include "dialer.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include "text.h"
#include "ticks.h"

/* @error: errno of the failure, EINPROGRESS (and then there is an event), or 0:
 * not tried yet, or connected at once */
struct attempt {
	struct dial *dial;
	struct netaddr address;
	struct event connected;
	int fd;
	int error;
};

struct dial {
	struct dial_settings settings;
	struct event timer;
	int64_t deadline_ms;
	int64_t next_ms; /* when another attempt may begin beside the others */
	size_t started;
	size_t pending;
	struct attempt attempts[]; /* settings.count of them */
};

static void stop_waiting(struct attempt *attempt)
{
	if (attempt->error == EINPROGRESS)
		(void)event_del(&attempt->connected);
}

static void close_attempt(struct attempt *attempt, int error)
{
	if (attempt->fd < 0)
		return;
	stop_waiting(attempt);
	(void)close(attempt->fd);
	attempt->fd = -1;
	attempt->error = error;
	attempt->dial->pending--;
}

void dial_cancel(struct dial *dial)
{
	if (dial == NULL)
		return;
	for (size_t i = 0; i < dial->started; i++)
		close_attempt(&dial->attempts[i], ECANCELED);
	(void)event_del(&dial->timer);
	free(dial);
}

/* Our own want, not the destination's fault. */
static bool is_internal(int error)
{
	return error == EMFILE || error == ENFILE || error == ENOMEM ||
	       error == ENOBUFS || error == EADDRNOTAVAIL || error == EACCES ||
	       error == EPERM;
}

static enum reason failure_reason(const struct dial *dial)
{
	bool all_internal = true;

	for (size_t i = 0; i < dial->started; i++) {
		if (dial->attempts[i].error == ETIMEDOUT)
			return REASON_CONNECTION_TIMEOUT;
		all_internal &= is_internal(dial->attempts[i].error);
	}
	return all_internal ? REASON_PROXY_INTERNAL_ERROR
			    : REASON_CONNECTION_REFUSED;
}

/* Report, then free: the receiver may read what was tried. */
static void finish(struct dial *dial, struct attempt *winner)
{
	struct dial_result result = {.fd = -1, .dial = dial};

	if (winner != NULL) {
		stop_waiting(winner);
		result.fd = winner->fd;
		result.address = winner->address;
		winner->fd = -1;
		dial->pending--;
	} else {
		result.reason = failure_reason(dial);
	}
	dial->settings.done(dial->settings.arg, &result);
	dial_cancel(dial);
}

static int open_socket(const struct netaddr *address)
{
	int one = 1;
	int fd = socket(address->family,
			SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd >= 0)
		(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one,
				 sizeof(one));
	return fd;
}

/* Return: 0 connected, EINPROGRESS, or the failure. */
static int connect_now(int fd, const struct netaddr *address, uint16_t port)
{
	struct sockaddr_storage sa;
	socklen_t len = netaddr_to_sockaddr(address, port, &sa);

	if (connect(fd, (struct sockaddr *)&sa, len) == 0)
		return 0;
	if (errno != EINPROGRESS)
		return errno;
	/* On loopback the handshake is over by now, but the kernel says so
	 * only when asked again; that saves a turn of the loop. */
	if (connect(fd, (struct sockaddr *)&sa, len) == 0)
		return 0;
	return errno == EALREADY ? EINPROGRESS : errno;
}

static void on_connected(evutil_socket_t fd, short what, void *arg);

/* Return: the attempt when it is connected already, else NULL. */
static struct attempt *start_next(struct dial *dial)
{
	struct attempt *attempt = &dial->attempts[dial->started++];

	attempt->fd = open_socket(&attempt->address);
	if (attempt->fd < 0) {
		attempt->error = errno;
		return NULL;
	}
	dial->pending++;
	attempt->error = connect_now(attempt->fd, &attempt->address,
				     dial->settings.port);
	if (attempt->error == 0)
		return attempt;
	(void)event_assign(&attempt->connected, dial->settings.base,
			   attempt->fd, EV_WRITE, on_connected, attempt);
	if (attempt->error != EINPROGRESS ||
	    event_add(&attempt->connected, NULL) != 0)
		close_attempt(attempt, attempt->error);
	return NULL;
}

/* Begin attempts until one is under way and its turn is not over; report when
 * none is left. Return: false: the dial is over and freed. */
static bool advance(struct dial *dial)
{
	int64_t now = ticks_now_ms();

	while (dial->started < dial->settings.count &&
	       (dial->pending == 0 || now >= dial->next_ms)) {
		struct attempt *winner = start_next(dial);

		dial->next_ms = now + DIALER_ATTEMPT_DELAY_MS;
		if (winner != NULL) {
			finish(dial, winner);
			return false;
		}
	}
	if (dial->pending == 0) {
		finish(dial, NULL);
		return false;
	}
	int64_t wake = dial->deadline_ms;
	if (dial->started < dial->settings.count && dial->next_ms < wake)
		wake = dial->next_ms;
	struct timeval tv = ticks_timeval(wake - now + 1);
	(void)event_add(&dial->timer, &tv);
	return true;
}

static void on_connected(evutil_socket_t fd, short what, void *arg)
{
	struct attempt *attempt = arg;
	struct dial *dial = attempt->dial;
	int error = 0;
	socklen_t len = sizeof(error);

	(void)what;
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) != 0)
		error = errno;
	if (error == 0) {
		finish(dial, attempt);
		return;
	}
	close_attempt(attempt, error);
	/* The next one need not wait for its turn (RFC 8305 s5). */
	dial->next_ms = 0;
	(void)advance(dial);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct dial *dial = arg;

	(void)fd;
	(void)what;
	if (ticks_now_ms() < dial->deadline_ms) {
		(void)advance(dial);
		return;
	}
	for (size_t i = 0; i < dial->started; i++)
		close_attempt(&dial->attempts[i], ETIMEDOUT);
	finish(dial, NULL);
}

int dial_start(const struct dial_settings *settings, struct dial **dial_out)
{
	struct dial *dial = calloc(
		1, sizeof(*dial) + settings->count * sizeof(dial->attempts[0]));

	if (dial == NULL)
		return -ENOMEM;
	dial->settings = *settings;
	dial->settings.addrs = NULL;
	dial->deadline_ms = ticks_now_ms() + (int64_t)settings->timeout_ms;
	for (size_t i = 0; i < settings->count; i++) {
		dial->attempts[i].dial = dial;
		dial->attempts[i].fd = -1;
		dial->attempts[i].address = settings->addrs[i];
	}
	(void)evtimer_assign(&dial->timer, settings->base, on_timer, dial);
	*dial_out = advance(dial) ? dial : NULL;
	return 0;
}

static const char *error_text(int error)
{
	switch (error) {
	case 0:
		return "not tried";
	case ECONNREFUSED:
		return "connection refused";
	case ETIMEDOUT:
		return "no answer in time";
	case ENETUNREACH:
	case EHOSTUNREACH:
		return "no route";
	default:
		return strerror(error);
	}
}

void dial_describe(const struct dial *dial, struct text *t)
{
	for (size_t i = 0; i < dial->started; i++) {
		char address[NETADDR_TEXT_BYTES];

		netaddr_format(&dial->attempts[i].address, address);
		text_addf(t, "%s%s: %s", i > 0 ? ", " : "", address,
			  error_text(dial->attempts[i].error));
	}
}
