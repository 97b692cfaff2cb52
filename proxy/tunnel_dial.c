/* SPDX-License-Identifier: MIT */
/* tunnel_dial: from a name to judged addresses, to a connection, to the 200. */
#include "tunnel_internal.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "dial_order.h"
#include "dialer.h"
#include "policy.h"
#include "resolver.h"
#include "response.h"
#include "text.h"
#include "tunnel_capture.h"
#include "tunnel_dial.h"
#include "tunnel_glance.h"
#include "tunnel_upstream.h"
#include "tunnel_who.h"

#define DETAIL_BYTES 512

/**
 * struct candidates - addresses of a name, as far as they may be dialled
 * @refused:	decision and address of the first one that may not
 */
struct candidates {
	struct netaddr addrs[DIAL_ORDER_MAX];
	size_t count;
	struct decision decision;
	struct decision refused;
	struct netaddr refused_addr;
	bool has_refused;
};

/* The traits of an address that this host can tell. Loopback needs no look at
 * the interfaces: it is judged as such anyway. */
static unsigned int host_traits(struct context *context,
				const struct netaddr *addr)
{
	if (netaddr_classify(addr) == NETADDR_LOOPBACK)
		return 0;
	return own_address_is(&context->own, addr) ? POLICY_ADDRESS_OWN : 0;
}

/* A connection to ourselves would be a loop, and could turn one client's
 * permission into another's: no rule opens it. */
static struct decision decide_address(struct tunnel *tunnel,
				      const struct netaddr *addr,
				      unsigned int traits)
{
	struct context *context = tunnel->context;

	if (own_address_is_listener(&context->own, addr, tunnel->port))
		return (struct decision){
			.reason = REASON_DESTINATION_IP_PROHIBITED};
	traits |= host_traits(context, addr);
	return policy_decide_address(tunnel_policy(tunnel), &tunnel->decision,
				     addr, tunnel->port, traits);
}

static void add_candidate(struct tunnel *tunnel, struct candidates *found,
			  const struct netaddr *addr, unsigned int traits)
{
	struct decision d = decide_address(tunnel, addr, traits);

	if (d.verdict == VERDICT_ALLOW && found->count < DIAL_ORDER_MAX) {
		/* What enforce had refused is said of the whole (observe). */
		if (found->count == 0 || d.would == VERDICT_DENY)
			found->decision = d;
		found->addrs[found->count++] = *addr;
		return;
	}
	if (d.verdict == VERDICT_ALLOW || found->has_refused)
		return;
	found->has_refused = true;
	found->refused = d;
	found->refused_addr = *addr;
}

static void refuse(struct tunnel *tunnel, enum reason reason,
		   const char *detail)
{
	tunnel_refuse(tunnel, &(struct tunnel_refusal){.reason = reason,
						       .detail = detail});
}

static void refuse_address(struct tunnel *tunnel, const struct decision *d,
			   const struct netaddr *addr)
{
	char address[NETADDR_TEXT_BYTES];
	char detail[DETAIL_BYTES];
	struct text t;

	tunnel->decision = *d;
	tunnel->address = *addr;
	tunnel->has_address = true;
	netaddr_format(addr, address);
	text_init(&t, detail, sizeof(detail));
	text_addf(&t, "%s is %s", address,
		  netaddr_class_text(netaddr_classify(addr)));
	refuse(tunnel, d->reason,
	       d->reason == REASON_DESTINATION_IP_PROHIBITED ? detail : NULL);
}

/* What the rule asks for first, or all may pass at once. Early data is waiting
 * in the input. */
static void go_on(struct tunnel *tunnel)
{
	struct byte_store *input = &tunnel->opening->input;

	switch (tunnel->decision.protocol) {
	case RULE_PROTOCOL_TLS:
		tunnel_apply(tunnel, TUNNEL_OPEN_FOR_HELLO);
		tunnel_read_hello(tunnel);
		return;
	case RULE_PROTOCOL_HTTP:
		if (tunnel_http_enter(tunnel) != 0)
			tunnel_apply(tunnel, TUNNEL_ENDED);
		return;
	case RULE_PROTOCOL_TCP:
		if (!tunnel_wants_glance(tunnel))
			break;
		tunnel_start_glance(tunnel);
		return;
	}
	if (input->len > 0 && relay_send(&tunnel->relay, RELAY_CLIENT,
					 input->data, input->len) != 0) {
		tunnel_apply(tunnel, TUNNEL_ENDED);
		return;
	}
	tunnel_apply(tunnel, TUNNEL_OPEN);
	tunnel_run_relay(tunnel);
}

