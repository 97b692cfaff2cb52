/* SPDX-License-Identifier: MIT */
/* tunnel_upstream: an allowed destination is reached through another proxy. */
#include "tunnel_upstream.h"

#include <string.h>
#include <unistd.h>

#include "dial_order.h"
#include "policy.h"
#include "policy_upstream.h"
#include "proxy_url.h"
#include "resolver.h"
#include "text.h"
#include "tunnel_dial.h"
#include "tunnel_internal.h"
#include "upstream_ask.h"

#define DETAIL_BYTES 512

static void refuse(struct tunnel *tunnel, enum reason reason,
		   const char *detail)
{
	tunnel_refuse(tunnel, &(struct tunnel_refusal){.reason = reason,
						       .detail = detail});
}

/* It was read when the policy was built, so it can be read. */
static bool read_url(const struct tunnel *tunnel, struct proxy_url *url_out)
{
	const char *url = tunnel_policy(tunnel)->upstream.url;

	return url != NULL &&
	       proxy_url_parse(url, strlen(url), url_out) == NULL;
}

bool tunnel_goes_upstream(const struct tunnel *tunnel)
{
	const struct authority *to = &tunnel->opening->authority;
	bool is_name = to->kind == AUTHORITY_NAME;

	return policy_goes_upstream(tunnel_policy(tunnel),
				    is_name ? &to->name : NULL,
				    is_name ? NULL : &to->address);
}

static void dial(struct tunnel *tunnel, struct netaddr *addrs, size_t count,
		 uint16_t port)
{
	for (size_t i = 0; i < count; i++) {
		if (!own_address_is_listener(&tunnel->context->own, &addrs[i],
					     port))
			continue;
		refuse(tunnel, REASON_PROXY_INTERNAL_ERROR,
		       "upstream.url is this proxy itself");
		return;
	}
	count = dial_order_interleave(addrs, count);
	tunnel_start_dial(tunnel, addrs, count, port);
}

static void take_answer(struct tunnel *tunnel,
			const struct resolver_answer *answer)
{
	struct netaddr addrs[DIAL_ORDER_MAX];
	struct proxy_url url;
	size_t count = 0;

	tunnel->opening->request = NULL;
	if (!read_url(tunnel, &url)) {
		refuse(tunnel, REASON_PROXY_INTERNAL_ERROR, NULL);
		return;
	}
	if (answer->reason != REASON_NONE) {
		char detail[DETAIL_BYTES];
		struct text t;

		text_init(&t, detail, sizeof(detail));
		text_addf(&t, "the upstream proxy's name: %s",
			  answer->detail != NULL ? answer->detail
						 : "not resolved");
		refuse(tunnel, answer->reason, detail);
		return;
	}
	while (count < answer->count && count < DIAL_ORDER_MAX) {
		addrs[count] = answer->addrs[count];
		count++;
	}
	dial(tunnel, addrs, count, url.port);
	explicit_bzero(&url, sizeof(url));
}

static void on_resolved(void *arg, const struct resolver_answer *answer)
{
	take_answer(arg, answer);
	tunnel_settle(arg);
}

static void resolve(struct tunnel *tunnel, const struct proxy_url *url)
{
	const struct resolver_receiver receiver = {on_resolved, tunnel};
	struct resolver_request *request = NULL;
	struct netaddr addrs[DIAL_ORDER_MAX];
	size_t count = 0;
	size_t at = 0;

	do {
		at = policy_next_answer(tunnel_policy(tunnel), &url->name, at,
					&addrs[count]);
		count += at != 0;
	} while (at != 0 && count < DIAL_ORDER_MAX);
	if (count > 0)
		dial(tunnel, addrs, count, url->port);
	else if (resolver_find(tunnel->context->resolver, &url->name, &receiver,
			       &request) != 0)
		refuse(tunnel, REASON_PROXY_INTERNAL_ERROR, NULL);
	else if (request != NULL)
		tunnel->opening->request = request;
}

void tunnel_find_upstream(struct tunnel *tunnel)
{
	struct proxy_url url;

	tunnel->opening->is_upstream = true;
	if (!read_url(tunnel, &url))
		refuse(tunnel, REASON_PROXY_INTERNAL_ERROR, NULL);
	else if (url.is_address)
		dial(tunnel, &url.address, 1, url.port);
	else
		resolve(tunnel, &url);
	explicit_bzero(&url, sizeof(url));
}

static void take_tunnel(struct tunnel *tunnel,
			const struct upstream_answer *answer)
{
	tunnel->opening->ask = NULL;
	if (answer->fd < 0)
		refuse(tunnel, answer->reason, answer->detail);
	else
		tunnel_open_to(tunnel, answer->fd);
}

static void on_asked(void *arg, const struct upstream_answer *answer)
{
	take_tunnel(arg, answer);
	tunnel_settle(arg);
}

void tunnel_ask_upstream(struct tunnel *tunnel, int fd_own)
{
	struct proxy_url url;
	const struct upstream_settings settings = {
		.base = tunnel->context->base,
		.fd_own = fd_own,
		.url = &url,
		.to = &tunnel->opening->authority,
		.timeout_ms = tunnel_policy(tunnel)->proxy.connect_timeout_ms,
		.done = on_asked,
		.arg = tunnel,
	};
	bool is_read = read_url(tunnel, &url);

	if (!is_read)
		(void)close(fd_own);
	if (!is_read ||
	    upstream_ask_start(&settings, &tunnel->opening->ask) != 0)
		refuse(tunnel, REASON_PROXY_INTERNAL_ERROR, NULL);
	explicit_bzero(&url, sizeof(url));
}
