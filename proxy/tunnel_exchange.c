/* SPDX-License-Identifier: MIT */
/* tunnel_exchange: moves one request's content up and its response down. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "response_head.h"
#include "tunnel_http.h"
#include "tunnel_internal.h"

/* Both sides see that what they have is not whole. */
static size_t abort_exchange(struct tunnel *tunnel)
{
	tunnel->is_reset = true;
	tunnel_apply(tunnel, TUNNEL_ENDED);
	return 0;
}

static size_t refuse_response(struct tunnel *tunnel, const char *why)
{
	tunnel_refuse(tunnel, &(struct tunnel_refusal){
				      .reason = REASON_HTTP_REQUEST_ERROR,
				      .status = 502,
				      .detail = why,
			      });
	return 0;
}

/* What was read from @from, without the part that is dropped. */
static int send_part(struct tunnel *tunnel, enum relay_side from,
		     const uint8_t *data, const struct http_body_part *part)
{
	size_t at = part->drop_at + part->drop_len;
	int rc = 0;

	if (part->drop_len == 0)
		return part->used > 0 ? relay_send(&tunnel->relay, from, data,
						   part->used)
				      : 0;
	if (part->drop_at > 0)
		rc = relay_send(&tunnel->relay, from, data, part->drop_at);
	if (rc == 0 && part->used > at)
		rc = relay_send(&tunnel->relay, from, data + at,
				part->used - at);
	return rc;
}

/* Forward what belongs to the request. Return: bytes used, or -1: over. */
static ssize_t feed_up(struct tunnel *tunnel, const uint8_t *data, size_t len)
{
	struct tunnel_http *http = tunnel->opening->http;
	struct http_body_part part;
	enum http_body_result result =
		http_body_feed(&http->up, (const char *)data, len, &part);

	if (send_part(tunnel, RELAY_CLIENT, data, &part) != 0) {
		/* It may have answered before it closed. */
		http->is_up_done = true;
		http->exchange.client_closes = true;
		tunnel->relay.is_readable[RELAY_ORIGIN] = true;
		return (ssize_t)len;
	}
	if (result == HTTP_BODY_BAD) {
		tunnel_refuse(tunnel,
			      &(struct tunnel_refusal){
				      .reason = REASON_HTTP_REQUEST_ERROR,
				      .status = 400,
				      .detail = "malformed chunks",
			      });
		return -1;
	}
	http->is_up_done = result == HTTP_BODY_DONE;
	return (ssize_t)part.used;
}

static size_t feed_kept(struct tunnel *tunnel)
{
	struct byte_store *input = &tunnel->opening->input;
	ssize_t used = feed_up(tunnel, input->data, input->len);

	if (used > 0)
		byte_store_drop(input, (size_t)used);
	return used > 0 ? (size_t)used : 0;
}

size_t tunnel_exchange_up(struct tunnel *tunnel)
{
	struct tunnel_opening *opening = tunnel->opening;
	struct relay *relay = &tunnel->relay;
	struct relay_tools *tools = &tunnel->context->tools;

	if (relay_flush(relay, tools, RELAY_CLIENT) != 0 ||
	    opening->http->is_up_done)
		return 0;
	if (opening->input.len > 0)
		return feed_kept(tunnel);
	if (!relay->is_readable[RELAY_CLIENT])
		return 0;
	ssize_t n = relay_read(relay, RELAY_CLIENT, tools->scratch,
			       RELAY_SCRATCH_BYTES);
	if (n == -EAGAIN)
		return 0;
	if (n <= 0)
		return abort_exchange(tunnel);
	ssize_t used = feed_up(tunnel, tools->scratch, (size_t)n);
	if (used < 0)
		return 0;
	/* What follows is the next request: it waits for this one's end. */
	if (used < n && byte_store_add(&opening->input, tools->scratch + used,
				       (size_t)(n - used)) != 0)
		return abort_exchange(tunnel);
	return (size_t)n;
}

static int send_down(struct tunnel *tunnel, const void *data, size_t len)
{
	return len > 0 ? relay_send(&tunnel->relay, RELAY_ORIGIN, data, len)
		       : 0;
}

/* Return: false: the exchange is over. */
static bool feed_down(struct tunnel *tunnel, const uint8_t *data, size_t len)
{
	struct tunnel_http *http = tunnel->opening->http;
	struct http_body_part part;
	enum http_body_result result =
		http_body_feed(&http->down, (const char *)data, len, &part);

	if (send_part(tunnel, RELAY_ORIGIN, data, &part) != 0 ||
	    result == HTTP_BODY_BAD) {
		(void)abort_exchange(tunnel);
		return false;
	}
	http->is_down_done = result == HTTP_BODY_DONE;
	http->has_surplus = http->is_down_done && part.used < len;
	return true;
}

