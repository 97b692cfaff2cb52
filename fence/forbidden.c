/* SPDX-License-Identifier: MIT */
/* forbidden: folders that are never given to a command as a whole. */
#include "forbidden.h"

#include <string.h>

#include "fence_tables.h"
#include "paths.h"

/* macOS: a second address of every file of the data volume (SEATBELT 43). */
#define DATA_VOLUME "/System/Volumes/Data"

static const char *without_alias(const char *path)
{
	const char *rest;

	if (!path_is_within(path, DATA_VOLUME))
		return path;
	rest = path_rest(path, DATA_VOLUME);
	return rest[0] == '\0' ? "/" : rest;
}

static const char *by_tree(const char *path)
{
	for (size_t i = 0; fence_forbidden_trees[i] != NULL; i++)
		if (path_is_within(path, fence_forbidden_trees[i]))
			return "is not made of files but of the machine";
	return NULL;
}

static const char *by_home(const char *home, const char *path)
{
	if (home == NULL)
		return NULL;
	if (strcmp(home, path) == 0)
		return "is a home folder, with all its secrets";
	if (path_is_within(home, path))
		return "holds a home folder, with all its secrets";
	return NULL;
}

static const char *by_secret(const char *secret, const char *path)
{
	if (secret == NULL)
		return NULL;
	if (path_is_within(path, secret))
		return "holds secrets";
	if (path_is_within(secret, path))
		return "holds a folder of secrets";
	return NULL;
}

static const char *by_sealed(struct arena *arena,
			     const struct fence_facts *facts, const char *home,
			     const char *path)
{
	const char *reason = NULL;

	if (home == NULL)
		return NULL;
	for (size_t i = 0; reason == NULL && fence_home_sealed[i] != NULL;
	     i++) {
		const char *asked =
			path_join(arena, home, fence_home_sealed[i]);
		if (asked == NULL)
			return "could not be compared: out of memory";
		const struct fence_path *fp = fence_facts_find(facts, asked);
		reason = by_secret(asked, path);
		if (reason == NULL && fp != NULL)
			reason = by_secret(fp->real, path);
	}
	return reason;
}

const char *forbidden_reason(struct arena *arena,
			     const struct fence_facts *facts, const char *path)
{
	const char *homes[] = {facts->home, facts->account_home};
	const char *reason;

	path = without_alias(path);
	for (size_t i = 0; fence_forbidden_exact[i] != NULL; i++)
		if (strcmp(path, fence_forbidden_exact[i]) == 0)
			return "is a folder of the system";
	reason = by_tree(path);
	for (size_t i = 0; reason == NULL && i < 2; i++)
		reason = by_home(homes[i], path);
	for (size_t i = 0; reason == NULL && i < 2; i++)
		reason = by_sealed(arena, facts, homes[i], path);
	return reason;
}

const char *forbidden_read_reason(const char *path)
{
	path = without_alias(path);
	if (strcmp(path, "/") == 0)
		return "is everything: say --mode open instead";
	return by_tree(path);
}
