/* SPDX-License-Identifier: MIT */
/* tunnel_request: reads the request and decides by name and port. */
#include "tunnel_internal.h"

#include <errno.h>
#include <string.h>

#include "log.h"
#include "policy.h"
#include "tunnel_capture.h"
#include "tunnel_dial.h"
#include "tunnel_upstream.h"

/* A head that came in one read is judged where it lies; only one that did not
 * is kept in memory of its own.
 * Return: 1 there is something new; 0 nothing yet; -1 the client is gone. */
static int read_input(struct tunnel *tunnel, struct tunnel_input *input_out)
{
	struct byte_store *kept = &tunnel->opening->input;
	uint8_t *scratch = tunnel->context->tools.scratch;
	ssize_t n = relay_read(&tunnel->relay, RELAY_CLIENT, scratch,
			       REQUEST_HEAD_MAX_BYTES);

	if (n == -EAGAIN)
		return 0;
	if (n <= 0)
		return -1;
	if (kept->len == 0) {
		*input_out = (struct tunnel_input){scratch, (size_t)n};
		return 1;
	}
	if (byte_store_add(kept, scratch, (size_t)n) != 0)
		return -1;
	*input_out = (struct tunnel_input){kept->data, kept->len};
	return 1;
}

int tunnel_keep_from(struct tunnel *tunnel, const struct tunnel_input *input,
		     size_t from)
{
	struct byte_store *kept = &tunnel->opening->input;
	size_t len = input->len - from;

	if (kept->len > 0) {
		byte_store_drop(kept, from);
		return 0;
	}
	return len > 0 ? byte_store_add(kept, input->data + from, len) : 0;
}

void tunnel_refuse_target(struct tunnel *tunnel,
			  const struct request_head *head, unsigned int status)
{
	/* An earlier request's record must not name this one's target. */
	if (tunnel->opening->http != NULL && tunnel->has_close)
		tunnel_change_origin(tunnel);
	if (tunnel_set_host(tunnel, head->target.at, head->target.len, 0) != 0)
		tunnel->host_len = 0;
	tunnel_refuse(tunnel, &(struct tunnel_refusal){
				      .reason = REASON_HTTP_REQUEST_ERROR,
				      .status = status,
				      .detail = head->reason,
			      });
}

void tunnel_refuse_silently(struct tunnel *tunnel)
{
	tunnel_refuse(tunnel, &(struct tunnel_refusal){
				      .reason = REASON_HTTP_REQUEST_ERROR,
				      .is_silent = true,
			      });
}

/* A client that goes between two requests has nothing left to be told. */
static bool ends_between_requests(struct tunnel *tunnel)
{
	if (!tunnel_http_is_idle(tunnel))
		return false;
	tunnel_apply(tunnel, TUNNEL_ENDED);
	return true;
}

void tunnel_head_timeout(struct tunnel *tunnel)
{
	if (ends_between_requests(tunnel))
		return;
	if (tunnel->is_captured && tunnel->opening->http == NULL)
		tunnel_refuse_captured(tunnel);
	else
		tunnel_refuse(tunnel,
			      &(struct tunnel_refusal){
				      .reason = REASON_HTTP_REQUEST_ERROR,
				      .status = 408,
			      });
}

static void tell_tls(struct tunnel *tunnel)
{
	if (!tunnel->context->has_told_tls)
		log_warn("%s", REQUEST_HEAD_TLS_HINT);
	tunnel->context->has_told_tls = true;
	/* Plain text makes most clients say that the proxy speaks no TLS. */
	tunnel_refuse(tunnel, &(struct tunnel_refusal){
				      .reason = REASON_HTTP_REQUEST_ERROR,
				      .status = 400,
				      .detail = REQUEST_HEAD_TLS_HINT,
			      });
}

bool tunnel_speaks_http(const struct tunnel *tunnel)
{
	return tunnel->via == AUDIT_VIA_HTTP || tunnel->opening->http != NULL;
}

static bool has_room(const struct tunnel *tunnel)
{
	const struct context *context = tunnel->context;
	size_t own = tunnel->client != NULL ? tunnel->client->count : 0;

	return context->count <= context->max &&
	       (context->max_per_client == 0 || own <= context->max_per_client);
}

bool tunnel_is_settled(struct tunnel *tunnel)
{
	struct tunnel_refusal refusal = {.reason = REASON_NONE};

	if (tunnel_speaks_http(tunnel) &&
	    tunnel->decision.protocol == RULE_PROTOCOL_TLS) {
		refusal.reason = REASON_HTTP_REQUEST_DENIED;
		refusal.detail = "the rule asks for TLS, use https://";
	} else if (!has_room(tunnel)) {
		refusal.reason = REASON_CONNECTION_LIMIT_REACHED;
	} else {
		return tunnel_http_reuse(tunnel);
	}
	tunnel_refuse(tunnel, &refusal);
	return true;
}

/* Browsers send their own machine's pages here when they know no exception. */
static const char *hint_for(const struct hostname *name)
{
	static const struct hostname localhost = {"localhost", 9};

	return hostname_equal(name, &localhost) ||
			       hostname_is_below(name, &localhost)
		       ? "loopback is reached without a proxy (NO_PROXY)"
		       : NULL;
}

