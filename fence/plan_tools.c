/* SPDX-License-Identifier: MIT */
/* plan_tools: programs of PATH that stand outside the system roots. */
#include <string.h>

#include "fence_tables.h"
#include "forbidden.h"
#include "paths.h"
#include "plan_internal.h"
#include "tool_folder.h"

static bool is_present(const struct fence_path *fp, enum fence_kind kind)
{
	return fp != NULL && fp->kind == kind;
}

/* Tools live in homes, so only secrets themselves are out of bounds. */
static bool is_secret(const struct planner *p, const char *path)
{
	for (size_t i = 0; fence_home_sealed[i] != NULL; i++) {
		const char *homes[] = {p->facts->home, p->facts->account_home};
		for (size_t k = 0; k < 2 && homes[k] != NULL; k++) {
			const char *rest =
				path_is_below(path, homes[k])
					? path_rest(path, homes[k]) + 1
					: "";
			if (path_is_within(rest, fence_home_sealed[i]))
				return true;
		}
	}
	return false;
}

static void show_root(struct planner *p, const char *path, bool exists)
{
	const struct fence_path *fp = fence_facts_find(p->facts, path);

	if (!exists && !is_present(fp, FENCE_FOLDER))
		return;
	const char *real = fp == NULL ? path : fp->real;
	if (is_secret(p, real) || plan_in_system(p, real))
		return;
	plan_want(p, (struct plan_entry){
			     .access = PLAN_READ,
			     .why = PLAN_FOR_TOOL,
			     .path = real,
			     .source = real,
			     .is_folder = true,
		     });
}

/* A prefix into which something was installed. */
static bool has_mark(struct planner *p, const char *root)
{
	const char *mark = path_join(&p->plan->arena, root, TOOL_FOLDER_MARK);

	return mark != NULL &&
	       is_present(fence_facts_find(p->facts, mark), FENCE_FOLDER);
}

void plan_show_programs(struct planner *p, const char *folder)
{
	const char *roots[TOOL_FOLDERS_MAX];
	const struct fence_place place = planner_place(p);
	struct arena *arena = &p->plan->arena;
	bool is_guess;
	size_t count =
		tool_folder_roots(arena, folder, &place, roots, &is_guess);

	p->is_failed = p->is_failed || count == 0;
	if (is_guess && !has_mark(p, roots[0]))
		roots[0] = folder;
	/* The first holds @folder, which exists. */
	for (size_t i = 0; i < count; i++)
		show_root(p, roots[i], i == 0);
}

/* A program that is a link brings the folder that it stands in. */
static void show_command(struct planner *p, const char *folder)
{
	const char *command = p->request->query->command;
	const char *path;
	const struct fence_path *fp;

	if (command == NULL || strchr(command, '/') != NULL)
		return;
	path = path_join(&p->plan->arena, folder, command);
	fp = path == NULL ? NULL : fence_facts_find(p->facts, path);
	if (!is_present(fp, FENCE_FILE) || plan_in_system(p, fp->real))
		return;
	const char *home = path_parent(&p->plan->arena, fp->real);
	if (home != NULL)
		plan_show_programs(p, home);
}

static void show_entry(struct planner *p, const char *folder)
{
	const struct fence_path *fp = fence_facts_find(p->facts, folder);

	show_command(p, folder);
	if (!is_present(fp, FENCE_FOLDER))
		return;
	if (plan_in_system(p, fp->real) || strcmp(fp->real, "/") == 0)
		return;
	plan_show_programs(p, fp->real);
	const char *clean = path_clean(&p->plan->arena, folder);
	if (clean != NULL && strcmp(clean, fp->real) != 0)
		plan_want_link(p, PLAN_FOR_TOOL, clean, fp->real);
}

/* A command named by a path: the file itself, and nothing beside it. */
static void show_named(struct planner *p)
{
	const char *command = p->request->query->command;
	const struct fence_path *fp;

	if (command == NULL || strchr(command, '/') == NULL)
		return;
	const char *asked =
		command[0] == '/'
			? command
			: path_join(&p->plan->arena, p->facts->cwd, command);
	fp = asked == NULL ? NULL : fence_facts_find(p->facts, asked);
	if (!is_present(fp, FENCE_FILE) || is_secret(p, fp->real))
		return;
	plan_want_shown(p, PLAN_READ, PLAN_FOR_TOOL, fp);
	const char *clean = path_clean(&p->plan->arena, asked);
	if (clean != NULL && strcmp(clean, fp->real) != 0)
		plan_want_link(p, PLAN_FOR_TOOL, clean, fp->real);
}

/* The next entry of PATH, copied; NULL at the end. */
static const char *next_entry(struct planner *p, const char **at)
{
	const char *start = *at;

	if (start == NULL || *start == '\0')
		return NULL;
	size_t len = strcspn(start, ":");
	*at = start + len + (start[len] == ':');
	return arena_strndup(&p->plan->arena, start, len);
}

void plan_tools(struct planner *p)
{
	const char *at = p->request->query->search_path;

	for (const char *folder; (folder = next_entry(p, &at)) != NULL;)
		if (folder[0] == '/')
			show_entry(p, folder);
	show_named(p);
}

/* Appends to PATH what can be seen inside; relative entries would run what the
 * command has written. */
static const char *add_visible(struct planner *p, const char *path,
			       const char *folder)
{
	const struct fence_path *fp = fence_facts_find(p->facts, folder);

	if (folder[0] != '/')
		return path;
	if (!fence_is_system_text(folder) &&
	    (!is_present(fp, FENCE_FOLDER) || !plan_shows(p->plan, fp->real)))
		return path;
	size_t old = strlen(path);
	size_t len = strlen(folder);
	char *longer = arena_alloc(&p->plan->arena, old + len + 2);
	if (longer == NULL)
		return path;
	memcpy(longer, path, old);
	if (old > 0)
		longer[old++] = ':';
	memcpy(longer + old, folder, len + 1);
	return longer;
}

const char *plan_search_path(struct planner *p)
{
	const char *at = p->request->query->search_path;
	const char *path = "";

	for (const char *folder; (folder = next_entry(p, &at)) != NULL;)
		path = add_visible(p, path, folder);
	return path[0] == '\0' ? FENCE_STANDARD_PATH : path;
}
