/* SPDX-License-Identifier: MIT */
/* plan_hides: what must not be seen where something of the host is shown. */
#include <string.h>

#include "fence_tables.h"
#include "paths.h"
#include "plan_aliases.h"
#include "plan_internal.h"

/* @path inside @source can be seen at @target as well. */
static void hide_translated(struct planner *p, enum plan_why why,
			    const char *path, enum fence_kind kind,
			    const struct plan_entry *shown)
{
	if (strcmp(shown->path, shown->source) == 0 ||
	    !path_is_within(path, shown->source))
		return;
	plan_want_hidden(p, why,
			 path_join(&p->plan->arena, shown->path,
				   path_rest(path, shown->source)),
			 kind);
}

/* The same folder of the same device, mounted elsewhere: without this, a bind
 * mount of /home shows what was hidden below /home. */
static void hide_aliases(struct planner *p, enum plan_why why, const char *path,
			 enum fence_kind kind)
{
	const char *alias;
	size_t at = 0;

	while ((alias = plan_alias(&p->plan->arena, p->facts, path, &at)) !=
	       NULL)
		plan_want_hidden(p, why, alias, kind);
}

static void hide(struct planner *p, enum plan_why why, const char *path,
		 enum fence_kind kind)
{
	size_t count = p->wanted_count;

	plan_want_hidden(p, why, path, kind);
	if (kind <= FENCE_UNKNOWN)
		return;
	for (size_t i = 0; i < count; i++) {
		struct plan_entry shown = p->wanted[i];
		if (shown.access == PLAN_READ || shown.access == PLAN_WRITE)
			hide_translated(p, why, path, kind, &shown);
	}
	hide_aliases(p, why, path, kind);
}

static void hide_asked(struct planner *p, enum plan_why why, const char *asked)
{
	const struct fence_path *fp =
		asked == NULL ? NULL : fence_facts_find(p->facts, asked);

	if (fp != NULL)
		hide(p, why, fp->real, fp->kind);
}

static void hide_home(struct planner *p, const char *home)
{
	if (home == NULL)
		return;
	for (size_t i = 0; fence_home_sealed[i] != NULL; i++)
		hide_asked(
			p, PLAN_FOR_SECRET,
			path_join(&p->plan->arena, home, fence_home_sealed[i]));
	for (size_t i = 0; fence_home_secrets[i] != NULL; i++)
		hide_asked(p, PLAN_FOR_SECRET,
			   path_join(&p->plan->arena, home,
				     fence_home_secrets[i]));
}

static void hide_policy(struct planner *p)
{
	for (size_t i = 0; i < p->policy->files.hide.count; i++) {
		const char *asked = p->policy->files.hide.items[i];
		const struct fence_path *fp = fence_facts_find(p->facts, asked);
		if (fp == NULL || fp->kind == FENCE_ABSENT)
			plan_note(p,
				  "files.hide: %s does not exist; if it is "
				  "made while the command runs, it is seen",
				  asked);
		hide_asked(p, PLAN_FOR_HIDE, asked);
	}
}

static bool is_granted(const struct planner *p, const char *socket)
{
	for (size_t i = 0; i < p->policy->unix_sockets.count; i++) {
		const struct fence_path *fp = fence_facts_find(
			p->facts, p->policy->unix_sockets.items[i]);
		if (fp != NULL && strcmp(fp->real, socket) == 0)
			return true;
	}
	return false;
}

/* A read-only mount does not stop connect(2): a host daemon's socket in a
 * shown folder would act for the command. */
static void hide_sockets(struct planner *p)
{
	for (size_t i = 0; i < p->facts->socket_count; i++)
		if (!is_granted(p, p->facts->sockets[i]))
			hide(p, PLAN_FOR_SOCKET, p->facts->sockets[i],
			     FENCE_SOCKET);
	if (p->facts->has_more_sockets)
		plan_note(p, "not all of the folders were looked through for "
			     "the host's sockets: they hold too many names");
}

/* Whoever may write to these makes the kernel watch and wake (PSI), whatever
 * the uid. A folder over them costs less than a mount of their own. */
static void hide_pressure(struct planner *p)
{
	static const char pressure[] = "/proc/pressure";
	const struct fence_path *fp = fence_facts_find(p->facts, pressure);

	/* As uid 0 all of /proc is read-only. */
	if (fp != NULL && p->facts->uid != 0)
		plan_want_hidden(p, PLAN_FOR_KERNEL, pressure, fp->kind);
}

void plan_hides(struct planner *p)
{
	static const char *const keys[] = {"/etc/ssl/private",
					   "/etc/pki/tls/private", NULL};

	for (size_t i = 0; keys[i] != NULL; i++)
		hide_asked(p, PLAN_FOR_SECRET, keys[i]);
	for (size_t i = 0; fence_system_secrets[i] != NULL; i++)
		hide_asked(p, PLAN_FOR_SECRET, fence_system_secrets[i]);
	hide_home(p, p->facts->home);
	if (p->facts->account_home != NULL &&
	    (p->facts->home == NULL ||
	     strcmp(p->facts->home, p->facts->account_home) != 0))
		hide_home(p, p->facts->account_home);
	hide_policy(p);
	hide_sockets(p);
	hide_pressure(p);
}
