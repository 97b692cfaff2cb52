/* SPDX-License-Identifier: MIT */
/*
 * tunnel_capture: connections that were meant for somebody else.
 *
 * How it works: the connection's own address is the one that the client meant.
 * If it stands for a name, the connection is one to that name: judged, dialled
 * and watched like a CONNECT, without an answer. If it is a bare address, only
 * an address rule allows it as it is; else the client's first bytes are looked
 * at, and a ClientHello or a request names a host. Then the addresses of that
 * name are dialled, never the one that the client chose. A loopback port that
 * the policy gives back is joined to the host's. Whoever is refused
 * hears it in what it speaks: an alert, a 403, or a reset.
 */
#include "tunnel_capture.h"

#include <errno.h>
#include <string.h>

#include "listener.h"
#include "policy.h"
#include "synthetic.h"
#include "tunnel_dial.h"
#include "tunnel_internal.h"

#define CONTENT_TYPE_HANDSHAKE 22 /* RFC 8446 s5.1 */

static void refuse(struct tunnel *tunnel, enum reason reason)
{
	tunnel_refuse(tunnel, &(struct tunnel_refusal){.reason = reason});
}

/* The kernel spells IPv4 so on a socket of both families. */
static struct netaddr unmap(const struct netaddr *addr)
{
	struct netaddr_block block = {.addr = *addr, .prefix_bits = 128};

	return addr->family == AF_INET6 ? netaddr_block_unmap(&block).addr
					: *addr;
}

bool tunnel_name_synthetic(const struct tunnel *tunnel, struct authority *to)
{
	const struct synthetic *table = tunnel->context->synthetic;
	struct hostname name;

	if (table == NULL || to->kind != AUTHORITY_ADDRESS ||
	    !synthetic_is(&to->address))
		return true;
	if (!synthetic_find(table, &to->address, &name))
		return false;
	*to = (struct authority){
		.kind = AUTHORITY_NAME,
		.name = name,
		.port = to->port,
	};
	return true;
}

static void refuse_destination(struct tunnel *tunnel)
{
	const struct authority *to = &tunnel->opening->authority;

	tunnel->decision = policy_decide_literal(tunnel_policy(tunnel),
						 &to->address, to->port, 0);
	if (tunnel->decision.verdict == VERDICT_ALLOW)
		tunnel->decision.reason = REASON_DESTINATION_IP_PROHIBITED;
	if (to->kind == AUTHORITY_ADDRESS) {
		tunnel->address = to->address;
		tunnel->has_address = true;
	}
	refuse(tunnel, tunnel->decision.reason);
}

/* Is it for us to say yes before the client has said anything? */
static bool is_allowed_literal(const struct tunnel *tunnel)
{
	const struct authority *to = &tunnel->opening->authority;

	return policy_decide_literal(tunnel_policy(tunnel), &to->address,
				     to->port, 0)
		       .verdict == VERDICT_ALLOW;
}

/* A port of the host's loopback that the policy gives back? */
static bool is_given_back(const struct tunnel *tunnel)
{
	const struct policy_ports *ports =
		&tunnel_policy(tunnel)->ports.loopback;
	const struct authority *to = &tunnel->opening->authority;

	if (netaddr_classify(&to->address) != NETADDR_LOOPBACK)
		return false;
	for (size_t i = 0; i < ports->count; i++)
		if (ports->items[i] == to->port)
			return true;
	return false;
}

void tunnel_take_captured(struct tunnel *tunnel)
{
	struct tunnel_opening *opening = tunnel->opening;
	struct authority *to = &opening->authority;
	char host[HOSTNAME_MAX_BYTES + 1];

	tunnel->via = AUDIT_VIA_CAPTURE;
	to->kind = AUTHORITY_ADDRESS;
	if (!listener_address(tunnel->relay.fds[RELAY_CLIENT], &to->address,
			      &to->port)) {
		tunnel_apply(tunnel, TUNNEL_ENDED);
		return;
	}
	to->address = unmap(&to->address);
	size_t len = authority_host_text(to, host);
	if (tunnel_set_host(tunnel, host, len, to->port) != 0)
		tunnel_apply(tunnel, TUNNEL_ENDED);
	else if (is_given_back(tunnel))
		tunnel_dial_loopback(tunnel);
	else if (netaddr_classify(&to->address) == NETADDR_LOOPBACK ||
		 !tunnel_name_synthetic(tunnel, to))
		refuse_destination(tunnel);
	else if (to->kind == AUTHORITY_NAME || is_allowed_literal(tunnel))
		tunnel_judge(tunnel, AUDIT_VIA_CAPTURE);
}

