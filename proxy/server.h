/* SPDX-License-Identifier: MIT */
/*
 * server: wires policy, audit trail, listeners, resolver and tunnels of one
 * event loop; starts and stops them.
 *
 * How it works: descriptors are budgeted. A tunnel may need two, so accepting
 * pauses before the limit of the process is reached: the clients wait in the
 * backlog, what is open goes on, the audit file and the resolver keep theirs.
 * While it is paused, connections that have sent no request for a second make
 * way for those that wait.
 */
#ifndef SERVER_H
#define SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct deny_table;
struct event_base;
struct policy;
struct server;

/**
 * struct server_settings - how to serve
 * @policy_own:	taken over, also on failure
 * @audit_fd:	where records go (borrowed)
 * @run:	run id or NULL (borrowed)
 * @first_seq, @first_conn: numbers in records begin with the one, and behind
 *		the other
 * @shares:	how many servers have the policy's limits in common
 */
struct server_settings {
	struct event_base *base;
	struct policy *policy_own;
	int audit_fd;
	const char *run;
	uint64_t first_seq;
	uint64_t first_conn;
	size_t shares;
	const char *hosts_path;
};

/** server_new() - Return: NULL when out of memory. */
struct server *server_new(const struct server_settings *settings);

/* What comes by a listener, and what it is there for. */
enum server_listener {
	SERVER_HOST = 0, /* requests; it is in the namespace that we dial in: a
			    destination that is this socket is refused */
	SERVER_SANDBOX,  /* requests; in another namespace */
	SERVER_CAPTURE,  /* connections that were meant for somebody else */
	SERVER_DNS,      /* names asked for by TCP */
	SERVER_INBOUND,  /* connections from the host to servers inside */
	SERVER_LISTENER_COUNT
};

/**
 * server_add_listener() - accept on @fd_own
 * Return: 0 or -errno; the descriptor was closed then.
 */
int server_add_listener(struct server *server, int fd_own,
			enum server_listener kind)
	__attribute__((warn_unused_result));

/** server_add_names() - answer what is asked on this UDP socket
 * Return: 0 or -errno; the descriptor was closed then. */
int server_add_names(struct server *server, int fd_own)
	__attribute__((warn_unused_result));

/** server_add_tap() - record what is seen on this packet socket (tap.h)
 * Return: 0 or -errno; the descriptor was closed then. */
int server_add_tap(struct server *server, int fd_own)
	__attribute__((warn_unused_result));

/** server_is_behind() - something was seen that is not recorded yet */
bool server_is_behind(struct server *server);

/**
 * server_ask_gate() - records name the client's process from now on
 * @pair:	to the gate (service.h), borrowed
 * @wants_parents: and the processes above it
 * Return: 0 or -ENOMEM.
 */
int server_ask_gate(struct server *server, int pair, bool wants_parents)
	__attribute__((warn_unused_result));

/**
 * server_reload() - another policy for whatever begins from now on
 * @policy_own:	taken over, also on failure
 *
 * Tunnels that are open keep the policy that they were judged by, unless the
 * new one says `proxy.reload_closes`. Listeners stay as they are.
 *
 * Return: 0; -ENOMEM: the old policy stays.
 */
int server_reload(struct server *server, struct policy *policy_own)
	__attribute__((warn_unused_result));

/**
 * server_drain() - accept no more; leave the loop when the tunnels are done
 *
 * Those that move bytes have five seconds. The records are written by
 * server_stop().
 */
void server_drain(struct server *server);

/** server_stop() - accept no more; close all tunnels with their records */
void server_stop(struct server *server);

/** server_free() - stop and free; NULL does nothing */
void server_free(struct server *server);

/** server_denied() - refused destinations so far; lives with the server */
const struct deny_table *server_denied(const struct server *server);

/** server_prepare() - open what is otherwise opened when first needed: for a
 * process that will not be able to */
void server_prepare(struct server *server);

/** server_next_seq() - the number that the next record would have */
uint64_t server_next_seq(const struct server *server);

#endif
