/* SPDX-License-Identifier: MIT */
/* fence_query: which paths of a machine a plan wants to know of. */
#include "fence_query.h"

#include <errno.h>
#include <string.h>

#include "fence_facts.h"
#include "fence_tables.h"
#include "paths.h"
#include "tool_folder.h"

/* Links of the system that decide where private folders lie. */
static const char *const own_places[] = {
	"/etc/ssl/private",
	"/etc/pki/tls/private",
	"/tmp",
	"/var/tmp",
	"/run",
	"/var/run",
	"/etc/resolv.conf",
	"/etc/hosts",
	"/etc/nsswitch.conf",
	"/sys",
	"/proc/pressure",
	NULL,
};

struct wanted {
	struct arena *arena;
	const struct fence_place *place;
	const char **paths;
	size_t count;
	bool failed;
};

static void want(struct wanted *w, const char *path)
{
	if (path == NULL || arena_append(w->arena, &w->paths, &w->count, &path,
					 sizeof(path)) != 0)
		w->failed = true;
}

static void want_all(struct wanted *w, const char *const *list)
{
	for (size_t i = 0; list[i] != NULL; i++)
		want(w, list[i]);
}

static void want_below(struct wanted *w, const char *folder,
		       const char *const *list)
{
	for (size_t i = 0; folder != NULL && list[i] != NULL; i++)
		want(w, path_join(w->arena, folder, list[i]));
}

/* A folder that the command may write to. */
static void want_writable(struct wanted *w, const char *folder)
{
	want(w, folder);
	want_below(w, folder, fence_protected);
}

static void want_tool(struct wanted *w, const char *programs)
{
	const char *roots[TOOL_FOLDERS_MAX];
	bool is_guess;
	size_t count = tool_folder_roots(w->arena, programs, w->place, roots,
					 &is_guess);

	want(w, programs);
	for (size_t i = 0; i < count; i++)
		want(w, roots[i]);
	if (is_guess)
		want(w, path_join(w->arena, roots[0], TOOL_FOLDER_MARK));
	w->failed = w->failed || count == 0;
}

/* The next entry of PATH from *@at on, copied; NULL at the end. Relative ones
 * mean another folder inside: they are passed over. */
static const char *next_entry(struct wanted *w, const char **at)
{
	while (*at != NULL && **at != '\0') {
		const char *start = *at;
		size_t len = strcspn(start, ":");
		*at = start + len + (start[len] == ':');
		if (start[0] != '/')
			continue;
		const char *entry = arena_strndup(w->arena, start, len);
		w->failed = w->failed || entry == NULL;
		return entry;
	}
	return NULL;
}

/* Where @folder may hold the command, as a path; NULL: it is not looked for
 * there. What a distribution puts in its roots stays in them, but /usr/local
 * is filled by hand. */
static const char *command_in(struct wanted *w, const struct fence_query *query,
			      const char *folder)
{
	if (query->command == NULL || strchr(query->command, '/') != NULL ||
	    (fence_is_system_text(folder) &&
	     !path_is_within(folder, "/usr/local")))
		return NULL;
	return path_join(w->arena, folder, query->command);
}

static void want_search_path(struct wanted *w, const struct fence_query *query)
{
	const char *at = query->search_path;

	for (const char *folder; (folder = next_entry(w, &at)) != NULL;) {
		const char *command = command_in(w, query, folder);
		if (!fence_is_system_text(folder))
			want_tool(w, folder);
		if (command != NULL)
			want(w, command);
	}
}

static void want_command(struct wanted *w, const struct fence_query *query)
{
	const char *command = query->command;

	if (command == NULL || strchr(command, '/') == NULL)
		return;
	want(w, command[0] == '/'
			? command
			: path_join(w->arena, w->place->cwd, command));
}

