/* SPDX-License-Identifier: MIT */
/* fence_facts: what the fence must know of a machine, as a value. */
#include "fence_facts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *key, const void *element)
{
	const struct fence_path *path = element;

	return strcmp(key, path->path);
}

const struct fence_path *fence_facts_find(const struct fence_facts *facts,
					  const char *path)
{
	if (facts->path_count == 0)
		return NULL;
	return bsearch(path, facts->paths, facts->path_count,
		       sizeof(facts->paths[0]), compare);
}

/* A path and its turn: qsort(3) does not keep the order of equal ones. */
struct turn {
	struct fence_path path;
	size_t number;
};

static int compare_turns(const void *a, const void *b)
{
	const struct turn *left = a;
	const struct turn *right = b;
	int order = strcmp(left->path.path, right->path.path);

	if (order != 0)
		return order;
	return (left->number > right->number) - (left->number < right->number);
}

int fence_facts_add(struct fence_facts *facts, const struct fence_path *paths,
		    size_t count)
{
	size_t known = facts->path_count;
	size_t total = known + count;
	struct turn *all =
		arena_alloc(&facts->arena, (total + 1) * sizeof(*all));
	struct fence_path *merged =
		arena_alloc(&facts->arena, (total + 1) * sizeof(*merged));
	size_t used = 0;

	if (all == NULL || merged == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < total; i++)
		all[i] = (struct turn){
			.path = i < known ? facts->paths[i] : paths[i - known],
			.number = i,
		};
	qsort(all, total, sizeof(*all), compare_turns);
	for (size_t i = 0; i < total; i++)
		if (used == 0 ||
		    strcmp(merged[used - 1].path, all[i].path.path) != 0)
			merged[used++] = all[i].path;
	facts->paths = merged;
	facts->path_count = used;
	return 0;
}

void fence_facts_free(struct fence_facts *facts)
{
	if (facts == NULL)
		return;
	struct arena arena = facts->arena;
	arena_clear(&arena);
	free(facts);
}
