/* SPDX-License-Identifier: MIT */
/* plan_text: a plan as stable text, for people and golden tests. Pure. */
#ifndef PLAN_TEXT_H
#define PLAN_TEXT_H

#include "bytes.h"
#include "fence_plan.h"

/** plan_text_write() - append all of @plan; odd bytes become \xNN */
void plan_text_write(const struct fence_plan *plan, struct bytes *out);

#endif
