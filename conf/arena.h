/* SPDX-License-Identifier: MIT */
/* arena: memory that is given back as a whole. */
#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

struct arena_block;

/** struct arena - starts zeroed */
struct arena {
	struct arena_block *blocks;
};

/** arena_alloc() - zeroed memory for any type. Return: NULL when there is
 * none. */
void *arena_alloc(struct arena *arena, size_t size);

/** arena_strndup() - a NUL-terminated copy. Return: NULL when out of memory. */
char *arena_strndup(struct arena *arena, const char *s, size_t len);

/**
 * arena_append() - add a copy of @item to a growing array
 * @items:	pointer to the array's pointer (NULL at first)
 * @count:	items so far; one more on success
 *
 * Grows by doubling; outgrown arrays stay until the arena goes.
 *
 * Return: 0 or -ENOMEM.
 */
int arena_append(struct arena *arena, void *items, size_t *count,
		 const void *item, size_t item_size)
	__attribute__((warn_unused_result));

/** arena_clear() - give everything back */
void arena_clear(struct arena *arena);

#endif
