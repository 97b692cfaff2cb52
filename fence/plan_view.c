/* SPDX-License-Identifier: MIT */
/* plan_view: what a plan says of one path. */
#include "plan_view.h"

#include <stddef.h>

#include "paths.h"

struct plan_view plan_view(const struct fence_plan *plan, const char *path)
{
	struct plan_view view = {.entry = NULL};

	/* Entries are in order, so the last that holds @path lies on top. */
	for (size_t i = 0; i < plan->entry_count; i++) {
		const struct plan_entry *e = &plan->entries[i];
		if (e->access != PLAN_FOLDER && e->access != PLAN_SEAL &&
		    path_is_within(path, e->path))
			view.entry = e;
	}
	if (view.entry == NULL)
		return view;
	view.is_written = view.entry->access == PLAN_WRITE;
	view.is_read = view.is_written || view.entry->access == PLAN_READ;
	return view;
}
