/* SPDX-License-Identifier: MIT */
/* server: wires policy, audit trail, listeners, resolver and tunnels. */
#include "server.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "budget.h"
#include "context.h"
#include "desk.h"
#include "dns_server.h"
#include "listener.h"
#include "policy.h"
#include "policy_hold.h"
#include "resolver.h"
#include "synthetic.h"
#include "tap.h"
#include "ticks.h"
#include "tunnel.h"

#define RETRY_MS     250
#define SHED_AGE_MS  1000
#define SHED_AT_ONCE 16
#define DRAIN_MS     5000
#define QUIET_MS     500 /* no tunnel moved a byte: nothing to wait for */

struct server {
	struct context context;
	struct listener_owner owners[SERVER_LISTENER_COUNT];
	struct dns_server *dns;
	struct tap *tap;
	LIST_HEAD(, listener) listeners;
	struct event retry;
	struct event drain;
	int64_t drain_until_ms;
	const char *hosts_path;
	size_t shares;
	size_t capacity; /* connections that the descriptors allow */
	bool is_paused;
	struct log_limit limit;
};

static bool has_room(void *arg)
{
	const struct server *server = arg;

	return server->context.count < server->capacity;
}

static void resume(struct server *server)
{
	struct listener *listener;

	if (!server->is_paused || !has_room(server))
		return;
	server->is_paused = false;
	(void)event_del(&server->retry);
	LIST_FOREACH(listener, &server->listeners, link)
	listener_resume(listener);
}

static void on_closed(void *arg)
{
	resume(arg);
}

static void plan_retry(struct server *server)
{
	const struct timeval tv = ticks_timeval(RETRY_MS);

	(void)event_add(&server->retry, &tv);
}

static void on_retry(evutil_socket_t fd, short what, void *arg)
{
	struct server *server = arg;
	int shed = 0;

	(void)fd;
	(void)what;
	while (shed < SHED_AT_ONCE &&
	       tunnel_shed(&server->context, SHED_AGE_MS))
		shed++;
	if (has_room(server))
		resume(server);
	else
		plan_retry(server);
}

static void on_starved(void *arg, int error)
{
	struct server *server = arg;
	struct listener *listener;

	if (log_limit_pass(&server->limit, ticks_now_ms())) {
		if (error != 0)
			log_warn("accepting pauses: %s", strerror(error));
		else
			log_warn("accepting pauses: %zu connections are open, "
				 "the limit is %zu (raise the limit of open "
				 "files or proxy.max_tunnels)",
				 server->context.count, server->capacity);
	}
	server->is_paused = true;
	LIST_FOREACH(listener, &server->listeners, link)
	listener_pause(listener);
	plan_retry(server);
}

static void on_client(void *arg, int fd_own)
{
	struct server *server = arg;

	if (tunnel_start(&server->context, fd_own) != 0)
		on_starved(server, ENOMEM);
}

static void on_captured(void *arg, int fd_own)
{
	struct server *server = arg;

	if (tunnel_start_captured(&server->context, fd_own) != 0)
		on_starved(server, ENOMEM);
}

static void on_inbound(void *arg, int fd_own)
{
	struct server *server = arg;

	if (tunnel_start_inbound(&server->context, fd_own) != 0)
		on_starved(server, ENOMEM);
}

static void on_asked(void *arg, int fd_own)
{
	struct server *server = arg;

	dns_server_take_client(server->dns, fd_own);
}

static void on_tidy(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	tunnel_tidy(arg);
}

static void on_drain(evutil_socket_t fd, short what, void *arg)
{
	struct server *server = arg;
	struct context *context = &server->context;
	const struct timeval tv = ticks_timeval(RETRY_MS);
	int64_t now = ticks_now_ms();

	(void)fd;
	(void)what;
	if (context->count == 0 || now >= server->drain_until_ms ||
	    now - context->active_ms >= QUIET_MS)
		(void)event_base_loopbreak(context->base);
	else
		(void)event_add(&server->drain, &tv);
}