static void decide_name(struct tunnel *tunnel)
{
	const struct authority *to = &tunnel->opening->authority;

	tunnel->decision =
		policy_decide_name(tunnel_policy(tunnel), &to->name, to->port);
	if (tunnel->decision.verdict == VERDICT_DENY) {
		tunnel_refuse(tunnel, &(struct tunnel_refusal){
					      .reason = tunnel->decision.reason,
					      .detail = hint_for(&to->name),
				      });
		return;
	}
	if (tunnel_is_settled(tunnel))
		return;
	tunnel_apply(tunnel, TUNNEL_AUTHORISED);
	if (tunnel_goes_upstream(tunnel))
		tunnel_find_upstream(tunnel);
	else
		tunnel_find_addresses(tunnel);
}

void tunnel_judge(struct tunnel *tunnel, enum audit_via via)
{
	struct authority *to = &tunnel->opening->authority;
	char host[HOSTNAME_MAX_BYTES + 1];
	bool is_known = tunnel_name_synthetic(tunnel, to);
	size_t len = authority_host_text(to, host);

	tunnel->via = (uint8_t)(tunnel->is_captured ? AUDIT_VIA_CAPTURE : via);
	if (tunnel_set_host(tunnel, host, len, to->port) != 0)
		tunnel_refuse_silently(tunnel);
	else if (!is_known)
		tunnel_refuse(
			tunnel,
			&(struct tunnel_refusal){
				.reason = REASON_DESTINATION_IP_PROHIBITED,
			});
	else if (to->kind == AUTHORITY_NAME)
		decide_name(tunnel);
	else
		tunnel_dial_literal(tunnel);
}

static void take_head(struct tunnel *tunnel, const struct tunnel_input *input,
		      const struct request_head *head)
{
	bool is_connect = head->form == REQUEST_HEAD_AUTHORITY_FORM;

	if (!is_connect || tunnel->opening->http != NULL ||
	    tunnel->is_captured) {
		tunnel_take_request(tunnel, head, input);
		return;
	}
	tunnel->opening->authority = head->authority;
	if (tunnel_keep_from(tunnel, input, head->head_len) != 0)
		tunnel_refuse_silently(tunnel);
	else
		tunnel_judge(tunnel, AUDIT_VIA_CONNECT);
}

static void parse_head(struct tunnel *tunnel, const struct tunnel_input *input)
{
	struct request_head head;

	switch (request_head_parse(&tunnel->opening->scan,
				   (const char *)input->data, input->len,
				   &head)) {
	case REQUEST_HEAD_OK:
		take_head(tunnel, input, &head);
		break;
	case REQUEST_HEAD_MORE:
		if (tunnel_keep_from(tunnel, input, 0) != 0)
			tunnel_refuse_silently(tunnel);
		break;
	case REQUEST_HEAD_BAD:
		tunnel_refuse_target(tunnel, &head, 400);
		break;
	case REQUEST_HEAD_TOO_LARGE:
		tunnel_refuse_target(tunnel, &head, 431);
		break;
	case REQUEST_HEAD_VERSION:
	case REQUEST_HEAD_HTTP2:
		tunnel_refuse_target(tunnel, &head, 505);
		break;
	case REQUEST_HEAD_TLS:
		tell_tls(tunnel);
		break;
	case REQUEST_HEAD_SOCKS4:
	case REQUEST_HEAD_SOCKS5:
		tunnel->opening->is_socks = true;
		tunnel_take_socks(tunnel, input);
		break;
	}
}

static void take_input(struct tunnel *tunnel, const struct tunnel_input *input)
{
	bool is_bare = tunnel->is_captured && tunnel->opening->http == NULL;

	if (is_bare && tunnel_look(tunnel, input))
		return;
	if (tunnel->opening->is_socks)
		tunnel_take_socks(tunnel, input);
	else
		parse_head(tunnel, input);
}

void tunnel_await_head(struct tunnel *tunnel)
{
	struct tunnel_opening *opening = tunnel->opening;

	memset(&opening->scan, 0, sizeof(opening->scan));
	opening->has_unread = opening->input.len > 0;
	tunnel_run_again(tunnel);
}

void tunnel_read_head(struct tunnel *tunnel)
{
	struct tunnel_opening *opening = tunnel->opening;
	uint64_t head_timeout = tunnel_policy(tunnel)->proxy.head_timeout_ms;

	if (opening->has_unread) {
		const struct tunnel_input kept = {opening->input.data,
						  opening->input.len};

		opening->has_unread = false;
		tunnel_set_deadline(tunnel, head_timeout);
		take_input(tunnel, &kept);
	}
	while (tunnel->state == TUNNEL_HEAD && !opening->has_unread &&
	       tunnel->relay.is_readable[RELAY_CLIENT]) {
		struct tunnel_input input;

		bool was_idle = tunnel_http_is_idle(tunnel);
		int rc = read_input(tunnel, &input);
		if (rc < 0 && !ends_between_requests(tunnel))
			tunnel_refuse_silently(tunnel);
		/* The time for a head runs from its first byte where others
		 * came before. */
		if (rc > 0 && was_idle)
			tunnel_set_deadline(tunnel, head_timeout);
		if (rc > 0)
			take_input(tunnel, &input);
	}
}
