/* SPDX-License-Identifier: MIT */
/* fence_plan: what the command will see and may touch. */
#include "fence_plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "env_plan.h"
#include "fence_tables.h"
#include "paths.h"
#include "plan_internal.h"

#define NOTE_MAX_BYTES 1024

struct fence_place planner_place(const struct planner *p)
{
	return (struct fence_place){
		.home = p->facts->home,
		.account_home = p->facts->account_home,
		.cwd = p->facts->cwd,
	};
}

enum policy_files_mode plan_mode(const struct planner *p)
{
	switch (p->policy->files.mode) {
	case POLICY_FILES_ALLOWLIST:
	case POLICY_FILES_OPEN:
		return p->policy->files.mode;
	case POLICY_FILES_STRICT:
		break;
	}
	return POLICY_FILES_STRICT;
}

void plan_want(struct planner *p, struct plan_entry entry)
{
	if (entry.path == NULL ||
	    arena_append(&p->plan->arena, &p->wanted, &p->wanted_count, &entry,
			 sizeof(entry)) != 0)
		p->is_failed = true;
}

void plan_want_shown(struct planner *p, enum plan_access access,
		     enum plan_why why, const struct fence_path *source)
{
	plan_want(p, (struct plan_entry){
			     .access = access,
			     .why = why,
			     .path = source->real,
			     .source = source->real,
			     .is_folder = source->kind == FENCE_FOLDER,
		     });
}

void plan_want_link(struct planner *p, enum plan_why why, const char *path,
		    const char *target)
{
	plan_want(p, (struct plan_entry){
			     .access = PLAN_LINK,
			     .why = why,
			     .path = path,
			     .source = target,
		     });
}

void plan_want_file(struct planner *p, enum plan_why why,
		    const struct plan_file *file)
{
	struct fence_plan *plan = p->plan;

	plan_want(p, (struct plan_entry){
			     .access = PLAN_FILE,
			     .why = why,
			     .path = file->path,
			     .file = plan->file_count,
		     });
	if (arena_append(&plan->arena, &plan->files, &plan->file_count, file,
			 sizeof(*file)) != 0)
		p->is_failed = true;
}

void plan_want_hidden(struct planner *p, enum plan_why why, const char *path,
		      enum fence_kind kind)
{
	if (kind <= FENCE_UNKNOWN)
		return;
	plan_want(p, (struct plan_entry){
			     .access = kind == FENCE_FOLDER ? PLAN_HIDE_FOLDER
							    : PLAN_HIDE_FILE,
			     .why = why,
			     .path = path,
		     });
}

void plan_add_string(struct planner *p, const char *const **list, size_t *count,
		     const char *s)
{
	if (s == NULL ||
	    arena_append(&p->plan->arena, list, count, &s, sizeof(s)) != 0)
		p->is_failed = true;
}

void plan_note(struct planner *p, const char *format, ...)
{
	char text[NOTE_MAX_BYTES];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	plan_add_string(p, &p->plan->notes, &p->plan->note_count,
			arena_strndup(&p->plan->arena, text, strlen(text)));
}

void plan_refuse(struct planner *p, const char *format, ...)
{
	char text[DIAG_MAX_BYTES];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	diag_set(p->diag, "%s", text);
	p->is_failed = true;
}

/* A root's link counts as well: /bin is /usr/bin. */
bool plan_in_system(const struct planner *p, const char *path)
{
	for (size_t i = 0; fence_system_roots[i] != NULL; i++) {
		const struct fence_path *fp =
			fence_facts_find(p->facts, fence_system_roots[i]);
		if (fp == NULL || fp->kind <= FENCE_UNKNOWN || fp->is_empty)
			continue;
		if (path_is_within(path, fp->path) ||
		    path_is_within(path, fp->real))
			return true;
	}
	return false;
}

static void plan_environ(struct planner *p)
{
	struct fence_plan *plan = p->plan;
	bool has_own_files = p->request->tmp_dir == NULL;
	const struct env_settings settings = {
		.policy = p->policy,
		.caller = p->request->environ,
		.user = p->facts->user,
		.home = plan->home,
		.tmp = plan->tmp,
		.search_path = plan_search_path(p),
		.proxy_port = p->request->proxy_port,
		.has_own_loopback = has_own_files,
		.has_capture = p->request->has_capture,
		.connect_path = has_own_files && plan->init_path != NULL
					? FENCE_CONNECT_PATH
					: NULL,
	};

	if (env_plan(&settings, &plan->arena, &plan->environ,
		     &plan->environ_count, p->diag) != 0)
		p->is_failed = true;
}

static void make(struct planner *p)
{
	plan_system(p);
	if (p->request->script != NULL)
		plan_want_file(p, PLAN_FOR_EXEAT, p->request->script);
	plan_grants(p);
	plan_tools(p);
	plan_interpreter(p);
	plan_hides(p);
	plan_protect(p);
	plan_layers(p);
	if (!p->is_failed)
		plan_environ(p);
}

struct fence_plan *fence_plan_new(const struct policy *policy,
				  const struct fence_facts *facts,
				  const struct fence_request *request,
				  struct diag *diag)
{
	struct fence_plan *plan = calloc(1, sizeof(*plan));
	struct planner p = {
		.plan = plan,
		.policy = policy,
		.facts = facts,
		.request = request,
		.diag = diag,
	};

	if (plan != NULL) {
		plan->policy = policy;
		plan->facts = facts;
		plan->hostname = FENCE_HOSTNAME;
		plan->proxy_port = request->proxy_port;
		plan->openings = request->openings;
		make(&p);
	}
	if (plan != NULL && !p.is_failed)
		return plan;
	diag_set(diag, "out of memory");
	fence_plan_free(plan);
	return NULL;
}

void fence_plan_free(struct fence_plan *plan)
{
	if (plan == NULL)
		return;
	struct arena arena = plan->arena;
	arena_clear(&arena);
	free(plan);
}
