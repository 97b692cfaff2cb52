/* SPDX-License-Identifier: MIT */
/* tunnel_hello: the ClientHello is judged before the origin sees a byte. */
#include "tunnel_internal.h"

#include <errno.h>
#include <string.h>

#include "policy.h"
#include "tunnel_capture.h"

/* Reads of one turn, so that a talkative origin leaves time for others. */
#define READS_PER_TURN 8

static void refuse(struct tunnel *tunnel, enum reason reason)
{
	tunnel_refuse(tunnel, &(struct tunnel_refusal){.reason = reason});
}

static enum reason reason_of(enum client_hello_result result)
{
	switch (result) {
	case CLIENT_HELLO_NOT_TLS:
		return REASON_NOT_TLS;
	case CLIENT_HELLO_NAME_MALFORMED:
		return REASON_SERVER_NAME_MALFORMED;
	case CLIENT_HELLO_NO_MEMORY:
		return REASON_PROXY_INTERNAL_ERROR;
	case CLIENT_HELLO_OK:
	case CLIENT_HELLO_MORE:
	case CLIENT_HELLO_MALFORMED:
		break;
	}
	return REASON_TLS_PROTOCOL_ERROR;
}

/* Observe lets pass what enforce had refused for @reason; a deny rule holds in
 * every mode. Return: what is decided. */
static struct decision refused_or_observed(const struct tunnel *tunnel,
					   enum reason reason)
{
	struct decision d = tunnel->decision;

	d.would = VERDICT_DENY;
	d.reason = reason;
	if (tunnel_policy(tunnel)->mode != POLICY_OBSERVE)
		d.verdict = VERDICT_DENY;
	return d;
}

static struct decision judge_hello(const struct tunnel *tunnel,
				   const struct client_hello *hello)
{
	const struct policy *policy = tunnel_policy(tunnel);
	const struct authority *to = &tunnel->opening->authority;
	struct decision d = policy_decide_server_name(
		policy, &tunnel->decision,
		to->kind == AUTHORITY_NAME ? &to->name : NULL,
		hello->has_server_name ? &hello->server_name : NULL, to->port);

	/* The name that counts may be inside: always so with ESNI, maybe so
	 * with ECH, whose outer name is judged like any other. */
	if (d.verdict == VERDICT_ALLOW && d.would == VERDICT_ALLOW &&
	    (hello->has_esni || (hello->has_ech && policy->ech_denied)))
		return refused_or_observed(tunnel,
					   REASON_SERVER_NAME_ENCRYPTED);
	return d;
}

static int send_up(struct tunnel *tunnel, const uint8_t *data, size_t len)
{
	return len > 0 ? relay_send(&tunnel->relay, RELAY_CLIENT, data, len)
		       : 0;
}

/* The hello is kept (in the input, as far as it came before) and @data. Send
 * its @wire_bytes; what is behind them stays for the guard. */
static int release(struct tunnel *tunnel, const uint8_t *data, size_t len,
		   size_t wire_bytes)
{
	struct byte_store *input = &tunnel->opening->input;

	if (input->len > 0) {
		int rc = data != input->data ? byte_store_add(input, data, len)
					     : 0;
		if (rc == 0)
			rc = send_up(tunnel, input->data, wire_bytes);
		if (rc != 0)
			return rc;
		byte_store_drop(input, wire_bytes);
		return 0;
	}
	int rc = send_up(tunnel, data, wire_bytes);
	if (rc == 0 && len > wire_bytes)
		rc = byte_store_add(input, data + wire_bytes, len - wire_bytes);
	return rc;
}

static void pass_hello(struct tunnel *tunnel, const uint8_t *data, size_t len,
		       const struct client_hello *hello)
{
	struct tunnel_opening *opening = tunnel->opening;

	opening->guard = tls_guard_new(hello);
	if (opening->guard == NULL) {
		refuse(tunnel, REASON_PROXY_INTERNAL_ERROR);
		return;
	}
	if (release(tunnel, data, len, hello->wire_bytes) != 0) {
		tunnel_apply(tunnel, TUNNEL_ENDED);
		return;
	}
	tunnel_apply(tunnel, TUNNEL_HELLO_PASSED);
	tunnel_run_guard(tunnel);
}

