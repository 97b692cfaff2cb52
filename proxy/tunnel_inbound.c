/* SPDX-License-Identifier: MIT */
/*
 * tunnel_inbound: connections from the host to a server inside (ports.listen).
 *
 * How it works: the client here is outside, the origin inside. What the policy
 * has to say was said when the port was opened, so there is nothing to judge: a
 * connection is recorded, with the process that listens, and joined.
 */
#include <arpa/inet.h>
#include <netinet/in.h>

#include "desk.h"
#include "inner_dial.h"
#include "listener.h"
#include "policy.h"
#include "service.h"
#include "tunnel_dial.h"
#include "tunnel_internal.h"
#include "tunnel_make.h"
#include "tunnel_who.h"

static bool is_any(const struct netaddr *addr)
{
	const struct netaddr any = {.family = addr->family};

	return netaddr_equal(addr, &any);
}

/* The port inside for a connection to this place of ours, or 0. */
static uint16_t find_port(const struct policy *policy,
			  const struct netaddr *address, uint16_t host_port)
{
	for (size_t i = 0; i < policy->ports.listen_count; i++) {
		const struct policy_listen *listen = &policy->ports.listen[i];

		if (listen->host_port == host_port &&
		    (netaddr_equal(&listen->host_address, address) ||
		     (listen->host_address.family == address->family &&
		      is_any(&listen->host_address))))
			return listen->port;
	}
	return 0;
}

/* Nobody listened in time: recorded, and closed without a word. */
static void give_up(struct tunnel *tunnel)
{
	tunnel->decision.verdict = VERDICT_DENY;
	tunnel->decision.would = VERDICT_DENY;
	tunnel->decision.reason = REASON_CONNECTION_REFUSED;
	(void)!tunnel_record_decision(tunnel, &tunnel->decision);
	tunnel->is_reset = true;
	tunnel_apply(tunnel, TUNNEL_ENDED);
}

static void on_inner(void *arg, int fd, const struct netaddr *address)
{
	struct tunnel *tunnel = arg;

	tunnel->opening->inner = NULL;
	if (fd < 0) {
		give_up(tunnel);
		return;
	}
	tunnel_ask_server(tunnel, address);
	tunnel_open_to(tunnel, fd);
	tunnel_settle(tunnel);
}

int tunnel_start_inbound(struct context *context, int fd_own)
{
	static const char host[] = "localhost";
	struct tunnel *tunnel = tunnel_make(context, fd_own);
	struct sockaddr_storage peer = {.ss_family = AF_UNSPEC};
	socklen_t len = sizeof(peer);
	struct netaddr address;
	uint16_t port = 0;

	if (tunnel == NULL)
		return -ENOMEM;
	tunnel->via = AUDIT_VIA_LISTEN;
	/* It is answered by the server, not by us. */
	tunnel->is_captured = true;
	tunnel->decision = (struct decision){
		.verdict = VERDICT_ALLOW,
		.would = VERDICT_ALLOW,
		.protocol = RULE_PROTOCOL_TCP,
	};
	if (listener_address(fd_own, &address, &port))
		port = find_port(tunnel_policy(tunnel), &address, port);
	if (port == 0 ||
	    tunnel_set_host(tunnel, host, sizeof(host) - 1, port) != 0) {
		tunnel_apply(tunnel, TUNNEL_ENDED);
		return 0;
	}
	uint16_t peer_port;
	tunnel->has_address =
		getpeername(fd_own, (struct sockaddr *)&peer, &len) == 0 &&
		netaddr_from_sockaddr((const struct sockaddr *)&peer,
				      &tunnel->address, &peer_port);
	tunnel_apply(tunnel, TUNNEL_DESTINED);
	tunnel->opening->inner = inner_dial_start(&(struct inner_dial_settings){
		.base = context->base,
		.sockets = &context->inner_sockets,
		.port = port,
		.done = on_inner,
		.arg = tunnel,
	});
	if (tunnel->opening->inner == NULL)
		give_up(tunnel);
	return 0;
}
