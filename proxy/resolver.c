/* SPDX-License-Identifier: MIT */
/* resolver: addresses of names that were allowed. */
#include "resolver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include "hosts_file.h"
#include "policy.h"
#include "resolver_ares.h"
#include "resolver_cache.h"
#include "ticks.h"

#define SETTLE_MS 50 /* RFC 8305 s3, "Resolution Delay" */

struct resolver_request {
	TAILQ_ENTRY(resolver_request) link;
	struct lookup *lookup;
	struct resolver_receiver receiver;
};

TAILQ_HEAD(request_list, resolver_request);

/*
 * One name being asked for. It leaves resolver->lookups when it is answered,
 * and is freed when c-ares has also called back for both families: queries
 * cannot be taken back.
 */
struct lookup {
	LIST_ENTRY(lookup) link;
	struct resolver *resolver;
	struct hostname host;
	struct request_list requests;
	struct event timer;
	struct netaddr addrs[RESOLVER_MAX_ADDRESSES];
	size_t count;
	uint32_t ttl_s;
	unsigned int pending;
	bool is_asking;
	bool is_answered;
	bool is_settling;
	bool is_late;
	bool has_failed;
	const char *detail;
};

struct resolver {
	struct resolver_settings settings;
	struct policy_endpoint *servers;
	struct resolver_ares *ares;
	struct resolver_cache cache;
	char *hosts;
	size_t hosts_len;
	bool has_read_hosts;
	LIST_HEAD(, lookup) lookups;
};

/* Return: 0 or -ENOMEM, and then nothing has changed. */
static int copy_settings(struct resolver *resolver,
			 const struct resolver_settings *settings)
{
	size_t size = settings->server_count * sizeof(*resolver->servers);
	struct policy_endpoint *servers = NULL;

	if (size > 0) {
		servers = malloc(size);
		if (servers == NULL)
			return -ENOMEM;
		memcpy(servers, settings->servers, size);
	}
	free(resolver->servers);
	resolver->servers = servers;
	resolver->settings = *settings;
	resolver->settings.servers = NULL;
	return 0;
}

struct resolver *resolver_new(const struct resolver_settings *settings)
{
	struct resolver *resolver = calloc(1, sizeof(*resolver));

	if (resolver == NULL)
		return NULL;
	LIST_INIT(&resolver->lookups);
	resolver_cache_init(&resolver->cache);
	if (copy_settings(resolver, settings) != 0) {
		free(resolver);
		return NULL;
	}
	return resolver;
}

static void forget(struct resolver *resolver)
{
	/* Tells everybody who waits that it failed. */
	resolver_ares_free(resolver->ares);
	resolver->ares = NULL;
	resolver_cache_clear(&resolver->cache);
	resolver_cache_init(&resolver->cache);
	free(resolver->hosts);
	resolver->hosts = NULL;
	resolver->hosts_len = 0;
	resolver->has_read_hosts = false;
}

int resolver_change(struct resolver *resolver,
		    const struct resolver_settings *settings)
{
	int rc = copy_settings(resolver, settings);

	if (rc == 0)
		forget(resolver);
	return rc;
}

void resolver_free(struct resolver *resolver)
{
	if (resolver == NULL)
		return;
	forget(resolver);
	free(resolver->servers);
	free(resolver);
}

static void read_hosts(struct resolver *resolver)
{
	const char *path = resolver->settings.hosts_path;

	resolver->has_read_hosts = true;
	int fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	off_t size = lseek(fd, 0, SEEK_END);
	if (size > 0 && size <= (off_t)HOSTS_FILE_MAX_BYTES)
		resolver->hosts = malloc((size_t)size);
	if (resolver->hosts != NULL) {
		ssize_t n = pread(fd, resolver->hosts, (size_t)size, 0);
		resolver->hosts_len = n > 0 ? (size_t)n : 0;
	}
	(void)close(fd);
}

static void open_ares(struct resolver *resolver)
{
	if (resolver->ares == NULL)
		resolver->ares = resolver_ares_new(
			resolver->settings.base, resolver->servers,
			resolver->settings.server_count);
}

