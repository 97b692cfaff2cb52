/* SPDX-License-Identifier: MIT */
/* plan_interpreter: the program that runs the command, where that is a script
 * that names one outside the system roots. */
#include <string.h>

#include "paths.h"
#include "plan_internal.h"

static void show_home_of(struct planner *p, const char *program)
{
	const char *folder = path_parent(&p->plan->arena, program);

	if (folder == NULL)
		p->is_failed = true;
	else if (!plan_in_system(p, program))
		plan_show_programs(p, folder);
}

void plan_interpreter(struct planner *p)
{
	const char *program = p->facts->interpreter;
	const struct fence_path *fp =
		program == NULL ? NULL : fence_facts_find(p->facts, program);

	if (fp == NULL || fp->kind != FENCE_FILE)
		return;
	/* A link stands in one folder and leads to another. */
	show_home_of(p, fp->at);
	show_home_of(p, fp->real);
	const char *clean = path_clean(&p->plan->arena, program);
	if (clean != NULL && strcmp(clean, fp->at) != 0)
		plan_want_link(p, PLAN_FOR_TOOL, clean, fp->real);
}
