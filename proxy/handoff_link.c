/* SPDX-License-Identifier: MIT */
/* handoff_link: exeat-proxy's ends of the pairs to runner and gate. */
#include "handoff_link.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "confine.h"
#include "deny_table.h"
#include "handoff.h"
#include "server.h"
#include "text.h"

#define LAST_TURNS 4 /* of the loop: accept, read, dial, relay */
/* Packets may wait in the kernel; mostly there are none. */
#define LAST_PAUSES   10
#define LAST_PAUSE_US 5000

static void leave(struct handoff_link *link)
{
	(void)event_base_loopbreak(link->base);
}

static void fail(struct handoff_link *link, const char *what, int error)
{
	handoff_say(HANDOFF_FD_RUNNER, HANDOFF_FAILED, (uint32_t)error,
		    "%s: %s", what, strerror(error));
	leave(link);
}

static void say_denied(const struct deny_entry *entry)
{
	struct handoff_message message = {.type = HANDOFF_DENIED,
					  .number = entry->count};
	struct text t;

	text_init(&t, message.text, sizeof(message.text));
	text_add(&t, entry->destination);
	text_init(&t, message.detail, sizeof(message.detail));
	text_add(&t, entry->flag);
	(void)!handoff_send(HANDOFF_FD_RUNNER, &message, -1);
}

static void report(struct handoff_link *link)
{
	const struct deny_table *denied = server_denied(link->server);

	server_stop(link->server);
	for (size_t i = 0; i < denied->count; i++)
		say_denied(&denied->entries[i]);
	handoff_say(HANDOFF_FD_RUNNER, HANDOFF_DONE,
		    (uint32_t)server_next_seq(link->server), "%s", "");
	link->is_done = true;
	leave(link);
}

/* What the command did last may still wait in sockets, its connections even in
 * the backlog: all of it is seen and recorded before the end. */
static void on_turn(evutil_socket_t fd, short what, void *arg)
{
	const struct timeval now = {0, 0};
	const struct timeval pause = {0, LAST_PAUSE_US};
	struct handoff_link *link = arg;

	(void)fd;
	(void)what;
	if (link->turns_left == 0 && link->pauses_left > 0 &&
	    server_is_behind(link->server)) {
		link->pauses_left--;
		(void)event_add(&link->turn, &pause);
		return;
	}
	if (link->turns_left == 0) {
		report(link);
		return;
	}
	link->turns_left--;
	(void)event_add(&link->turn, &now);
}

/* From here on the end of a pair is no news: the gate goes at the same time. */
static void begin_end(struct handoff_link *link)
{
	(void)event_del(&link->runner);
	(void)event_del(&link->gate);
	on_turn(-1, 0, link);
}

/* Return: 0 or -errno; the descriptor is taken over either way. */
static int add_socket(struct server *server, uint32_t kind, int fd_own)
{
	switch (kind) {
	case HANDOFF_LISTENER_PROXY:
		return server_add_listener(server, fd_own, SERVER_SANDBOX);
	case HANDOFF_LISTENER_CAPTURE:
		return server_add_listener(server, fd_own, SERVER_CAPTURE);
	case HANDOFF_LISTENER_DNS_TCP:
		return server_add_listener(server, fd_own, SERVER_DNS);
	case HANDOFF_LISTENER_INBOUND:
		return server_add_listener(server, fd_own, SERVER_INBOUND);
	case HANDOFF_LISTENER_TAP:
		return server_add_tap(server, fd_own);
	case HANDOFF_LISTENER_DNS_UDP:
		return server_add_names(server, fd_own);
	default:
		(void)close(fd_own);
		return -EPROTO;
	}
}

static void take_listener(struct handoff_link *link, uint32_t kind, int fd)
{
	int rc = fd < 0 ? -EPROTO : add_socket(link->server, kind, fd);

	if (rc == -EPROTO)
		fail(link, "a listener of a kind that is not known", EPROTO);
	else if (rc != 0)
		fail(link, "listener", -rc);
}

static void on_runner(evutil_socket_t fd, short what, void *arg)
{
	struct handoff_link *link = arg;
	struct handoff_message message;
	int attached = -1;
	int rc = handoff_receive(fd, &message, &attached);

	(void)what;
	if (rc == -EAGAIN)
		return;
	if (rc == 1 && message.type == HANDOFF_LISTENER &&
	    message.number == HANDOFF_LISTENER_INBOUND) {
		take_listener(link, message.number, attached);
		return;
	}
	if (attached >= 0)
		(void)close(attached);
	if (rc == 1 && message.type == HANDOFF_STOP)
		begin_end(link);
	else
		leave(link);
}

/* The loop may show the gate's end before a STOP that came earlier. */
static void gate_ended(struct handoff_link *link)
{
	struct pollfd runner = {.fd = HANDOFF_FD_RUNNER, .events = POLLIN};

	if (poll(&runner, 1, 0) == 1)
		on_runner(HANDOFF_FD_RUNNER, EV_READ, link);
	else
		leave(link);
}

static void confine(struct handoff_link *link)
{
	const struct confine_settings no_files = {.count = 0};

	server_prepare(link->server);
	int rc = confine_late(&no_files);
	if (rc != 0)
		fail(link, "confinement of exeat-proxy", -rc);
}

static void on_gate(evutil_socket_t fd, short what, void *arg)
{
	struct handoff_link *link = arg;
	struct handoff_message message;
	int attached = -1;
	int rc = handoff_receive(fd, &message, &attached);

	(void)what;
	if (rc == -EAGAIN)
		return;
	if (rc != 1) {
		gate_ended(link);
		return;
	}
	if (message.type == HANDOFF_LISTENER && !link->is_sealed) {
		take_listener(link, message.number, attached);
		return;
	}
	if (attached >= 0)
		(void)close(attached);
	if (message.type != HANDOFF_SEALED || link->is_sealed) {
		fail(link, "a message from the gate that is not known", EPROTO);
		return;
	}
	link->is_sealed = true;
	handoff_say(HANDOFF_FD_RUNNER, HANDOFF_READY, 0, "%s", "");
	/* While the command is being started, and before it can send a byte:
	 * the start does not wait for this. */
	confine(link);
}

int handoff_link_start(struct handoff_link *link, struct event_base *base,
		       struct server *server)
{
	*link = (struct handoff_link){
		.base = base,
		.server = server,
		.turns_left = LAST_TURNS,
		.pauses_left = LAST_PAUSES,
	};
	(void)evtimer_assign(&link->turn, base, on_turn, link);
	(void)event_assign(&link->runner, base, HANDOFF_FD_RUNNER,
			   EV_READ | EV_PERSIST, on_runner, link);
	(void)event_assign(&link->gate, base, HANDOFF_FD_GATE,
			   EV_READ | EV_PERSIST, on_gate, link);
	if (event_add(&link->runner, NULL) != 0 ||
	    event_add(&link->gate, NULL) != 0)
		return -EBADF;
	return 0;
}

void handoff_link_clear(struct handoff_link *link)
{
	(void)event_del(&link->runner);
	(void)event_del(&link->gate);
	(void)event_del(&link->turn);
}