void resolver_prepare(struct resolver *resolver)
{
	if (!resolver->has_read_hosts)
		read_hosts(resolver);
	open_ares(resolver);
}

static void free_lookup(struct lookup *lookup)
{
	(void)event_del(&lookup->timer);
	free(lookup);
}

static void tell(struct lookup *lookup, const struct resolver_answer *answer)
{
	/* A receiver may cancel another request; none can join any more. */
	while (!TAILQ_EMPTY(&lookup->requests)) {
		struct resolver_request *request =
			TAILQ_FIRST(&lookup->requests);
		/* The analyser misses that TAILQ_REMOVE moves the head. */
		/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
		struct resolver_receiver receiver = request->receiver;

		TAILQ_REMOVE(&lookup->requests, request, link);
		free(request);
		receiver.done(receiver.arg, answer);
	}
}

static void answer_lookup(struct lookup *lookup)
{
	struct resolver_answer answer = {
		.addrs = lookup->addrs,
		.count = lookup->count,
		.detail = lookup->detail,
	};

	if (lookup->count == 0)
		answer.reason =
			lookup->is_late ? REASON_DNS_TIMEOUT : REASON_DNS_ERROR;
	lookup->is_answered = true;
	LIST_REMOVE(lookup, link);
	(void)event_del(&lookup->timer);
	if (lookup->count > 0 || (!lookup->is_late && !lookup->has_failed))
		resolver_cache_put(&lookup->resolver->cache, ticks_now_ms(),
				   &lookup->host,
				   &(struct resolver_cache_answer){
					   .addrs = lookup->addrs,
					   .count = lookup->count,
					   .ttl_s = lookup->ttl_s,
				   });
	lookup->pending++; /* keep it while receivers run */
	tell(lookup, &answer);
	lookup->pending--;
}

static void on_timer(evutil_socket_t fd, short what, void *arg)
{
	struct lookup *lookup = arg;

	(void)fd;
	(void)what;
	if (!lookup->is_settling) {
		lookup->is_late = true;
		lookup->detail = NULL;
	}
	answer_lookup(lookup);
}

static void take_answer(struct lookup *lookup,
			const struct resolver_ares_answer *answer)
{
	for (size_t i = 0;
	     i < answer->count && lookup->count < RESOLVER_MAX_ADDRESSES; i++)
		lookup->addrs[lookup->count++] = answer->addrs[i];
	if (answer->count > 0 &&
	    (lookup->count == answer->count || answer->ttl_s < lookup->ttl_s))
		lookup->ttl_s = answer->ttl_s;
	if (answer->status == RESOLVER_ARES_TIMEOUT)
		lookup->is_late = true;
	if (answer->status == RESOLVER_ARES_FAILED ||
	    answer->status == RESOLVER_ARES_GONE)
		lookup->has_failed = true;
	if (answer->detail != NULL)
		lookup->detail = answer->detail;
}

/* Answer, or wait a little for the other family; free what is over. Even "no
 * such name" waits: some servers say it of AAAA where A exists. */
static void advance(struct lookup *lookup)
{
	const struct timeval settle = ticks_timeval(SETTLE_MS);

	if (!lookup->is_answered) {
		if (lookup->pending == 0) {
			answer_lookup(lookup);
		} else if (lookup->count > 0) {
			lookup->is_settling = true;
			(void)event_add(&lookup->timer, &settle);
		}
	}
	if (lookup->is_answered && lookup->pending == 0)
		free_lookup(lookup);
}

static void on_answer(void *arg, const struct resolver_ares_answer *answer)
{
	struct lookup *lookup = arg;

	lookup->pending--;
	if (!lookup->is_answered)
		take_answer(lookup, answer);
	if (!lookup->is_asking)
		advance(lookup);
}

static struct lookup *start_lookup(struct resolver *resolver,
				   const struct hostname *host)
{
	struct timeval timeout =
		ticks_timeval((int64_t)resolver->settings.timeout_ms);
	struct lookup *lookup = calloc(1, sizeof(*lookup));

	if (lookup == NULL)
		return NULL;
	lookup->resolver = resolver;
	lookup->host = *host;
	TAILQ_INIT(&lookup->requests);
	(void)evtimer_assign(&lookup->timer, resolver->settings.base, on_timer,
			     lookup);
	(void)event_add(&lookup->timer, &timeout);
	LIST_INSERT_HEAD(&resolver->lookups, lookup, link);
	return lookup;
}