/* Only observe comes here: nothing is known of the bytes, so all may pass. */
static void pass_unread(struct tunnel *tunnel, const uint8_t *data, size_t len)
{
	struct byte_store *input = &tunnel->opening->input;
	int rc = 0;

	rc = send_up(tunnel, input->data, input->len);
	if (rc == 0 && data != input->data)
		rc = send_up(tunnel, data, len);
	if (rc != 0) {
		tunnel_apply(tunnel, TUNNEL_ENDED);
		return;
	}
	tunnel_apply(tunnel, TUNNEL_OPEN);
	tunnel_run_relay(tunnel);
}

static void feed(struct tunnel *tunnel, const uint8_t *data, size_t len)
{
	struct byte_store *input = &tunnel->opening->input;
	struct client_hello hello;

	tunnel_note_speech(tunnel, data, len);
	enum client_hello_result result =
		client_hello_feed(&tunnel->opening->hello, data, len, &hello);

	if (result == CLIENT_HELLO_MORE) {
		if (data != input->data &&
		    byte_store_add(input, data, len) != 0)
			refuse(tunnel, REASON_PROXY_INTERNAL_ERROR);
		return;
	}
	struct decision d;
	if (result == CLIENT_HELLO_OK) {
		tunnel_set_hello(tunnel, &hello);
		d = judge_hello(tunnel, &hello);
	} else {
		if (result == CLIENT_HELLO_NAME_MALFORMED)
			tunnel_set_raw_name(tunnel, hello.raw_name,
					    hello.raw_name_len);
		d = refused_or_observed(tunnel, reason_of(result));
	}
	tunnel->decision = d;
	if (d.verdict == VERDICT_DENY)
		refuse(tunnel, d.reason);
	else if (result == CLIENT_HELLO_OK)
		pass_hello(tunnel, data, len, &hello);
	else
		pass_unread(tunnel, data, len);
}

/* The client ended. Without a byte it only went away; with some, that was no
 * ClientHello. */
static void end_in_hello(struct tunnel *tunnel, ssize_t n)
{
	if (n == 0 && tunnel->opening->input.len > 0)
		refuse(tunnel, REASON_TLS_PROTOCOL_ERROR);
	else
		tunnel_apply(tunnel, TUNNEL_ENDED);
}

void tunnel_read_hello(struct tunnel *tunnel)
{
	struct tunnel_opening *opening = tunnel->opening;
	uint8_t *scratch = tunnel->context->tools.scratch;

	if (!opening->has_hello) {
		opening->has_hello = true;
		if (opening->input.len > 0)
			feed(tunnel, opening->input.data, opening->input.len);
	}
	while (tunnel->state == TUNNEL_HELLO &&
	       tunnel->relay.is_readable[RELAY_CLIENT]) {
		ssize_t n = relay_read(&tunnel->relay, RELAY_CLIENT, scratch,
				       RELAY_SCRATCH_BYTES);

		if (n > 0)
			feed(tunnel, scratch, (size_t)n);
		else if (n != -EAGAIN)
			end_in_hello(tunnel, n);
	}
}

static void deny_second(struct tunnel *tunnel)
{
	const struct tls_guard *guard = tunnel->opening->guard;
	const struct client_hello *second = tls_guard_second(guard);

	if (second != NULL)
		tunnel_set_hello(tunnel, second);
	tunnel->decision.verdict = VERDICT_DENY;
	tunnel->decision.would = VERDICT_DENY;
	tunnel->decision.reason = tls_guard_reason(guard);
	refuse(tunnel, tunnel->decision.reason);
}

/* Ask the guard about all that waits, and pass what it lets pass.
 * Return: the guard still watches. */
static bool ask_guard(struct tunnel *tunnel)
{
	struct tunnel_opening *opening = tunnel->opening;
	struct byte_store *input = &opening->input;
	size_t pass = 0;
	enum tls_guard_result result = tls_guard_client(
		opening->guard, input->data, input->len, &pass);

	if (result == TLS_GUARD_NO_MEMORY) {
		refuse(tunnel, REASON_PROXY_INTERNAL_ERROR);
		return false;
	}
	if (result == TLS_GUARD_DENY) {
		deny_second(tunnel);
		return false;
	}
	if (send_up(tunnel, input->data, pass) != 0) {
		tunnel_apply(tunnel, TUNNEL_ENDED);
		return false;
	}
	byte_store_drop(input, pass);
	if (result == TLS_GUARD_WATCH)
		return true;
	tunnel_apply(tunnel, TUNNEL_GUARD_DONE);
	tunnel_run_relay(tunnel);
	return false;
}

