/* SPDX-License-Identifier: MIT */
/* plan_aliases: further names that the host's own mounts give a file. */
#include "plan_aliases.h"

#include <string.h>

#include "paths.h"

/* The last of the longest mount points that hold @path is what it is on. */
static const struct fence_mount *mount_of(const struct fence_facts *facts,
					  const char *path)
{
	const struct fence_mount *best = NULL;

	for (size_t i = 0; i < facts->mount_count; i++) {
		const struct fence_mount *m = &facts->mounts[i];
		if (path_is_within(path, m->point) &&
		    (best == NULL || strlen(m->point) >= strlen(best->point)))
			best = m;
	}
	return best;
}

/* Where @m shows what @inner names on the same device, or something below it;
 * NULL: nowhere. */
static const char *alias_by(struct arena *arena, const struct fence_mount *m,
			    const char *inner)
{
	if (path_is_within(inner, m->root))
		return path_join(arena, m->point, path_rest(inner, m->root));
	return path_is_within(m->root, inner) ? m->point : NULL;
}

const char *plan_alias(struct arena *arena, const struct fence_facts *facts,
		       const char *path, size_t *at)
{
	const struct fence_mount *own = mount_of(facts, path);

	if (own == NULL)
		return NULL;
	const char *inner =
		path_join(arena, own->root, path_rest(path, own->point));
	while (inner != NULL && *at < facts->mount_count) {
		const struct fence_mount *m = &facts->mounts[(*at)++];
		if (m == own || strcmp(m->device, own->device) != 0)
			continue;
		const char *alias = alias_by(arena, m, inner);
		if (alias != NULL && mount_of(facts, alias) == m)
			return alias;
	}
	return NULL;
}
