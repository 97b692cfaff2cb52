/* SPDX-License-Identifier: MIT */
/* tool_folder: what to show of a folder of programs outside the system roots.
 */
#include "tool_folder.h"

#include <stdbool.h>
#include <string.h>

#include "fence_tables.h"
#include "paths.h"

/* The text of @path up to and with @component, or up to before it. */
static char *cut_at(struct arena *arena, const char *path,
		    const char *component, bool with)
{
	size_t len = strlen(component);

	for (const char *p = path; (p = strchr(p, '/')) != NULL; p++) {
		if (strncmp(p + 1, component, len) != 0 ||
		    (p[1 + len] != '/' && p[1 + len] != '\0'))
			continue;
		size_t keep = (size_t)(p - path) + (with ? 1 + len : 0);
		return arena_strndup(arena, path, keep);
	}
	return NULL;
}

static bool holds_home(const char *folder, const struct fence_place *place)
{
	return (place->home != NULL && path_is_within(place->home, folder)) ||
	       (place->account_home != NULL &&
		path_is_within(place->account_home, folder));
}

static bool is_bin(const char *name)
{
	for (size_t i = 0; fence_tool_bins[i] != NULL; i++)
		if (strcmp(name, fence_tool_bins[i]) == 0)
			return true;
	return false;
}

static const char *by_prefix(struct arena *arena, const char *programs,
			     const struct fence_place *place)
{
	const char *prefix = path_parent(arena, programs);

	if (prefix == NULL || !is_bin(path_base(programs)) ||
	    strcmp(prefix, "/") == 0 || holds_home(prefix, place))
		return programs;
	return prefix;
}

static size_t by_table(struct arena *arena, const char *programs,
		       const struct fence_tool *tool,
		       const char *roots_out[static TOOL_FOLDERS_MAX])
{
	const char *folder =
		cut_at(arena, programs, tool->component, tool->is_whole);
	size_t count = 0;

	if (folder == NULL)
		return 0;
	roots_out[count++] = tool->is_whole ? folder : programs;
	for (size_t i = 0; tool->beside[i] != NULL; i++) {
		const char *beside = path_join(arena, folder, tool->beside[i]);
		if (beside != NULL)
			roots_out[count++] = beside;
	}
	return count;
}

size_t tool_folder_roots(struct arena *arena, const char *programs,
			 const struct fence_place *place,
			 const char *roots_out[static TOOL_FOLDERS_MAX],
			 bool *is_guess_out)
{
	*is_guess_out = false;
	for (const struct fence_tool *t = fence_tools; t->component != NULL;
	     t++) {
		size_t n = by_table(arena, programs, t, roots_out);
		if (n > 0)
			return n;
	}
	roots_out[0] = by_prefix(arena, programs, place);
	*is_guess_out = strcmp(roots_out[0], programs) != 0;
	return 1;
}