static void plan_budget(struct server *server, const struct policy *policy)
{
	const struct budget budget =
		budget_plan(policy->proxy.max_tunnels, server->shares);

	server->context.tools.pool.max = budget.pipes;
	server->context.max = budget.tunnels;
	server->capacity = budget.connections;
	server->context.max_per_client =
		budget_share(policy->proxy.max_client_tunnels, server->shares);
}

static struct resolver_settings resolver_part(const struct server *server,
					      const struct policy *policy)
{
	return (struct resolver_settings){
		.base = server->context.base,
		.servers = policy->dns.servers,
		.server_count = policy->dns.server_count,
		.timeout_ms = policy->dns.timeout_ms,
		.hosts_path = server->hosts_path,
	};
}

static int make_parts(struct server *server, struct policy *policy_own)
{
	struct context *context = &server->context;
	const struct resolver_settings resolver =
		resolver_part(server, policy_own);

	plan_budget(server, policy_own);
	context->trail.continues =
		policy_own->audit.on_error == POLICY_AUDIT_CONTINUE;
	context->resolver = resolver_new(&resolver);
	context->policy = policy_hold_new(policy_own);
	return context->resolver != NULL && context->policy != NULL ? 0
								    : -ENOMEM;
}

int server_ask_gate(struct server *server, int pair, bool wants_parents)
{
	struct context *context = &server->context;

	context->desk = desk_new(context->base, pair);
	context->wants_parents = wants_parents;
	inner_sockets_init(&context->inner_sockets, context->desk);
	return context->desk != NULL ? 0 : -ENOMEM;
}

int server_reload(struct server *server, struct policy *policy_own)
{
	struct context *context = &server->context;
	const struct resolver_settings resolver =
		resolver_part(server, policy_own);
	bool closes = policy_own->proxy.reload_closes;
	struct policy_hold *hold = policy_hold_new(policy_own);

	if (hold == NULL)
		return -ENOMEM;
	if (resolver_change(context->resolver, &resolver) != 0) {
		policy_hold_unref(hold);
		return -ENOMEM;
	}
	policy_hold_unref(context->policy);
	context->policy = hold;
	context->trail.continues =
		hold->policy->audit.on_error == POLICY_AUDIT_CONTINUE;
	plan_budget(server, hold->policy);
	if (closes)
		tunnel_close_all(context);
	return 0;
}

static void set_owners(struct server *server)
{
	const struct listener_owner owner = {
		.base = server->context.base,
		.has_room = has_room,
		.take = on_client,
		.starve = on_starved,
		.arg = server,
	};

	for (size_t i = 0; i < SERVER_LISTENER_COUNT; i++) {
		server->owners[i] = owner;
		server->owners[i].is_inside = i != SERVER_HOST;
	}
	server->owners[SERVER_CAPTURE].take = on_captured;
	server->owners[SERVER_DNS].take = on_asked;
	server->owners[SERVER_INBOUND].take = on_inbound;
	server->owners[SERVER_INBOUND].is_inside = false;
}

struct server *server_new(const struct server_settings *settings)
{
	struct server *server = calloc(1, sizeof(*server));

	if (server == NULL) {
		policy_free(settings->policy_own);
		return NULL;
	}
	struct context *context = &server->context;
	context->base = settings->base;
	server->hosts_path = settings->hosts_path;
	context->trail.fd = settings->audit_fd;
	context->trail.run = settings->run;
	context->trail.next_seq = settings->first_seq;
	context->trail.next_conn = settings->first_conn;
	server->shares = settings->shares;
	TAILQ_INIT(&context->heads);
	TAILQ_INIT(&context->others);
	TAILQ_INIT(&context->closed);
	TAILQ_INIT(&context->again);
	context->on_closed = on_closed;
	context->on_closed_arg = server;
	LIST_INIT(&server->listeners);
	(void)evtimer_assign(&context->tidy, settings->base, on_tidy, context);
	(void)evtimer_assign(&server->drain, settings->base, on_drain, server);
	(void)evtimer_assign(&server->retry, settings->base, on_retry, server);
	set_owners(server);
	if (make_parts(server, settings->policy_own) != 0) {
		server_free(server);
		return NULL;
	}
	return server;
}

