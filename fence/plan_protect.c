/* SPDX-License-Identifier: MIT */
/*
 * plan_protect: what others obey or execute later stays as it is.
 *
 * How it works: first everything is collected that must stay: the paths of
 * fence_protected that exist in a folder the command may write to, and exeat's
 * own files. Then each is looked for by every name that the command could have
 * for it - wherever a writable folder shows it, be it by a mount of the host's
 * - and shown there once more, read-only. Each folder on the way down is
 * pinned by showing it over itself: a mount point cannot be renamed, and
 * without that `mv .git x; mkdir .git` would go round the read-only part. What
 * does not exist cannot be protected and is listed.
 */
#include <string.h>

#include "fence_tables.h"
#include "paths.h"
#include "plan_aliases.h"
#include "plan_internal.h"

/* What must stay: a real path of the host. */
struct guarded {
	const char *source;
	enum plan_why why;
	bool is_folder;
};

/* What was collected, and from which folders; @writable_count of the wanted
 * entries were there before. */
struct guard {
	struct planner *p;
	struct guarded *items;
	size_t count;
	const char **folders;
	size_t folder_count;
	size_t writable_count;
};

static bool is_writable(const struct plan_entry *e)
{
	return e->access == PLAN_WRITE && e->path != NULL &&
	       (e->why == PLAN_FOR_CWD || e->why == PLAN_FOR_GRANT ||
		e->why == PLAN_FOR_MOUNT);
}

static void add_guarded(struct guard *g, const struct fence_path *fp,
			enum plan_why why)
{
	const struct guarded item = {fp->real, why, fp->kind == FENCE_FOLDER};

	if (arena_append(&g->p->plan->arena, &g->items, &g->count, &item,
			 sizeof(item)) != 0)
		g->p->is_failed = true;
}

static void watch(struct planner *p, const char *path)
{
	plan_add_string(p, &p->plan->unprotected, &p->plan->unprotected_count,
			path);
}

/* @w as it was asked for: facts of what is in it are known by that name. */
static void collect_name(struct guard *g, const struct plan_entry *w,
			 const char *asked_folder, const char *name)
{
	struct planner *p = g->p;
	struct arena *arena = &p->plan->arena;
	const char *asked = path_join(arena, asked_folder, name);
	const char *path = path_join(arena, w->path, name);
	const char *source = path_join(arena, w->source, name);
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
	/* A mount lies on what a link leads to, so the link itself, anywhere on
	 * the way and be it `.git`, could be turned. */
	if (strcmp(source, fp->real) != 0)
		watch(p, path);
	if (fp->has_other_name)
		plan_note(p,
			  "%s has a second name (a hard link) that it can be "
			  "written by; after the run it is told if it was",
			  fp->real);
	add_guarded(g, fp, PLAN_FOR_PROTECT);
}

/* A folder that is shown twice is asked about once. */
static bool is_known(struct guard *g, const char *real)
{
	for (size_t i = 0; i < g->folder_count; i++)
		if (strcmp(g->folders[i], real) == 0)
			return true;
	if (arena_append(&g->p->plan->arena, &g->folders, &g->folder_count,
			 &real, sizeof(real)) != 0)
		g->p->is_failed = true;
	return false;
}

static void collect_below(struct guard *g, const char *asked, const char *real)
{
	if (is_known(g, real))
		return;
	for (size_t i = 0; i < g->writable_count; i++) {
		const struct plan_entry w = g->p->wanted[i];
		if (!is_writable(&w) || !w.is_folder ||
		    strcmp(w.source, real) != 0)
			continue;
		for (size_t k = 0; fence_protected[k] != NULL; k++)
			collect_name(g, &w, asked, fence_protected[k]);
	}
}

static void collect_asked(struct guard *g, const char *asked)
{
	const struct fence_path *fp = fence_facts_find(g->p->facts, asked);

	if (fp != NULL && fp->kind == FENCE_FOLDER)
		collect_below(g, asked, fp->real);
}

static void collect_protected(struct guard *g)
{
	const struct policy *policy = g->p->policy;

	collect_below(g, g->p->facts->cwd, g->p->facts->cwd);
	for (size_t i = 0; i < policy->files.write.count; i++)
		collect_asked(g, policy->files.write.items[i]);
	for (size_t i = 0; i < policy->files.mount_count; i++)
		if (policy->files.mounts[i].is_writable)
			collect_asked(g, policy->files.mounts[i].source);
}