/* Return: bytes came, 0: none. */
static size_t hear_client(struct tunnel *tunnel)
{
	struct relay *relay = &tunnel->relay;
	struct byte_store *input = &tunnel->opening->input;
	uint8_t *scratch = tunnel->context->tools.scratch;
	size_t room = input->len < TLS_GUARD_HOLD_BYTES
			      ? TLS_GUARD_HOLD_BYTES - input->len
			      : 0;

	if (room > RELAY_SCRATCH_BYTES)
		room = RELAY_SCRATCH_BYTES;
	if (!relay->is_readable[RELAY_CLIENT] || room == 0 ||
	    relay->ways[RELAY_CLIENT].is_ended ||
	    relay_flush(relay, &tunnel->context->tools, RELAY_CLIENT) != 0)
		return 0;
	ssize_t n = relay_read(relay, RELAY_CLIENT, scratch, room);
	if (n > 0 && byte_store_add(input, scratch, (size_t)n) != 0)
		n = -ENOMEM;
	if (n >= 0 || n == -EAGAIN)
		return n > 0 ? (size_t)n : 0;
	tunnel->is_reset = true;
	tunnel_apply(tunnel, TUNNEL_ENDED);
	return 0;
}

static size_t hear_origin(struct tunnel *tunnel)
{
	struct relay *relay = &tunnel->relay;
	struct relay_tools *tools = &tunnel->context->tools;

	if (!relay->is_readable[RELAY_ORIGIN] ||
	    relay->ways[RELAY_ORIGIN].is_ended ||
	    relay_flush(relay, tools, RELAY_ORIGIN) != 0)
		return 0;
	ssize_t n = relay_read(relay, RELAY_ORIGIN, tools->scratch,
			       RELAY_SCRATCH_BYTES);
	if (n > 0) {
		/* Its answer is asked for with the client's bytes. */
		(void)!tls_guard_server(tunnel->opening->guard, tools->scratch,
					(size_t)n);
		if (relay_send(relay, RELAY_ORIGIN, tools->scratch,
			       (size_t)n) == 0)
			return (size_t)n;
		n = -EPIPE;
	}
	if (n == 0)
		relay_pass_fin(relay, RELAY_ORIGIN);
	if (n == 0 || n == -EAGAIN)
		return 0;
	tunnel->is_reset = true;
	tunnel_apply(tunnel, TUNNEL_ENDED);
	return 0;
}

/* The client's end goes behind what is held of it. A server that has not
 * spoken by then has the time of a hello to do so: nobody else will. */
static void end_client(struct tunnel *tunnel)
{
	struct relay *relay = &tunnel->relay;
	const struct relay_way *way = &relay->ways[RELAY_CLIENT];

	if (!way->is_ended || way->is_done)
		return;
	if (tunnel->opening->input.len > 0)
		tunnel_set_deadline(
			tunnel, tunnel_policy(tunnel)->proxy.hello_timeout_ms);
	else if (relay_flush(relay, &tunnel->context->tools, RELAY_CLIENT) == 0)
		relay_pass_fin(relay, RELAY_CLIENT);
}

void tunnel_run_guard(struct tunnel *tunnel)
{
	struct relay *relay = &tunnel->relay;
	size_t heard = 1;

	tunnel_set_deadline(tunnel,
			    tunnel_policy(tunnel)->proxy.idle_timeout_ms);
	if (!ask_guard(tunnel))
		return;
	for (int reads = 0; reads < READS_PER_TURN && heard > 0; reads++) {
		heard = hear_client(tunnel);
		if (tunnel->state == TUNNEL_GUARDED)
			heard += hear_origin(tunnel);
		if (tunnel->state != TUNNEL_GUARDED || !ask_guard(tunnel))
			return;
	}
	end_client(tunnel);
	if (relay->ways[RELAY_CLIENT].is_done &&
	    relay->ways[RELAY_ORIGIN].is_done)
		tunnel_apply(tunnel, TUNNEL_ENDED);
	else if (heard > 0)
		tunnel_run_again(tunnel);
}