/* A mount's target is below the working directory unless absolute. */
static void want_files(struct wanted *w, const struct policy *policy)
{
	for (size_t i = 0; i < policy->files.read.count; i++)
		want(w, policy->files.read.items[i]);
	for (size_t i = 0; i < policy->files.hide.count; i++)
		want(w, policy->files.hide.items[i]);
	for (size_t i = 0; i < policy->files.write.count; i++)
		want_writable(w, policy->files.write.items[i]);
	for (size_t i = 0; i < policy->files.mount_count; i++) {
		const struct policy_mount *mount = &policy->files.mounts[i];
		if (mount->is_writable)
			want_writable(w, mount->source);
		else
			want(w, mount->source);
		want(w, mount->target[0] == '/'
				? mount->target
				: path_join(w->arena, w->place->cwd,
					    mount->target));
	}
	for (size_t i = 0; i < policy->unix_sockets.count; i++)
		want(w, policy->unix_sockets.items[i]);
}

/* Nothing of a home is shown in strict mode without a grant. */
static bool may_show_home(const struct policy *policy)
{
	return policy->files.mode != POLICY_FILES_STRICT ||
	       policy->files.mount_count > 0 || policy->files.write.count > 0;
}

static void want_secrets(struct wanted *w, const struct policy *policy)
{
	const char *homes[] = {w->place->home, w->place->account_home};

	for (size_t i = 0; i < 2; i++) {
		want_below(w, homes[i], fence_home_sealed);
		if (may_show_home(policy))
			want_below(w, homes[i], fence_home_secrets);
	}
	if (policy->files.mode == POLICY_FILES_OPEN)
		want_all(w, fence_system_secrets);
}

int fence_query_paths(const struct fence_query *query,
		      const struct fence_place *place, struct arena *arena,
		      const char *const **paths_out, size_t *count_out)
{
	struct wanted w = {.arena = arena, .place = place};

	want_all(&w, fence_system_roots);
	want_all(&w, fence_system_links);
	want_all(&w, fence_etc_shown);
	want_all(&w, own_places);
	want_writable(&w, place->cwd);
	want_secrets(&w, query->policy);
	want_files(&w, query->policy);
	want_search_path(&w, query);
	want_command(&w, query);
	for (size_t i = 0; query->protect != NULL && query->protect[i] != NULL;
	     i++)
		want(&w, query->protect[i]);
	if (w.failed)
		return -ENOMEM;
	*paths_out = w.paths;
	*count_out = w.count;
	return 0;
}

static void want_folder_of(struct wanted *w, const char *program)
{
	const char *folder = path_parent(w->arena, program);

	if (folder == NULL)
		w->failed = true;
	else
		want_tool(w, folder);
}

static void want_behind(struct wanted *w, const struct fence_facts *facts,
			const char *path, bool is_program)
{
	const struct fence_path *fp =
		path == NULL ? NULL : fence_facts_find(facts, path);

	if (fp == NULL || strcmp(fp->path, fp->real) == 0 ||
	    fence_is_system_text(fp->real))
		return;
	if (is_program)
		want_folder_of(w, fp->real);
	else
		want_tool(w, fp->real);
}

int fence_query_more(const struct fence_query *query,
		     const struct fence_facts *facts, struct arena *arena,
		     const char *const **paths_out, size_t *count_out)
{
	const struct fence_place place = {
		.home = facts->home,
		.account_home = facts->account_home,
		.cwd = facts->cwd,
	};
	struct wanted w = {.arena = arena, .place = &place};
	const char *at = query->search_path;

	for (const char *folder; (folder = next_entry(&w, &at)) != NULL;) {
		want_behind(&w, facts, folder, false);
		want_behind(&w, facts, command_in(&w, query, folder), true);
	}
	if (w.failed)
		return -ENOMEM;
	*paths_out = w.paths;
	*count_out = w.count;
	return 0;
}

int fence_query_interpreter(const struct fence_facts *facts,
			    struct arena *arena, const char *const **paths_out,
			    size_t *count_out)
{
	const struct fence_place place = {
		.home = facts->home,
		.account_home = facts->account_home,
		.cwd = facts->cwd,
	};
	struct wanted w = {.arena = arena, .place = &place};
	const struct fence_path *fp =
		facts->interpreter == NULL
			? NULL
			: fence_facts_find(facts, facts->interpreter);

	if (fp != NULL) {
		want_folder_of(&w, fp->at);
		want_folder_of(&w, fp->real);
	} else if (facts->interpreter != NULL) {
		want(&w, facts->interpreter);
	}
	if (w.failed)
		return -ENOMEM;
	*paths_out = w.paths;
	*count_out = w.count;
	return 0;
}
