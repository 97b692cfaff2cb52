/* SPDX-License-Identifier: MIT */
/* arena: memory that is given back as a whole. */
#include "arena.h"

#include <errno.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_BLOCK_BYTES 4096

struct arena_block {
	struct arena_block *next;
	size_t used;
	size_t size;
	alignas(max_align_t) unsigned char bytes[];
};

static struct arena_block *add_block(struct arena *arena, size_t size)
{
	if (size < ARENA_BLOCK_BYTES)
		size = ARENA_BLOCK_BYTES;
	if (size > SIZE_MAX - sizeof(struct arena_block))
		return NULL;
	struct arena_block *block = calloc(1, sizeof(*block) + size);
	if (block == NULL)
		return NULL;
	block->size = size;
	block->next = arena->blocks;
	arena->blocks = block;
	return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	struct arena_block *block = arena->blocks;
	const size_t align = alignof(max_align_t);

	if (size > SIZE_MAX - align)
		return NULL;
	size = (size + align - 1) / align * align;
	if (block == NULL || block->size - block->used < size)
		block = add_block(arena, size);
	if (block == NULL)
		return NULL;
	void *memory = block->bytes + block->used;
	block->used += size;
	return memory;
}

char *arena_strndup(struct arena *arena, const char *s, size_t len)
{
	char *copy = len < SIZE_MAX ? arena_alloc(arena, len + 1) : NULL;

	if (copy != NULL)
		memcpy(copy, s, len);
	return copy;
}

/* Capacities are the powers of two from four on, so a full array is one whose
 * count is such a power. */
static int is_full(size_t count)
{
	return count == 0 || (count >= 4 && (count & (count - 1)) == 0);
}

int arena_append(struct arena *arena, void *items, size_t *count,
		 const void *item, size_t item_size)
{
	unsigned char *array;

	memcpy(&array, items, sizeof(array));
	if (is_full(*count)) {
		size_t capacity = *count == 0 ? 4 : *count * 2;
		if (capacity > SIZE_MAX / item_size)
			return -ENOMEM;
		unsigned char *grown = arena_alloc(arena, capacity * item_size);
		if (grown == NULL)
			return -ENOMEM;
		if (*count > 0)
			memcpy(grown, array, *count * item_size);
		array = grown;
		memcpy(items, &array, sizeof(array));
	}
	memcpy(array + *count * item_size, item, item_size);
	(*count)++;
	return 0;
}

void arena_clear(struct arena *arena)
{
	struct arena_block *block = arena->blocks;

	while (block != NULL) {
		struct arena_block *next = block->next;
		free(block);
		block = next;
	}
	arena->blocks = NULL;
}
