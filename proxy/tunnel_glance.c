/* SPDX-License-Identifier: MIT */
/* tunnel_glance: where any bytes may pass, a name that is shown is still seen.
 */
#include "tunnel_glance.h"

#include <errno.h>
#include <sys/socket.h>

#include "policy.h"
#include "rule.h"
#include "tunnel_capture.h"
#include "tunnel_internal.h"

bool tunnel_wants_glance(const struct tunnel *tunnel)
{
	const struct rule *rule = tunnel->decision.rule;

	if (tunnel->via == AUDIT_VIA_LOOPBACK)
		return false;
	return rule == NULL || rule->kind == RULE_ANY ||
	       rule->kind == RULE_ADDRESS;
}

void tunnel_start_glance(struct tunnel *tunnel)
{
	tunnel->opening->is_glance = true;
	tunnel_apply(tunnel, TUNNEL_OPEN_FOR_HELLO);
	tunnel_glance(tunnel);
}

void tunnel_end_glance(struct tunnel *tunnel)
{
	const struct byte_store *input = &tunnel->opening->input;

	if (input->len > 0 && relay_send(&tunnel->relay, RELAY_CLIENT,
					 input->data, input->len) != 0) {
		tunnel_apply(tunnel, TUNNEL_ENDED);
		return;
	}
	tunnel_apply(tunnel, TUNNEL_OPEN);
	tunnel_run_relay(tunnel);
}

/* Return: false: a deny rule has the name, and that was said. */
static bool judge(struct tunnel *tunnel, const struct client_hello *hello)
{
	struct decision d = policy_decide_server_name(
		tunnel_policy(tunnel), &tunnel->decision, NULL,
		hello->has_server_name ? &hello->server_name : NULL,
		tunnel->port);

	tunnel_set_hello(tunnel, hello);
	if (d.verdict == VERDICT_ALLOW)
		return true;
	tunnel->decision = d;
	tunnel_refuse(tunnel, &(struct tunnel_refusal){.reason = d.reason});
	return false;
}

/* What came since the last look is in the input from @from on. */
static void look(struct tunnel *tunnel, size_t from)
{
	struct tunnel_opening *opening = tunnel->opening;
	const struct byte_store *input = &opening->input;
	struct client_hello hello;

	if (from == input->len)
		return;
	tunnel_note_speech(tunnel, input->data, input->len);
	enum client_hello_result result = client_hello_feed(
		&opening->hello, input->data + from, input->len - from, &hello);
	if (result == CLIENT_HELLO_OK && !judge(tunnel, &hello))
		return;
	if (result != CLIENT_HELLO_MORE)
		tunnel_end_glance(tunnel);
}

/* A server that speaks first is none of TLS, nor is one that ends. */
static bool has_origin_spoken(struct tunnel *tunnel)
{
	bool *is_readable = &tunnel->relay.is_readable[RELAY_ORIGIN];
	char byte;

	if (*is_readable &&
	    recv(tunnel->relay.fds[RELAY_ORIGIN], &byte, 1,
		 MSG_PEEK | MSG_DONTWAIT) < 0 &&
	    errno == EAGAIN)
		*is_readable = false;
	return *is_readable;
}

void tunnel_glance(struct tunnel *tunnel)
{
	struct tunnel_opening *opening = tunnel->opening;
	struct byte_store *input = &opening->input;
	uint8_t *scratch = tunnel->context->tools.scratch;

	if (!opening->has_hello) {
		opening->has_hello = true;
		look(tunnel, 0);
	}
	while (tunnel->state == TUNNEL_HELLO &&
	       tunnel->relay.is_readable[RELAY_CLIENT]) {
		size_t before = input->len;
		ssize_t n = relay_read(&tunnel->relay, RELAY_CLIENT, scratch,
				       RELAY_SCRATCH_BYTES);

		if (n == -EAGAIN)
			break;
		if (n > 0 && byte_store_add(input, scratch, (size_t)n) == 0) {
			look(tunnel, before);
			continue;
		}
		if (n == 0)
			tunnel_end_glance(tunnel);
		else
			tunnel_apply(tunnel, TUNNEL_ENDED);
	}
	if (tunnel->state == TUNNEL_HELLO && has_origin_spoken(tunnel))
		tunnel_end_glance(tunnel);
}
