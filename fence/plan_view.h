/* SPDX-License-Identifier: MIT */
/* plan_view: what a plan says of one path. Pure. */
#ifndef PLAN_VIEW_H
#define PLAN_VIEW_H

#include <stdbool.h>

#include "fence_plan.h"

/**
 * struct plan_view - how the command sees a path
 * @is_read, @is_written: the host's file there can be
 * @entry:	what decides it, of the plan; NULL: nothing is shown there
 */
struct plan_view {
	bool is_read;
	bool is_written;
	const struct plan_entry *entry;
};

/**
 * plan_view() - look @path up
 * @path:	as the command sees it: absolute, clean, no link in it
 */
struct plan_view plan_view(const struct fence_plan *plan, const char *path);

#endif
