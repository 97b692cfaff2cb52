/* SPDX-License-Identifier: MIT */
/* tunnel_http: plain HTTP: each request judged by itself, then exchanged. */
#include "tunnel_http.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "policy.h"
#include "tunnel_internal.h"

#define TURNS_AT_ONCE 8

static bool is_same(const struct authority *a, const struct authority *b)
{
	if (a->kind != b->kind || a->port != b->port)
		return false;
	return a->kind == AUTHORITY_NAME
		       ? hostname_equal(&a->name, &b->name)
		       : netaddr_equal(&a->address, &b->address);
}

static bool has_origin(const struct tunnel *tunnel)
{
	return tunnel->relay.fds[RELAY_ORIGIN] >= 0;
}

void tunnel_http_free(struct tunnel_http *http)
{
	if (http == NULL)
		return;
	byte_store_clear(&http->request);
	byte_store_clear(&http->response);
	free(http);
}

bool tunnel_http_is_idle(const struct tunnel *tunnel)
{
	const struct tunnel_opening *opening = tunnel->opening;

	return opening->http != NULL && opening->http->is_idle &&
	       opening->input.len == 0;
}

bool tunnel_http_may_answer(const struct tunnel *tunnel)
{
	return !tunnel->opening->http->has_answered;
}

/* Why a request may not come as it does; NULL: it may. */
static const char *find_fault(const struct tunnel_http *http,
			      const struct request_head *head)
{
	if (head->form == REQUEST_HEAD_AUTHORITY_FORM)
		return "CONNECT inside a connection that is used already";
	if (http->is_inside)
		return is_same(&head->authority, &http->origin)
			       ? NULL
			       : "Host is not the host of the tunnel";
	if (http->is_captured)
		return head->authority.port == http->captured_port
			       ? NULL
			       : "Host is not of the port asked for";
	if (head->form == REQUEST_HEAD_ORIGIN_FORM)
		return "this is a proxy: it takes CONNECT and absolute-form";
	return NULL;
}

static void refuse_head(struct tunnel *tunnel, const struct request_head *head,
			const char *why)
{
	struct request_head refused = *head;

	refused.reason = why;
	tunnel->via = tunnel->is_captured ? AUDIT_VIA_CAPTURE : AUDIT_VIA_HTTP;
	tunnel_refuse_target(tunnel, &refused, 400);
}

/* Return: 0 or -ENOMEM. */
static int write_request(struct tunnel_http *http,
			 const struct request_head *head)
{
	char *buf = malloc(HTTP_MESSAGE_MAX_BYTES);
	int rc = -ENOMEM;
	struct text t;

	if (buf == NULL)
		return rc;
	text_init(&t, buf, HTTP_MESSAGE_MAX_BYTES);
	byte_store_clear(&http->request);
	if (http_message_write_request(head, &http->up_plan, &t))
		rc = byte_store_add(&http->request, buf, t.len);
	free(buf);
	return rc;
}

static void prepare_exchange(struct tunnel_http *http,
			     const struct request_head *head)
{
	http->exchange = (struct http_exchange){
		.is_head = http_span_equals(head->method, "HEAD"),
		.is_upgrade = http->up_plan.is_upgrade,
		.minor_version = head->minor_version,
		.client_closes = http->up_plan.is_last,
	};
	http_body_init(&http->up, &http->up_plan.framing);
	http->is_up_done = http->up_plan.framing.kind == HTTP_BODY_NONE;
	http->is_down_done = false;
	http->has_head = false;
	http->has_answered = false;
	http->has_surplus = false;
	http->is_idle = false;
	byte_store_clear(&http->response);
	memset(&http->scan, 0, sizeof(http->scan));
}

static struct tunnel_http *get_http(struct tunnel *tunnel)
{
	if (tunnel->opening->http == NULL)
		tunnel->opening->http = calloc(1, sizeof(struct tunnel_http));
	return tunnel->opening->http;
}