/* The policy, the records and exeat's state are not the command's, whatever
 * files.protect says. */
static void collect_own(struct guard *g)
{
	struct planner *p = g->p;
	const char *const *list = p->request->query->protect;

	for (size_t i = 0; list != NULL && list[i] != NULL; i++) {
		const struct fence_path *fp =
			fence_facts_find(p->facts, list[i]);
		if (fp == NULL || fp->kind <= FENCE_UNKNOWN)
			continue;
		if (fp->has_other_name)
			plan_refuse(p,
				    "%s has a second name (a hard link) that "
				    "the command could write to it by: make it "
				    "a file of its own (cp -p FILE NEW && mv "
				    "NEW FILE)",
				    fp->path);
		add_guarded(g, fp, PLAN_FOR_OWN);
	}
}

static void pin_between(struct planner *p, const struct plan_entry *w,
			const char *name)
{
	struct arena *arena = &p->plan->arena;

	for (const char *slash = strchr(name, '/'); slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		char *part = arena_strndup(arena, name, (size_t)(slash - name));
		const char *source =
			part == NULL ? NULL : path_join(arena, w->source, part);
		const char *path =
			source == NULL ? NULL : path_join(arena, w->path, part);
		plan_want(p, (struct plan_entry){
				     .access = PLAN_WRITE,
				     .why = PLAN_FOR_PIN,
				     .path = path,
				     .source = source,
				     .is_folder = true,
			     });
	}
}

/* A grant of the thing itself is the user's word, but for what is exeat's. */
static void refuse_own(struct planner *p, const struct guarded *item,
		       const struct plan_entry *w)
{
	if (item->why == PLAN_FOR_OWN)
		plan_refuse(p,
			    "%s is exeat's own (policy, records or state) and "
			    "cannot be given to the command: leave it out",
			    w->source);
}

/* @name leads to @item on the host: show it read-only where @w shows it. */
static void guard_in(struct planner *p, const struct guarded *item,
		     const char *name, const struct plan_entry *w)
{
	if (path_is_within(w->source, name)) {
		refuse_own(p, item, w);
		return;
	}
	if (!path_is_below(name, w->source))
		return;
	const char *rest = path_rest(name, w->source) + 1;
	pin_between(p, w, rest);
	plan_want(p, (struct plan_entry){
			     .access = PLAN_READ,
			     .why = item->why,
			     .path = path_join(&p->plan->arena, w->path, rest),
			     .source = name,
			     .is_folder = item->is_folder,
		     });
}

static void guard_name(struct guard *g, const struct guarded *item,
		       const char *name)
{
	for (size_t i = 0; i < g->writable_count; i++) {
		const struct plan_entry w = g->p->wanted[i];
		if (is_writable(&w))
			guard_in(g->p, item, name, &w);
	}
}

static void guard_all(struct guard *g)
{
	for (size_t i = 0; i < g->count; i++) {
		const struct guarded *item = &g->items[i];
		const char *name = item->source;
		size_t at = 0;
		for (; name != NULL;
		     name = plan_alias(&g->p->plan->arena, g->p->facts,
				       item->source, &at))
			guard_name(g, item, name);
	}
}

static bool can_turn(const struct guard *g, const char *link)
{
	for (size_t i = 0; i < g->writable_count; i++)
		if (is_writable(&g->p->wanted[i]) &&
		    path_is_below(link, g->p->wanted[i].source))
			return true;
	return false;
}

/* A link cannot be mounted over, so one that the command could turn may not
 * decide which policy is read or where records are written. */
static void refuse_link(struct guard *g, const char *link)
{
	const char *name = link;
	size_t at = 0;

	for (; name != NULL;
	     name = plan_alias(&g->p->plan->arena, g->p->facts, link, &at))
		if (can_turn(g, name))
			plan_refuse(g->p,
				    "%s is a link that the command could turn, "
				    "and it leads to the policy or the "
				    "records: name them by their real paths",
				    link);
}

void plan_protect(struct planner *p)
{
	struct guard g = {.p = p, .writable_count = p->wanted_count};

	collect_protected(&g);
	collect_own(&g);
	guard_all(&g);
	for (size_t i = 0; i < p->facts->own_link_count; i++)
		refuse_link(&g, p->facts->own_links[i]);
}
