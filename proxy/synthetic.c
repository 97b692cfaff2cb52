/* SPDX-License-Identifier: MIT */
/* synthetic: addresses that stand for names. */
#include "synthetic.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 64

/**
 * struct synthetic - the table
 * @names:	by number - 1; NUL-terminated, heap
 * @slots:	number of the name that hashes there or to an earlier slot, 0:
 *		none; @mask + 1 of them, at least twice as many as names
 */
struct synthetic {
	char **names;
	uint32_t *slots;
	uint32_t mask;
	uint32_t count;
	uint32_t room;
	uint32_t max;
	uint32_t seed;
};

static const uint8_t ipv4_block[] = {198, 18};
static const uint8_t ipv6_block[] = {0xfd, 0, 0x65, 0x78, 0x65, 0x61, 0, 0x74};

/* FNV-1a from a seed: a program that picks names to collide must guess it. */
static uint32_t hash(const struct synthetic *table, const char *name)
{
	uint32_t h = 2166136261U ^ table->seed;

	for (; *name != '\0'; name++)
		h = (h ^ (uint8_t)*name) * 16777619U;
	return h ^ h >> 15;
}

/* The slot of the name, or the free one where it would go. */
static uint32_t find_slot(const struct synthetic *table, const char *name)
{
	uint32_t at = hash(table, name) & table->mask;

	while (table->slots[at] != 0 &&
	       strcmp(table->names[table->slots[at] - 1], name) != 0)
		at = (at + 1) & table->mask;
	return at;
}

static bool grow(struct synthetic *table)
{
	uint32_t room = table->room == 0 ? FIRST_ROOM : table->room * 2;
	char **names = realloc(table->names, room * sizeof(*names));

	if (names == NULL)
		return false;
	table->names = names;
	uint32_t *slots = calloc((size_t)room * 2, sizeof(*slots));
	if (slots == NULL)
		return false;
	free(table->slots);
	table->slots = slots;
	table->room = room;
	table->mask = room * 2 - 1;
	for (uint32_t i = 0; i < table->count; i++)
		slots[find_slot(table, names[i])] = i + 1;
	return true;
}

struct synthetic *synthetic_new(size_t max, uint32_t seed)
{
	struct synthetic *table = calloc(1, sizeof(*table));

	if (table == NULL)
		return NULL;
	table->max = (uint32_t)(max < SYNTHETIC_MAX ? max : SYNTHETIC_MAX);
	table->seed = seed;
	if (!grow(table)) {
		synthetic_free(table);
		return NULL;
	}
	return table;
}

void synthetic_free(struct synthetic *table)
{
	if (table == NULL)
		return;
	for (uint32_t i = 0; i < table->count; i++)
		free(table->names[i]);
	free(table->names);
	free(table->slots);
	free(table);
}

uint32_t synthetic_add(struct synthetic *table, const struct hostname *name,
		       bool *is_new_out)
{
	uint32_t at = find_slot(table, name->text);

	*is_new_out = false;
	if (table->slots[at] != 0)
		return table->slots[at];
	if (table->count == table->max)
		return 0;
	if (table->count == table->room) {
		if (!grow(table))
			return 0;
		at = find_slot(table, name->text);
	}
	char *copy = strdup(name->text);
	if (copy == NULL)
		return 0;
	table->names[table->count++] = copy;
	table->slots[at] = table->count;
	*is_new_out = true;
	return table->count;
}

struct netaddr synthetic_address(uint32_t number, sa_family_t family)
{
	struct netaddr addr = {.family = family};
	const uint8_t low[] = {(uint8_t)(number >> 24), (uint8_t)(number >> 16),
			       (uint8_t)(number >> 8), (uint8_t)number};

	if (family == AF_INET6) {
		memcpy(addr.bytes, ipv6_block, sizeof(ipv6_block));
		memcpy(addr.bytes + 12, low, sizeof(low));
		return addr;
	}
	addr.bytes[0] = ipv4_block[0];
	addr.bytes[1] = (uint8_t)(ipv4_block[1] | (low[1] & 1));
	addr.bytes[2] = low[2];
	addr.bytes[3] = low[3];
	return addr;
}

bool synthetic_is(const struct netaddr *addr)
{
	if (addr->family == AF_INET6)
		return memcmp(addr->bytes, ipv6_block, sizeof(ipv6_block)) == 0;
	return addr->family == AF_INET && addr->bytes[0] == ipv4_block[0] &&
	       (addr->bytes[1] & 0xfe) == ipv4_block[1];
}

bool synthetic_find(const struct synthetic *table, const struct netaddr *addr,
		    struct hostname *name_out)
{
	const uint8_t *low =
		addr->family == AF_INET6 ? addr->bytes + 12 : addr->bytes;
	uint32_t number = (uint32_t)low[0] << 24 | (uint32_t)low[1] << 16 |
			  (uint32_t)low[2] << 8 | low[3];

	if (addr->family == AF_INET)
		number &= 0x1ffff;
	if (!synthetic_is(addr) || number == 0 || number > table->count)
		return false;
	const struct netaddr back = synthetic_address(number, addr->family);
	if (!netaddr_equal(&back, addr))
		return false;
	const char *name = table->names[number - 1];
	size_t len = strlen(name);
	memcpy(name_out->text, name, len + 1);
	name_out->len = (uint8_t)len;
	return true;
}
