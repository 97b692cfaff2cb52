/* SPDX-License-Identifier: MIT */
/* tunnel_refuse: says no, so that the client hears it, and reads no more. */
#include "tunnel_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "log.h"
#include "response.h"
#include "rule.h"
#include "suggest.h"
#include "text.h"
#include "tunnel_capture.h"
#include "tunnel_who.h"

#define DRAIN_MAX_BYTES (256 * 1024)

static enum rule_protocol spoken_protocol(const struct tunnel *tunnel)
{
	if (tunnel_speaks_http(tunnel) ||
	    tunnel->opening->speaks == TUNNEL_SPEAKS_HTTP)
		return RULE_PROTOCOL_HTTP;
	return tunnel->opening->speaks == TUNNEL_SPEAKS_OTHER
		       ? RULE_PROTOCOL_TCP
		       : RULE_PROTOCOL_TLS;
}

/* A flag exists only against refusals of the policy by name or address. */
static bool suggest(const struct tunnel *tunnel, enum reason reason,
		    struct text *flag)
{
	const struct authority *to = &tunnel->opening->authority;
	bool is_name = to->kind == AUTHORITY_NAME;
	bool by_address = reason == REASON_DESTINATION_IP_PROHIBITED;
	struct suggest_target target = {
		.name = is_name ? &to->name : NULL,
		.address = is_name ? NULL : &to->address,
		.port = tunnel->port,
		.protocol = spoken_protocol(tunnel),
		.denied_by_rule = tunnel->decision.rule != NULL &&
				  tunnel->decision.rule->is_deny,
	};

	switch ((int)reason) {
	case REASON_HTTP_REQUEST_DENIED:
	case REASON_PORT_NOT_ALLOWED:
		break;
	case REASON_DESTINATION_IP_PROHIBITED:
		target.address = &tunnel->address;
		break;
	case REASON_NOT_TLS:
		target.protocol = RULE_PROTOCOL_TCP;
		break;
	default:
		return false;
	}
	if (target.port == 0)
		return false;
	/* Our own listener stays shut whatever the policy says. */
	if (by_address &&
	    own_address_is_listener(&tunnel->context->own, &tunnel->address,
				    tunnel->port))
		return false;
	if (target.address != NULL &&
	    netaddr_classify(target.address) != NETADDR_LOOPBACK)
		target.address_is_own =
			own_address_is(&tunnel->context->own, target.address);
	return suggest_flag(&target, flag);
}

static void set_answer(struct tunnel *tunnel, const void *bytes, size_t len)
{
	struct tunnel_opening *opening = tunnel->opening;

	opening->answer = malloc(len > 0 ? len : 1);
	if (opening->answer == NULL)
		return;
	memcpy(opening->answer, bytes, len);
	opening->answer_len = len;
}

/* Whoever was captured asked for no proxy: it is told in what it speaks itself,
 * and that may still have to show. */
static void prepare_answers(struct tunnel *tunnel,
			    const struct response_refusal *words)
{
	struct tunnel_opening *opening = tunnel->opening;
	char buf[RESPONSE_MAX_BYTES];
	enum reason reason = words->reason;

	/* access_denied for whatever the policy refuses. */
	if (response_status(words) == 403)
		reason = REASON_HTTP_REQUEST_DENIED;
	opening->alert_len =
		(uint8_t)response_write_alert(reason, opening->alert);
	size_t len = response_write_refusal(words, buf);
	set_answer(tunnel, buf, len);
	opening->awaits_first = true;
}

static void compose_answer(struct tunnel *tunnel,
			   const struct tunnel_refusal *refusal,
			   const char *flag)
{
	char buf[RESPONSE_MAX_BYTES];
	uint8_t alert[RESPONSE_ALERT_BYTES];
	uint8_t socks[SOCKS_REPLY_MAX_BYTES];
	const struct response_refusal words = {
		.reason = refusal->reason,
		.status = refusal->status,
		.host = tunnel->host,
		.host_len = tunnel->host_len,
		.port = tunnel->port,
		.allow = flag,
		.detail = refusal->detail,
	};

	if (refusal->is_silent) {
		tunnel->is_reset = tunnel->is_captured;
		return;
	}
	if (tunnel->is_captured && tunnel->opening->http == NULL) {
		prepare_answers(tunnel, &words);
		return;
	}
	if (refusal->raw != NULL)
		set_answer(tunnel, refusal->raw, refusal->raw_len);
	else if (tunnel->opening->http != NULL &&
		 !tunnel_http_may_answer(tunnel))
		tunnel->is_reset = true; /* cut short, and seen to be */
	else if (tunnel->is_answered && tunnel->opening->http == NULL)
		set_answer(tunnel, alert,
			   response_write_alert(refusal->reason, alert));
	else if (tunnel->opening->is_socks)
		set_answer(tunnel, socks,
			   socks_write_reply(&tunnel->opening->socks,
					     refusal->reason, socks));
	else
		set_answer(tunnel, buf, response_write_refusal(&words, buf));
}

