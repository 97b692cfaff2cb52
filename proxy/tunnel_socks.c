/* SPDX-License-Identifier: MIT */
/* tunnel_socks: the SOCKS dialogue up to the destination. */
#include "tunnel_internal.h"

static void refuse_request(struct tunnel *tunnel,
			   const struct socks_output *out)
{
	const struct tunnel_refusal refusal = {
		.reason = REASON_HTTP_REQUEST_ERROR,
		.detail = out->reason,
		.raw = out->reply,
		.raw_len = out->reply_len,
	};

	if (tunnel_set_host(tunnel, out->target.at, out->target.len, 0) != 0)
		tunnel->host_len = 0;
	tunnel_refuse(tunnel, &refusal);
}

/* A client that cannot take a few bytes is gone. */
static bool reply(struct tunnel *tunnel, const struct socks_output *out)
{
	struct relay *relay = &tunnel->relay;

	if (relay_send(relay, RELAY_ORIGIN, out->reply, out->reply_len) != 0 ||
	    relay->ways[RELAY_ORIGIN].held > 0) {
		tunnel_refuse_silently(tunnel);
		return false;
	}
	return true;
}

void tunnel_take_socks(struct tunnel *tunnel, const struct tunnel_input *input)
{
	struct socks_request *socks = &tunnel->opening->socks;
	enum socks_result result = SOCKS_REPLY;
	struct socks_output out;
	size_t used = 0;

	while (result == SOCKS_REPLY) {
		result = socks_request_read(socks, input->data + used,
					    input->len - used, &out);
		if (result == SOCKS_BAD) {
			refuse_request(tunnel, &out);
			return;
		}
		if (result == SOCKS_REPLY && !reply(tunnel, &out))
			return;
		if (result != SOCKS_MORE)
			used += out.used;
	}
	/* What the messages took is not needed again. */
	if (tunnel_keep_from(tunnel, input, used) != 0) {
		tunnel_refuse_silently(tunnel);
		return;
	}
	if (result == SOCKS_MORE)
		return;
	tunnel->opening->authority = out.authority;
	tunnel_judge(tunnel,
		     socks->version == 4 ? AUDIT_VIA_SOCKS4 : AUDIT_VIA_SOCKS5);
}