/* A ClientHello names whom the client means; it is read again, and judged, when
 * there is an origin. */
static void look_at_hello(struct tunnel *tunnel,
			  const struct tunnel_input *input)
{
	struct tunnel_opening *opening = tunnel->opening;
	struct client_hello hello;
	size_t fed = opening->looked;
	enum client_hello_result result = client_hello_feed(
		&opening->hello, input->data + fed, input->len - fed, &hello);

	opening->looked = input->len;
	if (tunnel_keep_from(tunnel, input, 0) != 0) {
		refuse(tunnel, REASON_PROXY_INTERNAL_ERROR);
		return;
	}
	if (result == CLIENT_HELLO_MORE)
		return;
	if (result != CLIENT_HELLO_OK || !hello.has_server_name) {
		refuse_destination(tunnel);
		return;
	}
	client_hello_clear(&opening->hello);
	client_hello_init(&opening->hello);
	opening->authority = (struct authority){
		.kind = AUTHORITY_NAME,
		.name = hello.server_name,
		.port = tunnel->port,
	};
	tunnel_judge(tunnel, AUDIT_VIA_CAPTURE);
}

/* A method, a space and what a target can begin with: more than the first
 * words of other protocols have (RFC 9112 s3). */
static bool looks_like_http(const uint8_t *data, size_t len)
{
	size_t at = 0;

	while (at < len && data[at] >= 'A' && data[at] <= 'Z')
		at++;
	return at >= 3 && len - at > 1 && data[at] == ' ' &&
	       (data[at + 1] == '/' || data[at + 1] == '*' ||
		data[at + 1] == 'h');
}

void tunnel_note_speech(struct tunnel *tunnel, const uint8_t *data, size_t len)
{
	struct tunnel_opening *opening = tunnel->opening;

	if (opening->speaks != TUNNEL_SPEAKS_NOTHING || len == 0)
		return;
	if (data[0] == CONTENT_TYPE_HANDSHAKE)
		opening->speaks = TUNNEL_SPEAKS_TLS;
	else if (looks_like_http(data, len))
		opening->speaks = TUNNEL_SPEAKS_HTTP;
	else
		opening->speaks = TUNNEL_SPEAKS_OTHER;
}

bool tunnel_look(struct tunnel *tunnel, const struct tunnel_input *input)
{
	struct tunnel_opening *opening = tunnel->opening;

	tunnel_note_speech(tunnel, input->data, input->len);
	if (opening->speaks == TUNNEL_SPEAKS_HTTP)
		return false;
	if (opening->speaks == TUNNEL_SPEAKS_TLS)
		look_at_hello(tunnel, input);
	else
		refuse_destination(tunnel);
	return true;
}

void tunnel_refuse_captured(struct tunnel *tunnel)
{
	refuse_destination(tunnel);
}

static void choose(struct tunnel *tunnel)
{
	struct tunnel_opening *opening = tunnel->opening;

	if (opening->speaks == TUNNEL_SPEAKS_TLS && opening->answer != NULL) {
		memcpy(opening->answer, opening->alert, opening->alert_len);
		opening->answer_len = opening->alert_len;
	} else if (opening->speaks != TUNNEL_SPEAKS_HTTP) {
		opening->answer_len = 0;
	}
	tunnel->is_reset = opening->answer_len == 0;
	opening->awaits_first = false;
}

bool tunnel_choose_answer(struct tunnel *tunnel)
{
	struct tunnel_opening *opening = tunnel->opening;
	uint8_t *scratch = tunnel->context->tools.scratch;

	if (!opening->awaits_first)
		return true;
	if (opening->speaks == TUNNEL_SPEAKS_NOTHING) {
		ssize_t n = relay_read(&tunnel->relay, RELAY_CLIENT, scratch,
				       RELAY_SCRATCH_BYTES);
		if (n == -EAGAIN)
			return false;
		tunnel_note_speech(tunnel, scratch, n > 0 ? (size_t)n : 0);
	}
	choose(tunnel);
	return true;
}