/* What only a sandbox needs costs a daemon nothing. The seed is where memory
 * lies: nobody inside knows it. */
static int prepare_capture(struct server *server)
{
	struct context *context = &server->context;

	if (context->synthetic == NULL)
		context->synthetic = synthetic_new(
			SYNTHETIC_MAX, (uint32_t)((uintptr_t)server >> 4));
	if (server->dns == NULL)
		server->dns = dns_server_new(context);
	return context->synthetic != NULL && server->dns != NULL ? 0 : -ENOMEM;
}

int server_add_names(struct server *server, int fd_own)
{
	int rc = prepare_capture(server);

	if (rc == 0)
		return dns_server_take_udp(server->dns, fd_own);
	(void)close(fd_own);
	return rc;
}

int server_add_listener(struct server *server, int fd_own,
			enum server_listener kind)
{
	bool is_host = kind == SERVER_HOST || kind == SERVER_INBOUND;
	struct netaddr address;
	uint16_t port;

	if ((kind == SERVER_CAPTURE || kind == SERVER_DNS) &&
	    prepare_capture(server) != 0) {
		(void)close(fd_own);
		return -ENOMEM;
	}
	if (is_host && listener_address(fd_own, &address, &port)) {
		int rc = own_address_add_listener(&server->context.own,
						  &address, port);
		if (rc != 0) {
			(void)close(fd_own);
			return rc;
		}
	}
	struct listener *listener = listener_new(&server->owners[kind], fd_own);
	if (listener == NULL)
		return -ENOMEM;
	LIST_INSERT_HEAD(&server->listeners, listener, link);
	return 0;
}

int server_add_tap(struct server *server, int fd_own)
{
	tap_free(server->tap);
	server->tap = tap_new(&server->context, fd_own);
	return server->tap != NULL ? 0 : -ENOMEM;
}

bool server_is_behind(struct server *server)
{
	return server->tap != NULL && tap_is_behind(server->tap);
}

static void close_listeners(struct server *server)
{
	while (!LIST_EMPTY(&server->listeners)) {
		struct listener *listener = LIST_FIRST(&server->listeners);

		LIST_REMOVE(listener, link);
		listener_free(listener);
	}
	(void)event_del(&server->retry);
	server->context.on_closed = NULL;
}

void server_drain(struct server *server)
{
	close_listeners(server);
	server->drain_until_ms = ticks_now_ms() + DRAIN_MS;
	on_drain(-1, 0, server);
}

void server_stop(struct server *server)
{
	close_listeners(server);
	(void)event_del(&server->drain);
	tunnel_close_all(&server->context);
	tap_free(server->tap);
	server->tap = NULL;
}

void server_free(struct server *server)
{
	struct context *context;

	if (server == NULL)
		return;
	context = &server->context;
	server_stop(server);
	tunnel_tidy(context);
	(void)event_del(&context->tidy);
	dns_server_free(server->dns);
	synthetic_free(context->synthetic);
	inner_sockets_clear(&context->inner_sockets);
	desk_free(context->desk);
	resolver_free(context->resolver);
	policy_hold_unref(context->policy);
	relay_pool_clear(&context->tools.pool);
	deny_table_clear(&context->denied);
	own_address_clear(&context->own);
	free(server);
}

void server_prepare(struct server *server)
{
	resolver_prepare(server->context.resolver);
}

const struct deny_table *server_denied(const struct server *server)
{
	return &server->context.denied;
}

uint64_t server_next_seq(const struct server *server)
{
	return server->context.trail.next_seq;
}
