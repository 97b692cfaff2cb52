/* SPDX-License-Identifier: MIT */
/* resolver_ares: one c-ares channel on the event loop; inside the resolver. */
#include "resolver_ares.h"

#include <netdb.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include <ares.h>
#include <event2/event.h>
#include <event2/event_struct.h>

#include "policy.h"
#include "resolver.h"
#include "text.h"
#include "ticks.h"

#define TRY_TIMEOUT_MS 1500
#define TRIES          3
#define MAX_CNAMES     8 /* a longer chain is a loop or an attack */
#define CLASS_IN       1
#define TYPE_A         1
#define TYPE_AAAA      28

struct watch {
	LIST_ENTRY(watch) link;
	struct event event;
	ares_socket_t fd;
};

struct resolver_ares {
	struct event_base *base;
	ares_channel channel;
	bool has_channel;
	struct event timer;
	LIST_HEAD(, watch) watches;
};

struct query {
	sa_family_t family;
	resolver_ares_done *done;
	void *arg;
};

static void plan_timer(struct resolver_ares *ares)
{
	struct timeval tv;

	if (ares_timeout(ares->channel, NULL, &tv) != NULL)
		(void)event_add(&ares->timer, &tv);
	else
		(void)event_del(&ares->timer);
}

static void on_socket(evutil_socket_t fd, short what, void *arg)
{
	struct resolver_ares *ares = arg;

	ares_process_fd(ares->channel,
			(what & EV_READ) != 0 ? fd : ARES_SOCKET_BAD,
			(what & EV_WRITE) != 0 ? fd : ARES_SOCKET_BAD);
	plan_timer(ares);
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct resolver_ares *ares = arg;

	(void)fd;
	(void)what;
	ares_process_fd(ares->channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
	plan_timer(ares);
}

static struct watch *find_watch(struct resolver_ares *ares, ares_socket_t fd)
{
	struct watch *watch;

	LIST_FOREACH(watch, &ares->watches, link)
	if (watch->fd == fd)
		return watch;
	watch = calloc(1, sizeof(*watch));
	if (watch == NULL)
		return NULL;
	watch->fd = fd;
	(void)event_assign(&watch->event, ares->base, fd, 0, on_socket, ares);
	LIST_INSERT_HEAD(&ares->watches, watch, link);
	return watch;
}

/* Without a watch the query simply runs into its timeout. */
static void on_socket_state(void *arg, ares_socket_t fd, int is_read,
			    int is_write)
{
	struct resolver_ares *ares = arg;
	struct watch *watch = find_watch(ares, fd);
	short what = EV_PERSIST;

	if (watch == NULL)
		return;
	(void)event_del(&watch->event);
	if (is_read == 0 && is_write == 0) {
		LIST_REMOVE(watch, link);
		free(watch);
		return;
	}
	what |= is_read != 0 ? EV_READ : 0;
	what |= is_write != 0 ? EV_WRITE : 0;
	(void)event_assign(&watch->event, ares->base, fd, what, on_socket,
			   ares);
	(void)event_add(&watch->event, NULL);
}

static int use_servers(struct resolver_ares *ares,
		       const struct policy_endpoint *servers, size_t count)
{
	struct ares_addr_port_node *nodes = calloc(count, sizeof(*nodes));

	if (nodes == NULL)
		return ARES_ENOMEM;
	for (size_t i = 0; i < count; i++) {
		nodes[i].next = i + 1 < count ? &nodes[i + 1] : NULL;
		nodes[i].family = servers[i].address.family;
		nodes[i].udp_port = servers[i].port;
		nodes[i].tcp_port = servers[i].port;
		if (servers[i].address.family == AF_INET)
			memcpy(&nodes[i].addr.addr4, servers[i].address.bytes,
			       sizeof(nodes[i].addr.addr4));
		else
			memcpy(&nodes[i].addr.addr6, servers[i].address.bytes,
			       sizeof(nodes[i].addr.addr6));
	}
	int rc = ares_set_servers_ports(ares->channel, nodes);
	free(nodes);
	return rc;
}

/* Every option that c-ares would otherwise take from its environment or from
 * the search line of resolv.conf is set: a name means itself. */
static int open_channel(struct resolver_ares *ares)
{
	char lookups[] = "b";
	struct ares_options options = {
		.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES,
		.timeout = TRY_TIMEOUT_MS,
		.tries = TRIES,
		.ndots = 0,
		.lookups = lookups,
		.sock_state_cb = on_socket_state,
		.sock_state_cb_data = ares,
	};

	return ares_init_options(&ares->channel, &options,
				 ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS |
					 ARES_OPT_TRIES | ARES_OPT_NDOTS |
					 ARES_OPT_LOOKUPS | ARES_OPT_DOMAINS |
					 ARES_OPT_SOCK_STATE_CB);
}

struct resolver_ares *resolver_ares_new(struct event_base *base,
					const struct policy_endpoint *servers,
					size_t count)
{
	struct resolver_ares *ares = calloc(1, sizeof(*ares));

	if (ares == NULL)
		return NULL;
	ares->base = base;
	LIST_INIT(&ares->watches);
	(void)evtimer_assign(&ares->timer, base, on_timer, ares);
	ares->has_channel = open_channel(ares) == ARES_SUCCESS;
	if (!ares->has_channel ||
	    (count > 0 && use_servers(ares, servers, count) != ARES_SUCCESS)) {
		resolver_ares_free(ares);
		return NULL;
	}
	return ares;
}

void resolver_ares_free(struct resolver_ares *ares)
{
	if (ares == NULL)
		return;
	if (ares->has_channel)
		ares_destroy(ares->channel);
	while (!LIST_EMPTY(&ares->watches)) {
		struct watch *watch = LIST_FIRST(&ares->watches);

		LIST_REMOVE(watch, link);
		(void)event_del(&watch->event);
		free(watch);
	}
	(void)event_del(&ares->timer);
	free(ares);
}

static enum resolver_ares_status status_of(int status)
{
	switch (status) {
	case ARES_SUCCESS:
		return RESOLVER_ARES_OK;
	case ARES_ENOTFOUND:
		return RESOLVER_ARES_NO_NAME;
	case ARES_ENODATA:
		return RESOLVER_ARES_NO_DATA;
	case ARES_ETIMEOUT:
		return RESOLVER_ARES_TIMEOUT;
	case ARES_EDESTRUCTION:
	case ARES_ECANCELLED:
		return RESOLVER_ARES_GONE;
	default:
		return RESOLVER_ARES_FAILED;
	}
}

static size_t count_aliases(const struct hostent *entry)
{
	size_t count = 0;

	while (entry->h_aliases != NULL && entry->h_aliases[count] != NULL)
		count++;
	return count;
}

/* What both families have in common behind the parsers of c-ares. */
struct parsed {
	struct netaddr addrs[RESOLVER_MAX_ADDRESSES];
	int count;
	int ttl_s;
};

static void add_parsed(struct parsed *parsed, sa_family_t family,
		       const void *bytes, size_t len, int ttl_s)
{
	struct netaddr *addr = &parsed->addrs[parsed->count];

	*addr = (struct netaddr){.family = family};
	memcpy(addr->bytes, bytes, len);
	if (parsed->count == 0 || ttl_s < parsed->ttl_s)
		parsed->ttl_s = ttl_s;
	parsed->count++;
}

static int parse_a(const unsigned char *reply, int len, struct parsed *parsed,
		   struct hostent **entry_out)
{
	struct ares_addrttl found[RESOLVER_MAX_ADDRESSES];
	int count = RESOLVER_MAX_ADDRESSES;
	int rc = ares_parse_a_reply(reply, len, entry_out, found, &count);

	for (int i = 0; rc == ARES_SUCCESS && i < count; i++)
		add_parsed(parsed, AF_INET, &found[i].ipaddr,
			   sizeof(found[i].ipaddr), found[i].ttl);
	return rc;
}

static int parse_aaaa(const unsigned char *reply, int len,
		      struct parsed *parsed, struct hostent **entry_out)
{
	struct ares_addr6ttl found[RESOLVER_MAX_ADDRESSES];
	int count = RESOLVER_MAX_ADDRESSES;
	int rc = ares_parse_aaaa_reply(reply, len, entry_out, found, &count);

	for (int i = 0; rc == ARES_SUCCESS && i < count; i++)
		add_parsed(parsed, AF_INET6, &found[i].ip6addr,
			   sizeof(found[i].ip6addr), found[i].ttl);
	return rc;
}

static void read_reply(const unsigned char *reply, int len,
		       struct parsed *parsed,
		       struct resolver_ares_answer *answer)
{
	struct hostent *entry = NULL;
	int rc = answer->family == AF_INET
			 ? parse_a(reply, len, parsed, &entry)
			 : parse_aaaa(reply, len, parsed, &entry);

	answer->status = status_of(rc);
	if (rc != ARES_SUCCESS) {
		answer->detail = ares_strerror(rc);
	} else if (entry != NULL && count_aliases(entry) > MAX_CNAMES) {
		answer->status = RESOLVER_ARES_FAILED;
		answer->detail = "chain of CNAMEs is too long";
	} else if (parsed->count == 0) {
		answer->status = RESOLVER_ARES_NO_DATA;
	} else {
		answer->addrs = parsed->addrs;
		answer->count = (size_t)parsed->count;
		answer->ttl_s = parsed->ttl_s > 0 ? (uint32_t)parsed->ttl_s : 0;
	}
	if (entry != NULL)
		ares_free_hostent(entry);
}

static void on_reply(void *arg, int status, int timeouts, unsigned char *reply,
		     int len)
{
	struct query *query = arg;
	struct parsed parsed = {.count = 0};
	struct resolver_ares_answer answer = {
		.status = status_of(status),
		.family = query->family,
		.detail = status == ARES_SUCCESS ? NULL : ares_strerror(status),
	};

	(void)timeouts;
	if (status == ARES_SUCCESS)
		read_reply(reply, len, &parsed, &answer);
	query->done(query->arg, &answer);
	free(query);
}

void resolver_ares_query(struct resolver_ares *ares,
			 const struct hostname *host, sa_family_t family,
			 resolver_ares_done *done, void *arg)
{
	char name[HOSTNAME_MAX_BYTES + 2];
	struct text t;
	struct query *query = malloc(sizeof(*query));

	if (query == NULL) {
		const struct resolver_ares_answer answer = {
			.status = RESOLVER_ARES_FAILED,
			.family = family,
			.detail = "out of memory",
		};

		done(arg, &answer);
		return;
	}
	*query = (struct query){.family = family, .done = done, .arg = arg};
	/* The final dot: this name and no other (RFC 1034 s3.1). */
	text_init(&t, name, sizeof(name));
	text_add_bytes(&t, host->text, host->len);
	text_add(&t, ".");
	ares_query(ares->channel, name, CLASS_IN,
		   family == AF_INET ? TYPE_A : TYPE_AAAA, on_reply, query);
	plan_timer(ares);
}
