/* SPDX-License-Identifier: MIT */
/*
 * resolver: addresses of names that were allowed; the only <ares.h>.
 *
 * How it works: only absolute names are asked for (a final dot, no search
 * domains), A and AAAA side by side. An answer for one family waits 50 ms for
 * the other (RFC 8305 s3); a failure of one never fails the other. Requests for
 * a name that is being looked up join that lookup. The hosts file is read by
 * us, when first needed, and comes before DNS; localhost is never resolved
 * (RFC 6761 s6.3). c-ares is not initialised before the first query: start-up
 * would pay for it. Whether an address may be dialled is not decided here.
 */
#ifndef RESOLVER_H
#define RESOLVER_H

#include <stddef.h>
#include <stdint.h>

#include "decision.h"
#include "hostname.h"
#include "netaddr.h"

struct event_base;
struct policy_endpoint;
struct resolver;
struct resolver_request;

#define RESOLVER_MAX_ADDRESSES 32

/**
 * struct resolver_settings - copied
 * @servers:	where to ask; none: those of /etc/resolv.conf
 * @hosts_path:	a hosts file, or NULL: none is read
 */
struct resolver_settings {
	struct event_base *base;
	const struct policy_endpoint *servers;
	size_t server_count;
	uint64_t timeout_ms;
	const char *hosts_path;
};

/**
 * struct resolver_answer - valid during the call
 * @reason:	REASON_NONE: @count addresses, at least 1; else why there is
 * none
 * @detail:	more in words, or NULL
 */
struct resolver_answer {
	enum reason reason;
	const struct netaddr *addrs;
	size_t count;
	const char *detail;
};

/** struct resolver_receiver - who wants to know; @done is called once */
struct resolver_receiver {
	void (*done)(void *arg, const struct resolver_answer *answer);
	void *arg;
};

/** resolver_new() - costs nothing yet. Return: NULL when out of memory. */
struct resolver *resolver_new(const struct resolver_settings *settings);

/** resolver_prepare() - open now what would be opened when first needed */
void resolver_prepare(struct resolver *resolver);

/** resolver_change() - other settings from now on: nothing that was learnt is
 * kept, the hosts file is read anew, and open requests fail.
 * Return: 0; -ENOMEM: it is as it was. */
int resolver_change(struct resolver *resolver,
		    const struct resolver_settings *settings)
	__attribute__((warn_unused_result));

/** resolver_free() - every request must be over or cancelled; NULL: nothing */
void resolver_free(struct resolver *resolver);

/**
 * resolver_find() - look up @host
 * @request_out: set where the answer is still to come; NULL where @done was
 *		called before this returned
 *
 * Return: 0; -ENOMEM: @done will not be called.
 */
int resolver_find(struct resolver *resolver, const struct hostname *host,
		  const struct resolver_receiver *receiver,
		  struct resolver_request **request_out)
	__attribute__((warn_unused_result));

/** resolver_cancel() - @done will not be called; NULL does nothing */
void resolver_cancel(struct resolver_request *request);

#endif
