/* SPDX-License-Identifier: MIT */
/* machine: looks at this machine and fills in the fence's facts. The only part
 * of this folder that looks at anything. */
#ifndef MACHINE_H
#define MACHINE_H

#include "diag.h"
#include "fence_facts.h"
#include "fence_query.h"

/**
 * machine_look() - the facts that a plan for @query needs
 * @facts_out:	the caller's, freed with fence_facts_free()
 *
 * A few dozen system calls; lists no folder but /proc, and that as uid 0 only.
 *
 * Return: 0, or -1 with @diag set.
 */
int machine_look(const struct fence_query *query,
		 struct fence_facts **facts_out, struct diag *diag)
	__attribute__((warn_unused_result));

#endif