static bool send_head(struct tunnel *tunnel, const struct response_head *head)
{
	struct tunnel_http *http = tunnel->opening->http;
	char *buf = malloc(HTTP_MESSAGE_MAX_BYTES);
	bool is_sent = false;
	struct text t;

	if (buf == NULL)
		return false;
	text_init(&t, buf, HTTP_MESSAGE_MAX_BYTES);
	if (http_message_write_response(head, &http->exchange, &http->down_plan,
					&t)) {
		http->has_answered |= !http->down_plan.is_interim;
		is_sent = send_down(tunnel, buf, t.len) == 0;
	}
	free(buf);
	return is_sent;
}

/* 101: from here on both sides speak something else, as was judged. */
static void become_relay(struct tunnel *tunnel)
{
	struct byte_store *response = &tunnel->opening->http->response;
	struct byte_store *input = &tunnel->opening->input;

	if (send_down(tunnel, response->data, response->len) != 0 ||
	    (input->len > 0 && relay_send(&tunnel->relay, RELAY_CLIENT,
					  input->data, input->len) != 0)) {
		(void)abort_exchange(tunnel);
		return;
	}
	tunnel_apply(tunnel, TUNNEL_OPEN);
	tunnel_run_relay(tunnel);
}

/* A whole head is at the start of what has come. */
static void take_head(struct tunnel *tunnel, const struct response_head *head)
{
	struct tunnel_http *http = tunnel->opening->http;
	const char *why = http_message_judge_response(head, &http->exchange,
						      &http->down_plan);

	if (why != NULL) {
		(void)refuse_response(tunnel, why);
		return;
	}
	if (!send_head(tunnel, head)) {
		(void)abort_exchange(tunnel);
		return;
	}
	byte_store_drop(&http->response, head->head_len);
	memset(&http->scan, 0, sizeof(http->scan));
	if (http->down_plan.is_interim)
		return;
	if (http->down_plan.is_upgrade) {
		become_relay(tunnel);
		return;
	}
	http->has_head = true;
	http_body_init(&http->down, &http->down_plan.framing);
	if (feed_down(tunnel, http->response.data, http->response.len))
		byte_store_clear(&http->response);
}

static void parse_heads(struct tunnel *tunnel)
{
	struct tunnel_http *http = tunnel->opening->http;

	while (tunnel->state == TUNNEL_EXCHANGE && !http->has_head) {
		struct response_head head;
		enum response_head_result result = response_head_parse(
			&http->scan, (const char *)http->response.data,
			http->response.len, &head);

		if (result == RESPONSE_HEAD_MORE)
			return;
		if (result == RESPONSE_HEAD_OK)
			take_head(tunnel, &head);
		else
			(void)refuse_response(tunnel, head.reason);
	}
}

/* The origin ended. That is how some responses end. */
static size_t end_down(struct tunnel *tunnel)
{
	struct tunnel_http *http = tunnel->opening->http;

	if (!http->has_head)
		return refuse_response(tunnel, "no response from the origin");
	if (http->down_plan.framing.kind != HTTP_BODY_UNTIL_CLOSE)
		return abort_exchange(tunnel);
	http->is_down_done = true;
	return 1;
}

size_t tunnel_exchange_down(struct tunnel *tunnel)
{
	struct tunnel_http *http = tunnel->opening->http;
	struct relay *relay = &tunnel->relay;
	struct relay_tools *tools = &tunnel->context->tools;

	if (http->is_down_done || !relay->is_readable[RELAY_ORIGIN])
		return 0;
	int rc = relay_flush(relay, tools, RELAY_ORIGIN);
	if (rc != 0)
		return rc == -EAGAIN ? 0 : abort_exchange(tunnel);
	ssize_t n = relay_read(relay, RELAY_ORIGIN, tools->scratch,
			       RELAY_SCRATCH_BYTES);
	if (n == -EAGAIN)
		return 0;
	if (n == 0 || (n < 0 && !http->has_head))
		return end_down(tunnel);
	if (n < 0)
		return abort_exchange(tunnel);
	if (http->has_head) {
		(void)feed_down(tunnel, tools->scratch, (size_t)n);
		return (size_t)n;
	}
	if (byte_store_add(&http->response, tools->scratch, (size_t)n) != 0)
		return abort_exchange(tunnel);
	parse_heads(tunnel);
	return (size_t)n;
}
