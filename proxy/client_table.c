/* SPDX-License-Identifier: MIT */
/* client_table: how many connections each client has open. Pure. */
#include "client_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct client_id client_id_of_address(const struct netaddr *address)
{
	const struct netaddr_block mapped = {.addr = *address,
					     .prefix_bits = 128};
	const struct netaddr addr = address->family == AF_INET6
					    ? netaddr_block_unmap(&mapped).addr
					    : *address;
	bool is_four = addr.family == AF_INET;
	struct client_id id = {.kind = is_four ? CLIENT_IPV4 : CLIENT_IPV6};

	memcpy(id.bytes, addr.bytes, is_four ? 4 : sizeof(id.bytes));
	return id;
}

struct client_id client_id_of_user(uint32_t uid)
{
	struct client_id id = {.kind = CLIENT_USER};

	memcpy(id.bytes, &uid, sizeof(uid));
	return id;
}

static bool is_same(const struct client_id *a, const struct client_id *b)
{
	return a->kind == b->kind &&
	       memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

/* FNV-1a: there are no more entries than connections, so a chain that somebody
 * makes long is bounded by what the table is there to bound. */
static size_t bucket_of(const struct client_id *id)
{
	uint32_t hash = 2166136261U;

	for (size_t i = 0; i < sizeof(id->bytes); i++)
		hash = (hash ^ id->bytes[i]) * 16777619U;
	return (hash ^ hash >> 16) % CLIENT_TABLE_BUCKETS;
}

struct client_entry *client_table_add(struct client_table *table,
				      const struct client_id *id)
{
	struct client_entry **bucket = &table->buckets[bucket_of(id)];
	struct client_entry *entry = *bucket;

	while (entry != NULL && !is_same(&entry->id, id))
		entry = entry->next;
	if (entry == NULL) {
		entry = calloc(1, sizeof(*entry));
		if (entry == NULL)
			return NULL;
		entry->id = *id;
		entry->next = *bucket;
		*bucket = entry;
	}
	entry->count++;
	return entry;
}

void client_table_drop(struct client_table *table, struct client_entry *entry)
{
	if (entry == NULL || --entry->count > 0)
		return;
	struct client_entry **at = &table->buckets[bucket_of(&entry->id)];
	while (*at != entry)
		at = &(*at)->next;
	*at = entry->next;
	free(entry);
}