void tunnel_take_request(struct tunnel *tunnel, const struct request_head *head,
			 const struct tunnel_input *input)
{
	struct tunnel_http *http = get_http(tunnel);

	if (http == NULL) {
		tunnel_refuse_silently(tunnel);
		return;
	}
	if (tunnel->is_captured && !http->is_inside && !http->is_captured) {
		http->is_captured = true;
		http->captured_port = tunnel->port;
	}
	/* Nothing of an earlier exchange counts for this request. */
	http->has_answered = false;
	if (has_origin(tunnel) && !is_same(&head->authority, &http->origin) &&
	    !http->is_inside)
		tunnel_change_origin(tunnel);
	const char *fault = find_fault(http, head);
	if (fault == NULL)
		fault = http_message_judge_request(head, &http->up_plan);
	if (fault != NULL) {
		refuse_head(tunnel, head, fault);
		return;
	}
	prepare_exchange(http, head);
	tunnel->opening->authority = head->authority;
	if (write_request(http, head) != 0 ||
	    tunnel_keep_from(tunnel, input, head->head_len) != 0)
		tunnel_refuse_silently(tunnel);
	else
		tunnel_judge(tunnel, AUDIT_VIA_HTTP);
}

int tunnel_http_enter(struct tunnel *tunnel)
{
	struct tunnel_http *http = get_http(tunnel);

	if (http == NULL)
		return -ENOMEM;
	http->is_inside = true;
	http->is_idle = true;
	http->origin = tunnel->opening->authority;
	tunnel_apply(tunnel, TUNNEL_OPEN_FOR_HTTP);
	tunnel_await_head(tunnel);
	return 0;
}

static void refuse_unrecorded(struct tunnel *tunnel)
{
	tunnel_refuse(tunnel,
		      &(struct tunnel_refusal){.reason = REASON_AUDIT_FAILED});
}

bool tunnel_http_reuse(struct tunnel *tunnel)
{
	const struct tunnel_http *http = tunnel->opening->http;

	if (http == NULL || !has_origin(tunnel))
		return false;
	if (tunnel_record_decision(tunnel, &tunnel->decision) != 0)
		refuse_unrecorded(tunnel);
	else
		tunnel_http_start(tunnel);
	return true;
}

void tunnel_http_start(struct tunnel *tunnel)
{
	struct tunnel_http *http = tunnel->opening->http;

	http->origin = tunnel->opening->authority;
	tunnel_apply(tunnel, TUNNEL_REQUESTED);
	if (relay_send(&tunnel->relay, RELAY_CLIENT, http->request.data,
		       http->request.len) != 0) {
		tunnel_refuse(tunnel,
			      &(struct tunnel_refusal){
				      .reason = REASON_CONNECTION_REFUSED});
		return;
	}
	byte_store_clear(&http->request);
	tunnel_run_exchange(tunnel);
}

void tunnel_http_origin_spoke(struct tunnel *tunnel)
{
	struct tunnel_http *http = tunnel->opening->http;

	if (http == NULL || http->is_inside)
		tunnel_apply(tunnel, TUNNEL_ENDED);
	else
		tunnel_change_origin(tunnel);
}

/* The response is whole and the client has it. */
static void finish(struct tunnel *tunnel)
{
	struct tunnel_http *http = tunnel->opening->http;
	bool origin_lives = !http->down_plan.is_last && http->is_up_done &&
			    !http->has_surplus &&
			    !tunnel->relay.is_readable[RELAY_ORIGIN];
	bool client_lives =
		http->is_up_done && !http->exchange.client_closes &&
		http->down_plan.framing.kind != HTTP_BODY_UNTIL_CLOSE &&
		(origin_lives || !http->is_inside);

	if (!client_lives) {
		tunnel_finish(tunnel);
		return;
	}
	if (!origin_lives)
		tunnel_change_origin(tunnel);
	http->is_idle = true;
	http->has_answered = false;
	tunnel_apply(tunnel, TUNNEL_EXCHANGED);
	tunnel_await_head(tunnel);
}

static bool is_over(const struct tunnel *tunnel)
{
	return tunnel->opening->http->is_down_done &&
	       tunnel->relay.ways[RELAY_ORIGIN].held == 0;
}

void tunnel_run_exchange(struct tunnel *tunnel)
{
	struct relay_tools *tools = &tunnel->context->tools;
	size_t moved = 1;

	tunnel_set_deadline(tunnel,
			    tunnel_policy(tunnel)->proxy.idle_timeout_ms);
	for (int turn = 0; turn < TURNS_AT_ONCE && moved > 0; turn++) {
		moved = tunnel_exchange_up(tunnel);
		if (tunnel->state == TUNNEL_EXCHANGE)
			moved += tunnel_exchange_down(tunnel);
		if (tunnel->state != TUNNEL_EXCHANGE)
			return;
		if (relay_flush(&tunnel->relay, tools, RELAY_ORIGIN) == 0 &&
		    is_over(tunnel)) {
			finish(tunnel);
			return;
		}
	}
	if (moved > 0)
		tunnel_run_again(tunnel);
}
