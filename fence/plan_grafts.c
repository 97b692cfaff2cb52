/* SPDX-License-Identifier: MIT */
/* plan_grafts: which mounts of a plan are put in from outside. */
#include "plan_grafts.h"

#include <string.h>

#include "paths.h"

/* What only bubblewrap makes; and exeat-init, which it must wait for. */
static bool is_built(const struct fence_plan *plan, const struct plan_entry *e)
{
	switch (e->access) {
	case PLAN_PRIVATE:
	case PLAN_PROC:
	case PLAN_DEV:
		return true;
	case PLAN_FILE:
		return plan->init_path != NULL && e->file == 0;
	case PLAN_READ:
	case PLAN_WRITE:
	case PLAN_SOCKET:
	case PLAN_HIDE_FOLDER:
	case PLAN_HIDE_FILE:
	case PLAN_FOLDER:
	case PLAN_LINK:
	case PLAN_SEAL:
		break;
	}
	return false;
}

bool plan_is_graft(const struct fence_plan *plan, size_t at)
{
	const struct plan_entry *e = &plan->entries[at];

	/* bubblewrap keeps the file of exeat-init open, so "/" is for it to
	 * seal; other seals are one call. */
	if (e->access == PLAN_SEAL)
		return strcmp(e->path, "/") != 0;
	if (is_built(plan, e))
		return false;
	/* Entries are in order of their paths: what lies in @e follows it. */
	for (size_t i = at + 1; i < plan->entry_count &&
				path_is_within(plan->entries[i].path, e->path);
	     i++)
		if (is_built(plan, &plan->entries[i]))
			return false;
	return true;
}
