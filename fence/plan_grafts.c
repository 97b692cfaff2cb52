/* SPDX-License-Identifier: MIT */
/* plan_grafts: which mounts of a plan are put in from outside. */
#include "plan_grafts.h"

#include <string.h>

#include "paths.h"

static bool is_mount_of_host(const struct plan_entry *e)
{
	switch (e->access) {
	case PLAN_READ:
	case PLAN_WRITE:
	case PLAN_SOCKET:
	case PLAN_HIDE_FOLDER:
	case PLAN_HIDE_FILE:
		return true;
	case PLAN_PRIVATE:
	case PLAN_FOLDER:
	case PLAN_LINK:
	case PLAN_FILE:
	case PLAN_PROC:
	case PLAN_DEV:
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
	if (!is_mount_of_host(e))
		return false;
	/* Entries are in order of their paths: what lies in @e follows it. */
	for (size_t i = at + 1; i < plan->entry_count &&
				path_is_within(plan->entries[i].path, e->path);
	     i++)
		if (plan->entries[i].access != PLAN_SEAL &&
		    !is_mount_of_host(&plan->entries[i]))
			return false;
	return true;
}
