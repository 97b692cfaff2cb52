/* SPDX-License-Identifier: MIT */
/* resolver_cache: answers of DNS for as long as they are good. */
#include "resolver_cache.h"

#include <stdlib.h>
#include <string.h>

struct resolver_cache_entry {
	TAILQ_ENTRY(resolver_cache_entry) by_age;
	LIST_ENTRY(resolver_cache_entry) in_bucket;
	struct hostname host;
	int64_t until_ms;
	size_t count;
	struct netaddr addrs[];
};

void resolver_cache_init(struct resolver_cache *cache)
{
	*cache = (struct resolver_cache){0};
	TAILQ_INIT(&cache->by_age);
}

static void drop(struct resolver_cache *cache,
		 struct resolver_cache_entry *entry)
{
	TAILQ_REMOVE(&cache->by_age, entry, by_age);
	LIST_REMOVE(entry, in_bucket);
	free(entry);
	cache->count--;
}

void resolver_cache_clear(struct resolver_cache *cache)
{
	while (!TAILQ_EMPTY(&cache->by_age))
		drop(cache, TAILQ_FIRST(&cache->by_age));
	free(cache->buckets);
	cache->buckets = NULL;
}

/* FNV-1a. Only names that the policy allows come here, and the table is small:
 * a flood of colliding names costs no more than a list of its size. */
static struct resolver_cache_bucket *bucket_of(struct resolver_cache *cache,
					       const struct hostname *host)
{
	uint32_t hash = 2166136261U;

	for (size_t i = 0; i < host->len; i++)
		hash = (hash ^ (uint8_t)host->text[i]) * 16777619U;
	return &cache->buckets[hash % RESOLVER_CACHE_BUCKETS];
}

static struct resolver_cache_entry *find_entry(struct resolver_cache *cache,
					       const struct hostname *host)
{
	struct resolver_cache_entry *entry;

	if (cache->buckets == NULL)
		return NULL;
	LIST_FOREACH(entry, bucket_of(cache, host), in_bucket)
	if (hostname_equal(&entry->host, host))
		return entry;
	return NULL;
}

static int64_t lifetime_ms(const struct resolver_cache_answer *answer)
{
	if (answer->count == 0)
		return RESOLVER_CACHE_NEGATIVE_MS;
	if (answer->ttl_s > RESOLVER_CACHE_TTL_MAX_S)
		return RESOLVER_CACHE_TTL_MAX_S * INT64_C(1000);
	return (int64_t)answer->ttl_s * 1000;
}

void resolver_cache_put(struct resolver_cache *cache, int64_t now_ms,
			const struct hostname *host,
			const struct resolver_cache_answer *answer)
{
	struct resolver_cache_entry *entry = find_entry(cache, host);
	size_t size = answer->count * sizeof(entry->addrs[0]);

	if (entry != NULL)
		drop(cache, entry);
	if (lifetime_ms(answer) == 0)
		return;
	if (cache->buckets == NULL)
		cache->buckets =
			calloc(RESOLVER_CACHE_BUCKETS, sizeof(*cache->buckets));
	entry = cache->buckets != NULL ? malloc(sizeof(*entry) + size) : NULL;
	if (entry == NULL)
		return;
	if (cache->count == RESOLVER_CACHE_MAX)
		drop(cache, TAILQ_FIRST(&cache->by_age));
	entry->host = *host;
	entry->until_ms = now_ms + lifetime_ms(answer);
	entry->count = answer->count;
	if (size > 0)
		memcpy(entry->addrs, answer->addrs, size);
	TAILQ_INSERT_TAIL(&cache->by_age, entry, by_age);
	LIST_INSERT_HEAD(bucket_of(cache, host), entry, in_bucket);
	cache->count++;
}

bool resolver_cache_find(struct resolver_cache *cache, int64_t now_ms,
			 const struct hostname *host, struct netaddr *addrs_out,
			 size_t *count_out)
{
	struct resolver_cache_entry *entry = find_entry(cache, host);

	if (entry == NULL)
		return false;
	if (now_ms >= entry->until_ms) {
		drop(cache, entry);
		return false;
	}
	if (entry->count > 0)
		memcpy(addrs_out, entry->addrs,
		       entry->count * sizeof(entry->addrs[0]));
	*count_out = entry->count;
	return true;
}
