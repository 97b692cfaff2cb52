/* SPDX-License-Identifier: MIT */
/* tunnel_who: which process is the client? Asked of the gate at once, known at
 * the latest when a record is due. */
#include "tunnel_internal.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "desk.h"
#include "process_info.h"
#include "service.h"
#include "tunnel_who.h"

/* An end of the connection, as the client's own socket has it: a socket of both
 * families shows IPv4 in the spelling of IPv6. */
static bool get_end(const struct sockaddr_storage *sa, struct netaddr *addr,
		    uint16_t *port)
{
	struct netaddr_block block = {.prefix_bits = 128};

	if (!netaddr_from_sockaddr((const struct sockaddr *)sa, &block.addr,
				   port))
		return false;
	*addr = block.addr.family == AF_INET6 ? netaddr_block_unmap(&block).addr
					      : block.addr;
	return true;
}

static bool get_flow(int fd, struct service_flow *flow)
{
	struct sockaddr_storage inner = {.ss_family = AF_UNSPEC};
	struct sockaddr_storage outer = {.ss_family = AF_UNSPEC};
	socklen_t inner_len = sizeof(inner);
	socklen_t outer_len = sizeof(outer);

	flow->protocol = IPPROTO_TCP;
	return getpeername(fd, (struct sockaddr *)&inner, &inner_len) == 0 &&
	       getsockname(fd, (struct sockaddr *)&outer, &outer_len) == 0 &&
	       get_end(&inner, &flow->inner, &flow->inner_port) &&
	       get_end(&outer, &flow->outer, &flow->outer_port);
}

static void on_who(void *arg, const struct service_answer *answer,
		   const int *fds)
{
	struct tunnel *tunnel = arg;

	(void)fds;
	tunnel->who = NULL;
	tunnel->process = process_info_new(answer);
	if (tunnel->opening == NULL)
		return;
	tunnel_resume_open(tunnel);
	tunnel_resume_refusal(tunnel);
	tunnel_settle(tunnel);
}

static void ask(struct tunnel *tunnel, const struct service_flow *flow)
{
	const struct desk_receiver receiver = {on_who, tunnel};
	const struct service_question question = {
		.kind = SERVICE_WHO,
		.wants_parents = tunnel->context->wants_parents,
		.flow = *flow,
	};

	/* Out of memory: the record says nothing of a process. */
	(void)!desk_ask(tunnel->context->desk, &question, &receiver,
			&tunnel->who);
}

void tunnel_ask_who(struct tunnel *tunnel)
{
	struct service_flow flow;

	if (tunnel->context->desk != NULL &&
	    get_flow(tunnel->relay.fds[RELAY_CLIENT], &flow))
		ask(tunnel, &flow);
}

/* Its listener: the connection itself has no owner before it is accepted. */
void tunnel_ask_server(struct tunnel *tunnel, const struct netaddr *address)
{
	const struct service_flow flow = {
		.protocol = IPPROTO_TCP,
		.inner = *address,
		.inner_port = tunnel->port,
		.outer = {.family = address->family},
	};

	ask(tunnel, &flow);
}

void tunnel_forget_who(struct tunnel *tunnel)
{
	desk_cancel(tunnel->who);
	tunnel->who = NULL;
}
