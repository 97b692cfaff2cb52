/* SPDX-License-Identifier: MIT */
/* listener: sockets that accept, opened by us or handed over. */
#ifndef LISTENER_H
#define LISTENER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <event2/event_struct.h>

#include "diag.h"
#include "netaddr.h"

struct event_base;

/**
 * struct listener_owner - whom a listener reports to
 * @has_room:	may another connection be accepted now?
 * @take:	a connection (the receiver's to close)
 * @is_inside:	it accepts in a sandbox's network namespace: over its loopback
 * @starve:	accepting failed for want of something, or there is no room;
 *		@error is the errno, or 0 for no room. The owner pauses
 */
struct listener_owner {
	struct event_base *base;
	bool (*has_room)(void *arg);
	void (*take)(void *arg, int fd_own);
	void (*starve)(void *arg, int error);
	void *arg;
	bool is_inside;
};

struct listener {
	LIST_ENTRY(listener) link;
	struct event event;
	const struct listener_owner *owner;
	int fd;
	char *path; /* of a Unix socket that is removed at the end */
};

/**
 * listener_open() - "ADDR:PORT", "[ADDR]:PORT" or "unix:PATH" to a socket
 * @shared:	SO_REUSEPORT: several workers listen side by side
 *
 * A Unix socket is made with mode 0600; one left by a process that is gone is
 * replaced, anything else at that path is an error.
 *
 * Return: a listening descriptor, or -1 with @diag set.
 */
int listener_open(const char *where, bool shared, struct diag *diag)
	__attribute__((warn_unused_result));

/** listener_new() - accept on @fd_own (closed on failure too).
 * Return: NULL when out of memory. */
struct listener *listener_new(const struct listener_owner *owner, int fd_own);

/** listener_free() - stop and close; NULL does nothing */
void listener_free(struct listener *listener);

void listener_pause(struct listener *listener);
void listener_resume(struct listener *listener);

/** listener_address() - where it accepts. Return: false: not an IP socket. */
bool listener_address(int fd, struct netaddr *addr_out, uint16_t *port_out);

#endif
