/* SPDX-License-Identifier: MIT */
/* fence_facts: what the fence must know of a machine, as a value. */
#include "fence_facts.h"

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

void fence_facts_free(struct fence_facts *facts)
{
	if (facts == NULL)
		return;
	struct arena arena = facts->arena;
	arena_clear(&arena);
	free(facts);
}
