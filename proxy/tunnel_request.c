/* SPDX-License-Identifier: MIT */
/* tunnel_request: reads the request and decides by name and port. */
#include "tunnel_internal.h"

#include <errno.h>
#include <string.h>

#include "log.h"
#include "policy.h"

/* A head that came in one read is judged where it lies; only one that did not
 * is kept in memory of its own. */
struct input {
	const uint8_t *data;
	size_t len;
};

/* Return: 1 there is something new; 0 nothing yet; -1 the client is gone. */
static int read_input(struct tunnel *tunnel, struct input *input_out)
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
		*input_out = (struct input){scratch, (size_t)n};
		return 1;
	}
	if (byte_store_add(kept, scratch, (size_t)n) != 0)
		return -1;
	*input_out = (struct input){kept->data, kept->len};
	return 1;
}

/* Keep what a later step needs: all of an unfinished head, or what came behind
 * a finished one. Return: 0 or -ENOMEM. */
static int keep_from(struct tunnel *tunnel, const struct input *input,
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

static void refuse_target(struct tunnel *tunnel,
			  const struct request_head *head, unsigned int status)
{
	if (tunnel_set_host(tunnel, head->target.at, head->target.len, 0) != 0)
		tunnel->host_len = 0;
	tunnel_refuse(tunnel, &(struct tunnel_refusal){
				      .reason = REASON_HTTP_REQUEST_ERROR,
				      .status = status,
				      .detail = head->reason,
			      });
}

static void refuse_silently(struct tunnel *tunnel)
{
	tunnel_refuse(tunnel, &(struct tunnel_refusal){
				      .reason = REASON_HTTP_REQUEST_ERROR,
				      .is_silent = true,
			      });
}

void tunnel_head_timeout(struct tunnel *tunnel)
{
	tunnel_refuse(tunnel, &(struct tunnel_refusal){
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

bool tunnel_is_hindered(struct tunnel *tunnel)
{
	struct tunnel_refusal refusal = {.reason = REASON_NONE};

	if (tunnel->context->count > tunnel->context->max)
		refusal.reason = REASON_CONNECTION_LIMIT_REACHED;
	if (tunnel->decision.protocol == RULE_PROTOCOL_HTTP) {
		refusal.reason = REASON_HTTP_REQUEST_DENIED;
		refusal.detail = "plain HTTP through a tunnel is not "
				 "supported yet";
	}
	if (refusal.reason == REASON_NONE)
		return false;
	tunnel_refuse(tunnel, &refusal);
	return true;
}

static void decide_name(struct tunnel *tunnel)
{
	const struct authority *to = &tunnel->opening->authority;

	tunnel->decision =
		policy_decide_name(tunnel_policy(tunnel), &to->name, to->port);
	if (tunnel->decision.verdict == VERDICT_DENY) {
		tunnel_refuse(tunnel, &(struct tunnel_refusal){
					      .reason = tunnel->decision.reason,
				      });
		return;
	}
	if (tunnel_is_hindered(tunnel))
		return;
	tunnel_apply(tunnel, TUNNEL_AUTHORISED);
	tunnel_find_addresses(tunnel);
}

static void judge(struct tunnel *tunnel, const struct request_head *head)
{
	struct tunnel_opening *opening = tunnel->opening;
	char host[HOSTNAME_MAX_BYTES + 1];

	opening->authority = head->authority;
	size_t len = authority_host_text(&opening->authority, host);
	tunnel->via = AUDIT_VIA_CONNECT;
	if (tunnel_set_host(tunnel, host, len, opening->authority.port) != 0) {
		refuse_silently(tunnel);
		return;
	}
	if (opening->authority.kind == AUTHORITY_NAME)
		decide_name(tunnel);
	else
		tunnel_dial_literal(tunnel);
}

static void take_head(struct tunnel *tunnel, const struct input *input,
		      const struct request_head *head)
{
	if (head->form != REQUEST_HEAD_AUTHORITY_FORM) {
		tunnel->via = AUDIT_VIA_HTTP;
		refuse_target(tunnel, head, 501);
		return;
	}
	/* head points into the input: judge a copy, keep what follows it. */
	const struct request_head copy = *head;
	if (keep_from(tunnel, input, copy.head_len) != 0) {
		refuse_silently(tunnel);
		return;
	}
	judge(tunnel, &copy);
}

static void parse_head(struct tunnel *tunnel, const struct input *input)
{
	struct request_head head;

	switch (request_head_parse(&tunnel->opening->scan,
				   (const char *)input->data, input->len,
				   &head)) {
	case REQUEST_HEAD_OK:
		take_head(tunnel, input, &head);
		break;
	case REQUEST_HEAD_MORE:
		if (keep_from(tunnel, input, 0) != 0)
			refuse_silently(tunnel);
		break;
	case REQUEST_HEAD_BAD:
		refuse_target(tunnel, &head, 400);
		break;
	case REQUEST_HEAD_TOO_LARGE:
		refuse_target(tunnel, &head, 431);
		break;
	case REQUEST_HEAD_VERSION:
	case REQUEST_HEAD_HTTP2:
		refuse_target(tunnel, &head, 505);
		break;
	case REQUEST_HEAD_TLS:
		tell_tls(tunnel);
		break;
	case REQUEST_HEAD_SOCKS4:
	case REQUEST_HEAD_SOCKS5:
		refuse_silently(tunnel);
		break;
	}
}

void tunnel_read_head(struct tunnel *tunnel)
{
	while (tunnel->state == TUNNEL_HEAD &&
	       tunnel->relay.is_readable[RELAY_CLIENT]) {
		struct input input;
		int rc = read_input(tunnel, &input);

		if (rc < 0)
			refuse_silently(tunnel);
		if (rc > 0)
			parse_head(tunnel, &input);
	}
}