void tunnel_refuse(struct tunnel *tunnel, const struct tunnel_refusal *refusal)
{
	char flag_buf[SUGGEST_MAX_BYTES];
	struct text flag;
	struct decision d = {
		.reason = refusal->reason,
		.rule = tunnel->decision.rule,
	};

	text_init(&flag, flag_buf, sizeof(flag_buf));
	bool has_flag = suggest(tunnel, refusal->reason, &flag);
	tunnel->decision = d;
	/* It is refused whether or not that can be recorded. */
	tunnel->opening->has_record_due =
		refusal->reason != REASON_AUDIT_FAILED;
	if (tunnel->who == NULL)
		tunnel_record_refusal(tunnel);
	tunnel_count_denied(tunnel, refusal->reason, has_flag ? flag_buf : "");
	compose_answer(tunnel, refusal, has_flag ? flag_buf : NULL);
	tunnel_close_origin(tunnel);
	tunnel_apply(tunnel, TUNNEL_REFUSED);
	tunnel_send_answer(tunnel);
}

void tunnel_resume_refusal(struct tunnel *tunnel)
{
	struct tunnel_opening *opening = tunnel->opening;

	if (opening == NULL || !opening->has_record_due)
		return;
	tunnel_record_refusal(tunnel);
	tunnel_send_answer(tunnel);
}

/* Bytes that the client has sent already would turn our close into a reset
 * that takes the answer away; they are read and forgotten, for a while. */
static void start_draining(struct tunnel *tunnel)
{
	(void)shutdown(tunnel->relay.fds[RELAY_CLIENT], SHUT_WR);
	tunnel_apply(tunnel, TUNNEL_ANSWERED);
	tunnel_drain(tunnel);
}

void tunnel_finish(struct tunnel *tunnel)
{
	tunnel_change_origin(tunnel);
	(void)shutdown(tunnel->relay.fds[RELAY_CLIENT], SHUT_WR);
	tunnel_apply(tunnel, TUNNEL_FINISHED);
	tunnel_drain(tunnel);
}

void tunnel_send_answer(struct tunnel *tunnel)
{
	struct tunnel_opening *opening = tunnel->opening;
	struct relay *relay = &tunnel->relay;

	/* While its process is looked for the client must not go. */
	if (opening->has_record_due || !tunnel_choose_answer(tunnel))
		return;
	if (tunnel->is_reset && opening->answer_len == 0) {
		tunnel_apply(tunnel, TUNNEL_ENDED);
		return;
	}
	while (opening->answer_at < opening->answer_len &&
	       relay->is_writable[RELAY_CLIENT]) {
		ssize_t n = send(relay->fds[RELAY_CLIENT],
				 opening->answer + opening->answer_at,
				 opening->answer_len - opening->answer_at,
				 MSG_NOSIGNAL);

		if (n >= 0) {
			opening->answer_at += (size_t)n;
		} else if (errno == EAGAIN) {
			relay->is_writable[RELAY_CLIENT] = false;
		} else if (errno != EINTR) {
			tunnel_apply(tunnel, TUNNEL_ENDED);
			return;
		}
	}
	if (opening->answer_at == opening->answer_len)
		start_draining(tunnel);
}

void tunnel_drain(struct tunnel *tunnel)
{
	struct tunnel_opening *opening = tunnel->opening;
	ssize_t n = 1;

	while (n > 0 && opening->drained < DRAIN_MAX_BYTES) {
		n = relay_read(&tunnel->relay, RELAY_CLIENT,
			       tunnel->context->tools.scratch,
			       RELAY_SCRATCH_BYTES);
		opening->drained += n > 0 ? (size_t)n : 0;
	}
	if (n != -EAGAIN)
		tunnel_apply(tunnel, TUNNEL_ENDED);
}
