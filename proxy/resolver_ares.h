/* SPDX-License-Identifier: MIT */
/* resolver_ares: one c-ares channel on the event loop; inside the resolver. */
#ifndef RESOLVER_ARES_H
#define RESOLVER_ARES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "hostname.h"
#include "netaddr.h"

struct event_base;
struct policy_endpoint;
struct resolver_ares;

enum resolver_ares_status {
	RESOLVER_ARES_OK = 0,  /* addresses, at least one */
	RESOLVER_ARES_NO_NAME, /* NXDOMAIN: neither family has any */
	RESOLVER_ARES_NO_DATA, /* none of this family */
	RESOLVER_ARES_TIMEOUT,
	RESOLVER_ARES_FAILED, /* refused, malformed, chain too long, ... */
	RESOLVER_ARES_GONE,   /* the channel is being freed: only clean up */
};

/** struct resolver_ares_answer - valid during the call */
struct resolver_ares_answer {
	enum resolver_ares_status status;
	sa_family_t family;
	const struct netaddr *addrs;
	size_t count;
	uint32_t ttl_s;     /* the least of all records used */
	const char *detail; /* of a failure, or NULL */
};

typedef void resolver_ares_done(void *arg,
				const struct resolver_ares_answer *answer);

/**
 * resolver_ares_new() - initialise c-ares
 * @servers:	@count of them; 0: those of /etc/resolv.conf
 * Return: NULL: out of memory or no usable configuration.
 */
struct resolver_ares *resolver_ares_new(struct event_base *base,
					const struct policy_endpoint *servers,
					size_t count);

/** resolver_ares_free() - every query still open is answered with GONE */
void resolver_ares_free(struct resolver_ares *ares);

/**
 * resolver_ares_query() - ask for the addresses of one family
 *
 * @done is called exactly once, maybe before this returns. A query cannot be
 * taken back.
 */
void resolver_ares_query(struct resolver_ares *ares,
			 const struct hostname *host, sa_family_t family,
			 resolver_ares_done *done, void *arg);

#endif
