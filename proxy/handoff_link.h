/* SPDX-License-Identifier: MIT */
/*
 * handoff_link: exeat-proxy's ends of the pairs to runner and gate.
 *
 * How it works: the gate hands over listeners, then says SEALED, and the runner
 * is told READY. The end of either pair means that the other process is gone,
 * and so are we, at once: nothing stays open that nobody watches over (G13).
 * The runner's STOP closes the tunnels, reports what was refused, and ends us.
 */
#ifndef HANDOFF_LINK_H
#define HANDOFF_LINK_H

#include <stdbool.h>

#include <event2/event_struct.h>

struct event_base;
struct server;

/** struct handoff_link - embedded; @is_done: ended by STOP, all was reported */
struct handoff_link {
	struct event_base *base;
	struct server *server;
	struct event runner;
	struct event gate;
	struct event turn;
	unsigned int turns_left;
	unsigned int pauses_left;
	bool is_sealed;
	bool is_done;
};

/** handoff_link_start() - listen to both pairs (conf/handoff.h numbers).
 * The loop is left when it is over. Return: 0 or -errno. */
int handoff_link_start(struct handoff_link *link, struct event_base *base,
		       struct server *server)
	__attribute__((warn_unused_result));

/** handoff_link_clear() - stop listening */
void handoff_link_clear(struct handoff_link *link);

#endif
