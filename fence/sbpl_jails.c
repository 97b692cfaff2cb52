/* SPDX-License-Identifier: MIT */
/* sbpl_jails: the folders that a profile speaks of, sorted. */
#include "sbpl_jails.h"

#include <stdlib.h>
#include <string.h>

#include "fence_tables.h"
#include "paths.h"
#include "sbpl_tables.h"

static void add_jail(struct sbpl *s, struct jails *jails, const char *path,
		     enum jail_kind kind)
{
	const struct jail jail = {.path = sbpl_real(s, path), .kind = kind};

	if (arena_append(&s->arena, &jails->items, &jails->count, &jail,
			 sizeof(jail)) != 0)
		s->is_failed = true;
}

static void add_secret(struct sbpl *s, struct jails *jails, const char *path)
{
	const char *real = path == NULL ? NULL : sbpl_real(s, path);

	if (real == NULL ||
	    arena_append(&s->arena, &jails->secrets, &jails->secret_count,
			 &real, sizeof(real)) != 0)
		s->is_failed = true;
}

static void check_in_place(struct sbpl *s, const struct plan_entry *e)
{
	if (e->source != NULL && strcmp(e->source, e->path) != 0)
		sbpl_refuse(s,
			    "mount target %s: on macOS a folder is used where "
			    "it is: make the target its source, %s",
			    e->path, e->source);
}

/* What a shown entry means, by why it is there; false: nothing here. */
static bool kind_of_read(const struct plan_entry *e, enum jail_kind *kind_out)
{
	switch (e->why) {
	case PLAN_FOR_TOOL:
	case PLAN_FOR_GRANT:
		*kind_out = JAIL_READ;
		return true;
	case PLAN_FOR_MOUNT:
	case PLAN_FOR_PROTECT:
	case PLAN_FOR_OWN:
		*kind_out = e->why == PLAN_FOR_MOUNT ? JAIL_READ : JAIL_FREEZE;
		return true;
	case PLAN_FOR_SYSTEM:
	case PLAN_FOR_ETC:
	case PLAN_FOR_PRIVATE:
	case PLAN_FOR_CWD:
	case PLAN_FOR_SOCKET:
	case PLAN_FOR_SECRET:
	case PLAN_FOR_HIDE:
	case PLAN_FOR_PIN:
	case PLAN_FOR_KERNEL:
	case PLAN_FOR_EXEAT:
		break;
	}
	return false;
}

static void add_shown(struct sbpl *s, struct jails *jails,
		      const struct plan_entry *e)
{
	enum jail_kind kind;

	if (e->access == PLAN_WRITE && e->why != PLAN_FOR_PIN) {
		check_in_place(s, e);
		add_jail(s, jails, e->path, JAIL_WRITE);
	} else if (e->access == PLAN_READ && kind_of_read(e, &kind)) {
		check_in_place(s, e);
		add_jail(s, jails, e->path, kind);
		/* A read-only mount lies in something writable, perhaps. */
		if (e->why == PLAN_FOR_MOUNT)
			add_jail(s, jails, e->path, JAIL_FREEZE);
	}
}

bool sbpl_is_open_mode(const struct sbpl *s)
{
	return s->plan->policy->files.mode == POLICY_FILES_OPEN;
}

static void add_entry(struct sbpl *s, struct jails *jails,
		      const struct plan_entry *e)
{
	switch (e->access) {
	case PLAN_READ:
	case PLAN_WRITE:
		add_shown(s, jails, e);
		return;
	case PLAN_HIDE_FOLDER:
	case PLAN_HIDE_FILE:
		if (e->why == PLAN_FOR_SECRET)
			add_secret(s, jails, e->path);
		else
			add_jail(s, jails, e->path, JAIL_SHUT);
		return;
	case PLAN_PRIVATE:
		/* A folder of the run's own elsewhere; here it cannot be put
		 * over the host's, so that is shut. */
		if (sbpl_is_open_mode(s))
			add_jail(s, jails, e->path, JAIL_SHUT);
		return;
	case PLAN_FOLDER:
	case PLAN_LINK:
	case PLAN_FILE:
	case PLAN_PROC:
	case PLAN_DEV:
	case PLAN_SEAL:
	case PLAN_SOCKET:
		return;
	}
}

static bool leads_to(const struct sbpl *s, const char *asked, const char *path)
{
	const struct fence_path *fp = fence_facts_find(s->plan->facts, asked);

	return strcmp(asked, path) == 0 ||
	       (fp != NULL && strcmp(fp->real, path) == 0);
}

/* The user gave this very path. The plan need not show it by an entry of its
 * own: what holds it may be shown. */
static bool is_named(const struct sbpl *s, const char *path)
{
	const struct policy *policy = s->plan->policy;

	for (size_t i = 0; policy->files.mode != POLICY_FILES_STRICT &&
			   i < policy->files.read.count;
	     i++)
		if (leads_to(s, policy->files.read.items[i], path))
			return true;
	for (size_t i = 0; i < policy->files.write.count; i++)
		if (leads_to(s, policy->files.write.items[i], path))
			return true;
	for (size_t i = 0; i < policy->files.mount_count; i++)
		if (leads_to(s, policy->files.mounts[i].source, path))
			return true;
	return false;
}