static int answer_established(struct tunnel *tunnel)
{
	union {
		char http[RESPONSE_MAX_BYTES];
		uint8_t socks[SOCKS_REPLY_MAX_BYTES];
	} answer;

	size_t len = tunnel->opening->is_socks
			     ? socks_write_reply(&tunnel->opening->socks,
						 REASON_NONE, answer.socks)
			     : response_write_established(answer.http);
	int rc = relay_send(&tunnel->relay, RELAY_ORIGIN, &answer, len);

	/* The answer is ours, not the origin's. */
	tunnel->relay.ways[RELAY_ORIGIN].bytes = 0;
	if (rc == 0 && tunnel->relay.ways[RELAY_ORIGIN].held > 0)
		rc = -ENOBUFS; /* a client that cannot take 40 bytes */
	return rc;
}

/* The record comes first: nothing passes that is not recorded. */
void tunnel_open_to(struct tunnel *tunnel, int fd_own)
{
	if (tunnel->who != NULL) {
		tunnel->opening->ready_fd = fd_own;
		return;
	}
	if (tunnel_watch_origin(tunnel, fd_own) != 0) {
		refuse(tunnel, REASON_PROXY_INTERNAL_ERROR, NULL);
		return;
	}
	/* It was watched by another event until now: look anew. */
	if (tunnel->opening->is_upstream)
		relay_note(&tunnel->relay, RELAY_ORIGIN, EV_READ);
	if (tunnel_record_decision(tunnel, &tunnel->decision) != 0) {
		refuse(tunnel, REASON_AUDIT_FAILED, NULL);
		return;
	}
	tunnel->has_close = true;
	if (tunnel->opening->http != NULL) {
		tunnel_http_start(tunnel);
		return;
	}
	tunnel->is_answered = true;
	if (!tunnel->is_captured && answer_established(tunnel) != 0) {
		tunnel_apply(tunnel, TUNNEL_ENDED);
		return;
	}
	go_on(tunnel);
}

void tunnel_resume_open(struct tunnel *tunnel)
{
	int fd = tunnel->opening->ready_fd;

	tunnel->opening->ready_fd = -1;
	if (fd >= 0)
		tunnel_open_to(tunnel, fd);
}

static void take_result(struct tunnel *tunnel, const struct dial_result *result)
{
	char detail[DETAIL_BYTES];
	struct text t;

	tunnel->opening->dial = NULL;
	if (result->fd >= 0) {
		tunnel->address = result->address;
		tunnel->has_address = true;
		if (tunnel->opening->is_upstream)
			tunnel_ask_upstream(tunnel, result->fd);
		else
			tunnel_open_to(tunnel, result->fd);
		return;
	}
	text_init(&t, detail, sizeof(detail));
	text_add(&t, tunnel->opening->is_upstream ? "upstream proxy " : "");
	dial_describe(result->dial, &t);
	refuse(tunnel, result->reason, detail);
}

static void on_dialled(void *arg, const struct dial_result *result)
{
	take_result(arg, result);
	tunnel_settle(arg);
}

void tunnel_start_dial(struct tunnel *tunnel, const struct netaddr *addrs,
		       size_t count, uint16_t port)
{
	const struct dial_settings settings = {
		.base = tunnel->context->base,
		.addrs = addrs,
		.count = count,
		.port = port,
		.timeout_ms = tunnel_policy(tunnel)->proxy.connect_timeout_ms,
		.done = on_dialled,
		.arg = tunnel,
	};
	struct dial *dial = NULL;

	tunnel->address = addrs[0];
	tunnel->has_address = true;
	tunnel_apply(tunnel, TUNNEL_DESTINED);
	if (dial_start(&settings, &dial) != 0)
		refuse(tunnel, REASON_PROXY_INTERNAL_ERROR, NULL);
	else if (dial != NULL)
		tunnel->opening->dial = dial;
}

