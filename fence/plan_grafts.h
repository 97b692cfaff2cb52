/* SPDX-License-Identifier: MIT */
/*
 * plan_grafts: which mounts of a plan are put in from outside. Pure.
 *
 * bubblewrap reads the whole mount table again for each of its own mounts
 * (0.1 ms, more than all the rest of a mount), and follows links on the way.
 * So `exeat run` lets it build what is empty - folders, files of ours, /dev,
 * /proc - and the gate, which is in there too, puts what the host shows on top
 * (runner/graft.h). What bubblewrap would have to build inside such a mount
 * must come after it, so then the mount is bubblewrap's.
 */
#ifndef PLAN_GRAFTS_H
#define PLAN_GRAFTS_H

#include <stdbool.h>
#include <stddef.h>

#include "fence_plan.h"

/** plan_is_graft() - plan->entries[@at] can be put in when bubblewrap has built
 * everything else */
bool plan_is_graft(const struct fence_plan *plan, size_t at);

#endif
