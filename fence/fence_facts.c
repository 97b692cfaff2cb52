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

/* Equal paths stay in the order of @paths, which qsort(3) does not promise. */
static int compare_paths(const void *a, const void *b)
{
	const struct fence_path *const *left = a;
	const struct fence_path *const *right = b;
	int order = strcmp((*left)->path, (*right)->path);

	if (order != 0)
		return order;
	return (*left > *right) - (*left < *right);
}

int fence_facts_add(struct fence_facts *facts, const struct fence_path *paths,
		    size_t count)
{
	size_t total = facts->path_count + count;
	struct fence_path *all =
		arena_alloc(&facts->arena, (total + 1) * sizeof(*all));
	const struct fence_path **sorted = arena_alloc(
		&facts->arena, (total + 1) * sizeof(struct fence_path *));
	struct fence_path *merged =
		arena_alloc(&facts->arena, (total + 1) * sizeof(*merged));
	size_t used = 0;

	if (all == NULL || sorted == NULL || merged == NULL)
		return -ENOMEM;
	if (facts->path_count > 0)
		memcpy(all, facts->paths, facts->path_count * sizeof(*all));
	if (count > 0)
		memcpy(all + facts->path_count, paths, count * sizeof(*all));
	for (size_t i = 0; i < total; i++)
		sorted[i] = &all[i];
	qsort(sorted, total, sizeof(struct fence_path *), compare_paths);
	for (size_t i = 0; i < total; i++)
		if (used == 0 ||
		    strcmp(merged[used - 1].path, sorted[i]->path) != 0)
			merged[used++] = *sorted[i];
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
