/* SPDX-License-Identifier: MIT */
/* plan_aliases: further names that the host's own mounts give a file. Pure. */
#ifndef PLAN_ALIASES_H
#define PLAN_ALIASES_H

#include <stddef.h>

#include "fence_facts.h"

/**
 * plan_alias() - walk the other paths of the host that lead to @path's file
 * @arena:	for what is returned
 * @at:		0 at first; what the last call left there after that
 *
 * A bind mount shows a folder at a second place. Of a path that is a folder,
 * places that show only a part of it count as well.
 *
 * Return: a path, or NULL: no more, or out of memory.
 */
const char *plan_alias(struct arena *arena, const struct fence_facts *facts,
		       const char *path, size_t *at);

#endif
