/* SPDX-License-Identifier: MIT */
/*
 * machine_sockets: Unix sockets of the host, by the names they are reached by.
 *
 * How it works: the kernel lists the sockets of our network namespace by the
 * names that they were bound to. An absolute one is looked at. A relative one,
 * or one that is gone from a folder that the command may write to (renamed?),
 * does not tell where its socket is: then those folders are looked through.
 */
#include "machine_internal.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "paths.h"
#include "tree_walk.h"

#define SOCKETS_MAX 8192

/* Half a second's worth at most; what is left out is said. */
#define NAMES_MAX ((size_t)500000)

static int add(struct fence_facts *facts, const char *path)
{
	struct stat st;

	if (facts->socket_count >= SOCKETS_MAX || stat(path, &st) != 0 ||
	    !S_ISSOCK(st.st_mode))
		return 0;
	const char *real = machine_real(&facts->arena, path);
	if (real == NULL)
		return -ENOMEM;
	return arena_append(&facts->arena, &facts->sockets,
			    &facts->socket_count, &real, sizeof(real));
}

/* A folder that the command may write to; NULL: no more. */
static const char *writable(const struct fence_facts *facts,
			    const struct policy *policy, size_t at)
{
	const char *asked = NULL;

	if (at == 0)
		return facts->cwd;
	at--;
	if (at < policy->files.write.count) {
		asked = policy->files.write.items[at];
	} else {
		at -= policy->files.write.count;
		if (at >= policy->files.mount_count)
			return NULL;
		/* Read-only ones too: connect(2) asks for no more. */
		asked = policy->files.mounts[at].source;
	}
	const struct fence_path *fp = fence_facts_find(facts, asked);
	return fp == NULL ? asked : fp->real;
}

static bool is_in_writable(const struct fence_facts *facts,
			   const struct policy *policy, const char *path)
{
	const char *folder;

	for (size_t i = 0; (folder = writable(facts, policy, i)) != NULL; i++)
		if (path_is_within(path, folder))
			return true;
	return false;
}

/* The eighth column of /proc/net/unix; NULL: it has no name in the files. */
static char *name_of(char *line)
{
	char *at = line;

	for (int i = 0; i < 7; i++) {
		at += strspn(at, " ");
		at += strcspn(at, " \n");
	}
	at += *at == ' ';
	at[strcspn(at, "\n")] = '\0';
	return at[0] == '\0' || at[0] == '@' ? NULL : at;
}

static int take_line(struct fence_facts *facts, const struct policy *policy,
		     char *line, bool *is_lost)
{
	const char *path = name_of(line);
	struct stat st;

	if (path == NULL)
		return 0;
	if (path[0] != '/')
		*is_lost = true;
	else if (stat(path, &st) != 0 && errno == ENOENT)
		*is_lost = *is_lost || is_in_writable(facts, policy, path);
	else
		return add(facts, path);
	return 0;
}

static int read_list(struct fence_facts *facts, const struct policy *policy,
		     bool *is_lost)
{
	FILE *file = fopen("/proc/net/unix", "re");
	char *line = NULL;
	size_t size = 0;
	int rc = 0;

	if (file == NULL)
		return errno == ENOENT ? 0 : -errno;
	/* The first line is a heading. */
	if (getline(&line, &size, file) > 0)
		while (rc == 0 && getline(&line, &size, file) > 0)
			rc = take_line(facts, policy, line, is_lost);
	free(line);
	(void)fclose(file);
	return rc;
}

static int on_entry(const struct tree_entry *entry, void *arg)
{
	struct fence_facts *facts = arg;

	if (entry->is_closed ||
	    (entry->type != DT_SOCK && entry->type != DT_UNKNOWN))
		return 0;
	const char *path = path_join(&facts->arena, entry->root, entry->rest);
	return path == NULL ? -ENOMEM : add(facts, path);
}

int machine_fill_sockets(struct fence_facts *facts, const struct policy *policy)
{
	const struct tree_walk walk = {
		.names_max = NAMES_MAX,
		.on_entry = on_entry,
		.arg = facts,
	};
	const char *folder;
	bool is_lost = false;
	int rc = read_list(facts, policy, &is_lost);

	for (size_t i = 0; is_lost && rc >= 0 &&
			   (folder = writable(facts, policy, i)) != NULL;
	     i++) {
		rc = tree_walk(folder, &walk);
		facts->has_more_sockets = facts->has_more_sockets || rc > 0;
	}
	return rc < 0 ? rc : 0;
}