static void dial_candidates(struct tunnel *tunnel, struct candidates *found)
{
	if (found->count == 0) {
		refuse_address(tunnel, &found->refused, &found->refused_addr);
		return;
	}
	tunnel->decision = found->decision;
	found->count = dial_order_interleave(found->addrs, found->count);
	tunnel_start_dial(tunnel, found->addrs, found->count, tunnel->port);
}

static void take_answer(struct tunnel *tunnel,
			const struct resolver_answer *answer)
{
	struct candidates found = {.count = 0};

	tunnel->opening->request = NULL;
	if (answer->reason != REASON_NONE) {
		refuse(tunnel, answer->reason, answer->detail);
		return;
	}
	for (size_t i = 0; i < answer->count; i++)
		add_candidate(tunnel, &found, &answer->addrs[i], 0);
	dial_candidates(tunnel, &found);
}

static void on_resolved(void *arg, const struct resolver_answer *answer)
{
	take_answer(arg, answer);
	tunnel_settle(arg);
}

void tunnel_find_addresses(struct tunnel *tunnel)
{
	const struct hostname *host = &tunnel->opening->authority.name;
	const struct resolver_receiver receiver = {on_resolved, tunnel};
	struct candidates found = {.count = 0};
	struct resolver_request *request = NULL;
	struct netaddr addr;
	size_t at = 0;

	tunnel->opening->is_upstream = false;
	/* Fixed answers are the user's word: nobody else is asked then. */
	while ((at = policy_next_answer(tunnel_policy(tunnel), host, at,
					&addr)) != 0)
		add_candidate(tunnel, &found, &addr, POLICY_ADDRESS_WRITTEN);
	if (found.count > 0 || found.has_refused) {
		dial_candidates(tunnel, &found);
		return;
	}
	if (resolver_find(tunnel->context->resolver, host, &receiver,
			  &request) != 0)
		refuse(tunnel, REASON_PROXY_INTERNAL_ERROR, NULL);
	else if (request != NULL)
		tunnel->opening->request = request;
}

void tunnel_dial_literal(struct tunnel *tunnel)
{
	struct context *context = tunnel->context;
	const struct authority *to = &tunnel->opening->authority;
	struct decision d = {.reason = REASON_DESTINATION_IP_PROHIBITED};

	if (!own_address_is_listener(&context->own, &to->address, to->port))
		d = policy_decide_literal(tunnel_policy(tunnel), &to->address,
					  to->port,
					  host_traits(context, &to->address));
	if (d.verdict == VERDICT_DENY) {
		refuse_address(tunnel, &d, &to->address);
		return;
	}
	tunnel->decision = d;
	if (tunnel_is_settled(tunnel))
		return;
	tunnel->opening->is_upstream = false;
	if (tunnel_goes_upstream(tunnel))
		tunnel_find_upstream(tunnel);
	else
		tunnel_start_dial(tunnel, &to->address, 1, to->port);
}

/* The address that the client used comes first; a server of the host may listen
 * on the other one alone. */
void tunnel_dial_loopback(struct tunnel *tunnel)
{
	static const struct netaddr both[] = {
		{AF_INET,  {127, 0, 0, 1}},
		{AF_INET6, {[15] = 1}    },
		{AF_INET,  {127, 0, 0, 1}},
	};
	bool is_ipv6 = tunnel->opening->authority.address.family == AF_INET6;

	tunnel->via = AUDIT_VIA_LOOPBACK;
	tunnel->decision = (struct decision){
		.verdict = VERDICT_ALLOW,
		.would = VERDICT_ALLOW,
		.protocol = RULE_PROTOCOL_TCP,
	};
	if (!tunnel_is_settled(tunnel))
		tunnel_start_dial(tunnel, both + is_ipv6, 2, tunnel->port);
}
