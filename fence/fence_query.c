/* SPDX-License-Identifier: MIT */
/* fence_query: which paths of a machine a plan wants to know of. */
#include "fence_query.h"

#include <errno.h>
#include <string.h>

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
	size_t count = tool_folder_roots(w->arena, programs, w->place, roots);

	want(w, programs);
	for (size_t i = 0; i < count; i++)
		want(w, roots[i]);
	w->failed = w->failed || count == 0;
}

/* A folder of PATH that is in a system root is shown anyway. What stands there
 * as a link was put there by the distribution, but in /usr/local by hand. */
static void want_programs(struct wanted *w, const char *folder,
			  const char *command)
{
	bool is_system = fence_is_system_text(folder);

	if (!is_system)
		want_tool(w, folder);
	if (command != NULL && strchr(command, '/') == NULL &&
	    (!is_system || path_is_within(folder, "/usr/local")))
		want(w, path_join(w->arena, folder, command));
}

static void want_search_path(struct wanted *w, const struct fence_query *query)
{
	const char *at = query->search_path;

	while (at != NULL && *at != '\0') {
		size_t len = strcspn(at, ":");
		const char *folder = arena_strndup(w->arena, at, len);
		if (folder == NULL) {
			w->failed = true;
			return;
		}
		/* A relative entry means another folder inside. */
		if (folder[0] == '/')
			want_programs(w, folder, query->command);
		at += len + (at[len] == ':');
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
