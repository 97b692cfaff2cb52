/* SPDX-License-Identifier: MIT */
/*
 * fence_check: looks whether the fence that was raised is the one that was
 * planned.
 *
 * Between our look at the machine and bubblewrap's mounts another program, such
 * as an earlier run in the same folder, may put a link in place of a folder,
 * and a mount follows it. So before GO each mount is looked at from both sides,
 * without following any link.
 */
#ifndef FENCE_CHECK_H
#define FENCE_CHECK_H

#include <sys/types.h>

#include "fence_plan.h"
#include "text.h"

/**
 * fence_check() - compare the sandbox of @init with @plan
 * @init:	exeat-init, which waits for GO, as seen from outside
 * Return: 0, or -1 with @why naming the first path that differs.
 */
int fence_check(const struct fence_plan *plan, pid_t init, struct text *why)
	__attribute__((warn_unused_result));

#endif