/* c-ares may call back at once; nobody is told before both are asked.
 * Return: the answer is still to come. */
static bool ask(struct lookup *lookup)
{
	struct resolver_ares *ares = lookup->resolver->ares;
	bool is_over;

	lookup->is_asking = true;
	lookup->pending = 2;
	resolver_ares_query(ares, &lookup->host, AF_INET6, on_answer, lookup);
	resolver_ares_query(ares, &lookup->host, AF_INET, on_answer, lookup);
	lookup->is_asking = false;
	is_over = lookup->pending == 0;
	advance(lookup);
	return !is_over;
}

static struct lookup *find_lookup(struct resolver *resolver,
				  const struct hostname *host)
{
	struct lookup *lookup;

	LIST_FOREACH(lookup, &resolver->lookups, link)
	if (hostname_equal(&lookup->host, host))
		return lookup;
	return NULL;
}

static void fail(const struct resolver_receiver *receiver, const char *detail)
{
	const struct resolver_answer answer = {.reason = REASON_DNS_ERROR,
					       .detail = detail};

	receiver->done(receiver->arg, &answer);
}

static bool is_localhost(const struct hostname *host)
{
	static const struct hostname localhost = {.text = "localhost",
						  .len = 9};

	return hostname_equal(host, &localhost) ||
	       hostname_is_below(host, &localhost);
}

/* Answers that need no query. Return: @receiver was told. */
static bool answer_now(struct resolver *resolver, const struct hostname *host,
		       const struct resolver_receiver *receiver)
{
	struct netaddr addrs[RESOLVER_MAX_ADDRESSES];
	struct resolver_answer answer = {.addrs = addrs};
	bool is_known;

	if (is_localhost(host)) {
		fail(receiver, "localhost is never resolved");
		return true;
	}
	if (!resolver->has_read_hosts)
		read_hosts(resolver);
	answer.count = hosts_file_find(resolver->hosts, resolver->hosts_len,
				       host, addrs, RESOLVER_MAX_ADDRESSES);
	is_known = answer.count > 0 ||
		   resolver_cache_find(&resolver->cache, ticks_now_ms(), host,
				       addrs, &answer.count);
	if (!is_known)
		return false;
	if (answer.count == 0)
		answer.reason = REASON_DNS_ERROR;
	receiver->done(receiver->arg, &answer);
	return true;
}

static int join(struct lookup *lookup, const struct resolver_receiver *receiver,
		struct resolver_request **request_out)
{
	struct resolver_request *request = calloc(1, sizeof(*request));

	if (request == NULL)
		return -ENOMEM;
	request->lookup = lookup;
	request->receiver = *receiver;
	TAILQ_INSERT_TAIL(&lookup->requests, request, link);
	*request_out = request;
	return 0;
}

int resolver_find(struct resolver *resolver, const struct hostname *host,
		  const struct resolver_receiver *receiver,
		  struct resolver_request **request_out)
{
	*request_out = NULL;
	if (answer_now(resolver, host, receiver))
		return 0;
	struct lookup *lookup = find_lookup(resolver, host);
	if (lookup != NULL)
		return join(lookup, receiver, request_out);
	open_ares(resolver);
	if (resolver->ares == NULL) {
		fail(receiver, "no resolver: see /etc/resolv.conf");
		return 0;
	}
	lookup = start_lookup(resolver, host);
	if (lookup == NULL)
		return -ENOMEM;
	struct resolver_request *request = NULL;
	int rc = join(lookup, receiver, &request);
	if (rc != 0) {
		LIST_REMOVE(lookup, link);
		free_lookup(lookup);
		return rc;
	}
	if (ask(lookup))
		*request_out = request;
	return 0;
}

void resolver_cancel(struct resolver_request *request)
{
	if (request == NULL)
		return;
	/* The lookup goes on: its answer is of use to the next one. */
	TAILQ_REMOVE(&request->lookup->requests, request, link);
	free(request);
}
