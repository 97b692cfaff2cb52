/* SPDX-License-Identifier: MIT */
/* context: what all tunnels of one event loop share. */
#ifndef CONTEXT_H
#define CONTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <event2/event_struct.h>

#include "client_table.h"
#include "deny_table.h"
#include "inner_sockets.h"
#include "own_address.h"
#include "relay.h"
#include "trail.h"

struct desk;
struct event_base;
struct policy_hold;
struct resolver;
struct synthetic;
struct tunnel;

TAILQ_HEAD(tunnel_list, tunnel);

/**
 * struct context - owned by server.c
 * @policy:	for new tunnels; each keeps a reference of its own
 * @synthetic:	names behind addresses; NULL: connections are not captured
 * @heads:	tunnels whose request is not whole yet, oldest first
 * @others:	all other living tunnels
 * @closed:	to be freed when the loop is back in our hands
 * @tidy:	frees @closed and serves @again; activated by tunnels
 * @again:	relays that used up their turn
 * @active_ms:	when a tunnel last did something
 * @count:	tunnels in @heads and @others
 * @desk:	asks the gate; NULL: there is none
 * @inner_sockets: for servers inside
 * @wants_parents: records name the processes above, too
 * @max:	tunnels that are served; more are refused
 * @max_per_client: the same of one client; 0: no such limit
 * @clients:	connections by client, where the policy limits them
 * @on_closed:	called after a tunnel was freed: there is room
 * @has_told_tls: the hint about TLS on this port was logged
 */
struct context {
	struct event_base *base;
	struct policy_hold *policy;
	struct resolver *resolver;
	struct desk *desk;
	struct inner_sockets inner_sockets;
	bool wants_parents;
	struct synthetic *synthetic;
	struct trail trail;
	struct deny_table denied;
	struct own_address own;
	struct tunnel_list heads;
	struct tunnel_list others;
	struct tunnel_list closed;
	struct tunnel_list again;
	struct event tidy;
	size_t again_count;
	int64_t active_ms;
	size_t count;
	size_t max;
	size_t max_per_client;
	struct client_table clients;
	void (*on_closed)(void *arg);
	void *on_closed_arg;
	bool has_told_tls;
	struct relay_tools tools;
};

#endif
