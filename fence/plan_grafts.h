/* SPDX-License-Identifier: MIT */
/*
 * plan_grafts: which entries of a plan are put in from outside. Pure.
 *
 * bubblewrap reads the whole mount table again for each of its own mounts
 * (0.1 ms, more than all the rest of a mount), and follows links on the way.
 * So `exeat run` lets it build what only it can - private folders, /dev, /proc
 * - and the gate, which is in there too, puts the rest on top (runner/graft.h).
 * What bubblewrap would have to build inside such an entry must come after it,
 * so then the entry is bubblewrap's.
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
