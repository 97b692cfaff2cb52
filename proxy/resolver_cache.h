/* SPDX-License-Identifier: MIT */
/*
 * resolver_cache: answers of DNS for as long as they are good; no I/O, no
 * clock.
 *
 * How it works: a hash table of at most RESOLVER_CACHE_MAX names. When it is
 * full the oldest entry goes. Times are given by the caller.
 */
#ifndef RESOLVER_CACHE_H
#define RESOLVER_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "hostname.h"
#include "netaddr.h"

#define RESOLVER_CACHE_MAX         1024
#define RESOLVER_CACHE_BUCKETS     256
#define RESOLVER_CACHE_TTL_MAX_S   3600
#define RESOLVER_CACHE_NEGATIVE_MS 5000 /* "no such name" (RFC 2308) */

struct resolver_cache_entry;
TAILQ_HEAD(resolver_cache_list, resolver_cache_entry);
LIST_HEAD(resolver_cache_bucket, resolver_cache_entry);

struct resolver_cache {
	struct resolver_cache_bucket *buckets; /* NULL until the first put */
	struct resolver_cache_list by_age;
	size_t count;
};

/** struct resolver_cache_answer - @count 0: the name has no address */
struct resolver_cache_answer {
	const struct netaddr *addrs;
	size_t count;
	uint32_t ttl_s;
};

void resolver_cache_init(struct resolver_cache *cache);
void resolver_cache_clear(struct resolver_cache *cache);

/** resolver_cache_put() - keep an answer; a ttl of 0, or no memory: it is not
 * kept. Replaces an older one. */
void resolver_cache_put(struct resolver_cache *cache, int64_t now_ms,
			const struct hostname *host,
			const struct resolver_cache_answer *answer);

/**
 * resolver_cache_find() - a kept answer that is still good
 * @addrs_out:	room for RESOLVER_MAX_ADDRESSES
 * @count_out:	0: it is known that there is none
 *
 * Return: false: nothing is known, outputs untouched.
 */
bool resolver_cache_find(struct resolver_cache *cache, int64_t now_ms,
			 const struct hostname *host, struct netaddr *addrs_out,
			 size_t *count_out);

#endif
