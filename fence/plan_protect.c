/* SPDX-License-Identifier: MIT */
/*
 * plan_protect: what others obey or execute later stays as it is.
 *
 * How it works: in every folder that the command may write to, the paths of
 * fence_protected that exist are shown once more, read-only. Each folder on
 * the way down is pinned by showing it over itself: a mount point cannot be
 * renamed, and without that `mv .git x; mkdir .git` would go round the
 * read-only part. What does not exist cannot be protected and is listed.
 */
#include <string.h>

#include "fence_tables.h"
#include "paths.h"
#include "plan_internal.h"

/* A writable folder: where it is shown, what is shown, and how it was asked. */
struct writable {
	const char *path;
	const char *source;
	const char *asked;
};

static void pin_between(struct planner *p, const struct writable *w,
			const char *name)
{
	for (const char *slash = strchr(name, '/'); slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		char *part = arena_strndup(&p->plan->arena, name,
					   (size_t)(slash - name));
		if (part == NULL)
			return;
		plan_want(p, (struct plan_entry){
				     .access = PLAN_WRITE,
				     .why = PLAN_FOR_PIN,
				     .path = path_join(&p->plan->arena, w->path,
						       part),
				     .source = path_join(&p->plan->arena,
							 w->source, part),
				     .is_folder = true,
			     });
	}
}

static void watch(struct planner *p, const char *path)
{
	plan_add_string(p, &p->plan->unprotected, &p->plan->unprotected_count,
			path);
}

/* A mount lies on what a link leads to, so the link itself could be replaced:
 * it counts as unprotected, but its target is covered where it is ours. */
static void protect_link(struct planner *p, const struct writable *w,
			 const struct fence_path *fp, const char *path)
{
	watch(p, path);
	if (!path_is_within(fp->real, w->source))
		return;
	plan_want(p, (struct plan_entry){
			     .access = PLAN_READ,
			     .why = PLAN_FOR_PROTECT,
			     .path = path_join(&p->plan->arena, w->path,
					       path_rest(fp->real, w->source)),
			     .source = fp->real,
			     .is_folder = fp->kind == FENCE_FOLDER,
		     });
}

static void protect_name(struct planner *p, const struct writable *w,
			 const char *name)
{
	const char *asked = path_join(&p->plan->arena, w->asked, name);
	const char *path = path_join(&p->plan->arena, w->path, name);
	const char *source = path_join(&p->plan->arena, w->source, name);
	const struct fence_path *fp =
		asked == NULL ? NULL : fence_facts_find(p->facts, asked);

	if (fp == NULL || path == NULL || source == NULL)
		return;
	/* Of .git the folder itself is work; the file names another folder. */
	if (strcmp(name, ".git") == 0 && fp->kind != FENCE_FILE)
		return;
	if (p->policy->files.protect == POLICY_PROTECT_LIST ||
	    (fp->kind != FENCE_FILE && fp->kind != FENCE_FOLDER)) {
		watch(p, path);
		return;
	}
	/* A link anywhere on the way, be it `.git` itself: what is mounted by
	 * that path would land where the link leads to. */
	if (strcmp(source, fp->real) != 0) {
		protect_link(p, w, fp, path);
		return;
	}
	pin_between(p, w, name);
	plan_want(p, (struct plan_entry){
			     .access = PLAN_READ,
			     .why = PLAN_FOR_PROTECT,
			     .path = path,
			     .source = fp->real,
			     .is_folder = fp->kind == FENCE_FOLDER,
		     });
}

static void protect_below(struct planner *p, const struct writable *w)
{
	if (w->path == NULL || w->source == NULL)
		return;
	for (size_t i = 0; fence_protected[i] != NULL; i++)
		protect_name(p, w, fence_protected[i]);
}

static const char *target_of(struct planner *p, const char *source)
{
	for (size_t i = 0; i < p->wanted_count; i++) {
		const struct plan_entry *e = &p->wanted[i];
		if (e->why == PLAN_FOR_MOUNT && e->access == PLAN_WRITE &&
		    strcmp(e->source, source) == 0)
			return e->path;
	}
	return NULL;
}

/* The policy and the audit file may lie in a writable folder. They are
 * protected whatever files.protect says: they are not the command's. */
static void protect_own(struct planner *p)
{
	const char *const *list = p->request->query->protect;

	for (size_t i = 0; list != NULL && list[i] != NULL; i++) {
		const struct fence_path *fp =
			fence_facts_find(p->facts, list[i]);
		if (fp == NULL || fp->kind <= FENCE_UNKNOWN)
			continue;
		if (path_is_below(fp->real, p->facts->cwd)) {
			const struct writable w = {p->facts->cwd, p->facts->cwd,
						   p->facts->cwd};
			pin_between(p, &w,
				    path_rest(fp->real, p->facts->cwd) + 1);
		}
		plan_want_shown(p, PLAN_READ, PLAN_FOR_OWN, fp);
	}
}

void plan_protect(struct planner *p)
{
	const struct writable cwd = {p->facts->cwd, p->facts->cwd,
				     p->facts->cwd};

	protect_below(p, &cwd);
	for (size_t i = 0; i < p->policy->files.write.count; i++) {
		const char *asked = p->policy->files.write.items[i];
		const struct fence_path *fp = fence_facts_find(p->facts, asked);
		if (fp != NULL && fp->kind == FENCE_FOLDER)
			protect_below(p, &(struct writable){fp->real, fp->real,
							    asked});
	}
	for (size_t i = 0; i < p->policy->files.mount_count; i++) {
		const char *asked = p->policy->files.mounts[i].source;
		const struct fence_path *fp = fence_facts_find(p->facts, asked);
		if (fp != NULL && p->policy->files.mounts[i].is_writable)
			protect_below(p,
				      &(struct writable){target_of(p, fp->real),
							 fp->real, asked});
	}
	protect_own(p);
}