/* Names can be denied before there is such a file, so all of them are. */
static void add_home(struct sbpl *s, struct jails *jails, const char *home,
		     const char *const *names)
{
	for (size_t i = 0; home != NULL && names[i] != NULL; i++) {
		const char *path = path_join(&s->arena, home, names[i]);
		if (path != NULL && is_named(s, path))
			continue;
		add_secret(s, jails, path);
		const struct fence_path *fp =
			path == NULL ? NULL
				     : fence_facts_find(s->plan->facts, path);
		if (fp != NULL && strcmp(fp->real, path) != 0)
			add_secret(s, jails, fp->real);
	}
}

static bool has_git(const struct sbpl *s, const char *folder)
{
	for (size_t i = 0; i < s->plan->entry_count; i++) {
		const struct plan_entry *e = &s->plan->entries[i];
		if (e->why == PLAN_FOR_PIN && path_is_below(e->path, folder))
			return true;
	}
	return false;
}

/* In a folder that is no repository `git init` must work, so what git makes is
 * frozen only where there is one. */
static void freeze_names(struct sbpl *s, struct jails *jails,
			 const char *folder)
{
	bool is_repository = has_git(s, folder);

	for (size_t i = 0; fence_protected[i] != NULL; i++) {
		const char *name = fence_protected[i];
		if (path_is_within(name, ".git") &&
		    (!is_repository || strcmp(name, ".git") == 0))
			continue;
		const char *path = path_join(&s->arena, folder, name);
		if (path == NULL)
			s->is_failed = true;
		else if (!is_named(s, path))
			add_jail(s, jails, path, JAIL_FREEZE);
	}
}

static int compare_jails(const void *a, const void *b)
{
	const struct jail *left = a;
	const struct jail *right = b;
	int order = path_compare(left->path, right->path);

	return order != 0 ? order : (int)left->kind - (int)right->kind;
}

static int compare_paths(const void *a, const void *b)
{
	const char *const *left = a;
	const char *const *right = b;

	return path_compare(*left, *right);
}

/* Sorts and drops doubles. */
static void sort(struct jails *jails)
{
	size_t used = 0;

	qsort(jails->items, jails->count, sizeof(*jails->items), compare_jails);
	for (size_t i = 0; i < jails->count; i++)
		if (used == 0 ||
		    compare_jails(&jails->items[used - 1], &jails->items[i]))
			jails->items[used++] = jails->items[i];
	jails->count = used;
}

const char **sbpl_sort_paths(struct sbpl *s, const char *const *list,
			     size_t *count)
{
	const char **sorted =
		arena_alloc(&s->arena, (*count + 1) * sizeof(*sorted));
	size_t used = 0;

	if (sorted == NULL) {
		s->is_failed = true;
		return NULL;
	}
	if (*count > 0)
		memcpy(sorted, list, *count * sizeof(*sorted));
	qsort(sorted, *count, sizeof(*sorted), compare_paths);
	for (size_t i = 0; i < *count; i++)
		if (used == 0 || strcmp(sorted[used - 1], sorted[i]) != 0)
			sorted[used++] = sorted[i];
	sorted[used] = NULL;
	*count = used;
	return sorted;
}

/* As well as what does not exist yet, which an entry of the plan cannot hide.
 */
static void add_hidden(struct sbpl *s, struct jails *jails)
{
	const struct policy_strings *hide = &s->plan->policy->files.hide;

	for (size_t i = 0; i < hide->count; i++) {
		const struct fence_path *fp =
			fence_facts_find(s->plan->facts, hide->items[i]);
		add_jail(s, jails, fp == NULL ? hide->items[i] : fp->real,
			 JAIL_SHUT);
	}
}

void sbpl_jails_collect(struct sbpl *s, struct jails *jails)
{
	const struct fence_plan *plan = s->plan;
	const char *homes[] = {plan->facts->home, plan->facts->account_home};

	for (size_t i = 0; i < plan->entry_count; i++)
		add_entry(s, jails, &plan->entries[i]);
	if (plan->facts->cwd != NULL && strcmp(plan->tmp, "/tmp") != 0)
		add_jail(s, jails, plan->tmp, JAIL_WRITE);
	add_hidden(s, jails);
	size_t shown = jails->count;
	for (size_t i = 0;
	     plan->policy->files.protect == POLICY_PROTECT_DENY && i < shown;
	     i++) {
		struct jail jail = jails->items[i];
		if (jail.kind == JAIL_WRITE &&
		    strcmp(jail.path, plan->tmp) != 0)
			freeze_names(s, jails, jail.path);
	}
	for (size_t i = 0; i < 2; i++) {
		add_home(s, jails, homes[i], fence_home_sealed);
		add_home(s, jails, homes[i], fence_home_secrets);
	}
	for (size_t i = 0; sbpl_system_secrets[i] != NULL; i++)
		add_secret(s, jails, sbpl_system_secrets[i]);
	if (s->is_failed)
		return;
	sort(jails);
	jails->secrets =
		sbpl_sort_paths(s, jails->secrets, &jails->secret_count);
}
