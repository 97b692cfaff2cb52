/* SPDX-License-Identifier: MIT */
/* tunnel_lists: all tunnels together: turns, shedding, closing, freeing. */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

#include <event2/event.h>

#include "policy_hold.h"
#include "process_info.h"
#include "ticks.h"
#include "tunnel_internal.h"

/* After the loop has looked at the sockets of all others. */
static void tidy_soon(struct context *context)
{
	const struct timeval now = {0, 0};

	if (event_pending(&context->tidy, EV_TIMEOUT, NULL) == 0)
		(void)event_add(&context->tidy, &now);
}

void tunnel_run_again(struct tunnel *tunnel)
{
	struct context *context = tunnel->context;

	if (!tunnel->is_in_again) {
		TAILQ_INSERT_TAIL(&context->again, tunnel, again_link);
		context->again_count++;
	}
	tunnel->is_in_again = true;
	tidy_soon(context);
}

static void leave_again(struct tunnel *tunnel)
{
	struct context *context = tunnel->context;

	if (tunnel->is_in_again) {
		TAILQ_REMOVE(&context->again, tunnel, again_link);
		context->again_count--;
	}
	tunnel->is_in_again = false;
}

void tunnel_bury(struct tunnel *tunnel)
{
	leave_again(tunnel);
	client_table_drop(&tunnel->context->clients, tunnel->client);
	tunnel->client = NULL;
	TAILQ_INSERT_TAIL(&tunnel->context->closed, tunnel, link);
	tidy_soon(tunnel->context);
}

static struct client_id id_of(int fd)
{
	struct sockaddr_storage sa = {.ss_family = AF_UNSPEC};
	socklen_t len = sizeof(sa);
	struct netaddr address;
	uint16_t port = 0;

	if (getpeername(fd, (struct sockaddr *)&sa, &len) == 0 &&
	    netaddr_from_sockaddr((const struct sockaddr *)&sa, &address,
				  &port))
		return client_id_of_address(&address);
#ifdef SO_PEERCRED
	struct ucred owner;

	len = sizeof(owner);
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &owner, &len) == 0)
		return client_id_of_user((uint32_t)owner.uid);
#endif
	return (struct client_id){.kind = CLIENT_UNKNOWN};
}

int tunnel_count_client(struct tunnel *tunnel)
{
	struct context *context = tunnel->context;

	if (context->max_per_client == 0)
		return 0;
	const struct client_id id = id_of(tunnel->relay.fds[RELAY_CLIENT]);
	tunnel->client = client_table_add(&context->clients, &id);
	return tunnel->client != NULL ? 0 : -ENOMEM;
}

static void free_tunnel(struct tunnel *tunnel)
{
	policy_hold_unref(tunnel->policy);
	process_info_free(tunnel->process);
	free(tunnel->host);
	free(tunnel->server_name);
	free(tunnel->alpn);
	free(tunnel);
}

static void close_list(struct tunnel_list *list)
{
	while (!TAILQ_EMPTY(list))
		tunnel_apply(TAILQ_FIRST(list), TUNNEL_ENDED);
}

void tunnel_close_all(struct context *context)
{
	close_list(&context->heads);
	close_list(&context->others);
}

_Bool tunnel_shed(struct context *context, long min_age_ms)
{
	struct tunnel *oldest = TAILQ_FIRST(&context->heads);

	if (oldest == NULL || ticks_now_ms() - oldest->head_ms < min_age_ms)
		return false;
	tunnel_head_timeout(oldest);
	/* Its descriptor is what is needed: no lingering. */
	if (oldest->state != TUNNEL_CLOSED)
		tunnel_apply(oldest, TUNNEL_ENDED);
	return true;
}

void tunnel_tidy(struct context *context)
{
	/* Those that use up their turn once more wait for the next round. */
	for (size_t turns = context->again_count; turns > 0; turns--) {
		struct tunnel *tunnel = TAILQ_FIRST(&context->again);

		if (tunnel == NULL)
			break;
		leave_again(tunnel);
		tunnel_on_ready(tunnel, RELAY_CLIENT, 0);
	}
	bool has_room = !TAILQ_EMPTY(&context->closed);
	while (!TAILQ_EMPTY(&context->closed)) {
		struct tunnel *tunnel = TAILQ_FIRST(&context->closed);

		TAILQ_REMOVE(&context->closed, tunnel, link);
		free_tunnel(tunnel);
	}
	if (has_room && context->on_closed != NULL)
		context->on_closed(context->on_closed_arg);
}
