/* SPDX-License-Identifier: MIT */
/*
 * fence_facts: what the fence must know of a machine, as a value.
 *
 * How it works: fence/ looks at nothing. Whoever has a machine fills this in
 * (machine.h), or a test reads it from text (facts_text.h), so that every plan
 * is a function of its input.
 */
#ifndef FENCE_FACTS_H
#define FENCE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"

/* What a path leads to, links followed. */
enum fence_kind {
	FENCE_ABSENT = 0,
	FENCE_UNKNOWN, /* no permission to look, so none inside either */
	FENCE_FILE,
	FENCE_FOLDER,
	FENCE_SOCKET,
	FENCE_OTHER, /* device, pipe */
};

/**
 * struct fence_path - one path that was asked about
 * @path:	as asked: absolute
 * @at:		where it stands: links in its folders followed, itself not
 * @real:	every link followed; of an absent path as far as it exists, then
 *		the rest as written
 * @kind:	of what @real is
 * @is_empty:	a folder with nothing in it; looked at for /opt only
 * @has_other_name: a file that a second name (hard link) leads to, and that the
 *		caller may write to
 *
 * It is itself a link where @at and @real differ.
 */
struct fence_path {
	const char *path;
	const char *at;
	const char *real;
	enum fence_kind kind;
	bool is_empty;
	bool has_other_name;
};

/**
 * struct fence_mount - a mount point of the host
 * @device, @root: what is mounted there (proc_pid_mountinfo(5), 3 and 4)
 */
struct fence_mount {
	const char *point;
	const char *device;
	const char *root;
};

/**
 * struct fence_facts - all of it; everything in @arena
 * @home:	the caller's, real; NULL: there is none
 * @account_home: of the user database, real; may be NULL or equal @home
 * @cwd:	real
 * @paths:	sorted by path, each once (fence_facts_find())
 * @sockets:	real paths of Unix sockets that somebody listens on or has bound
 * @has_more_sockets: there may be further ones: not all folders were looked
 *		through
 * @own_links:	where links stand that the way to exeat's own files
 *		(fence_query.protect) goes through
 * @interpreter: absolute: what runs the command, where that is a script outside
 *		the system, and its program is; or NULL
 * @mounts:	as the kernel lists them, later ones over earlier ones
 * @landlock_abi: 0: none
 */
struct fence_facts {
	uint32_t uid;
	uint32_t gid;
	const char *user;
	const char *group;
	const char *home;
	const char *account_home;
	const char *cwd;
	const struct fence_path *paths;
	size_t path_count;
	const char *const *sockets;
	size_t socket_count;
	bool has_more_sockets;
	const char *interpreter;
	const char *const *own_links;
	size_t own_link_count;
	const struct fence_mount *mounts;
	size_t mount_count;
	unsigned int landlock_abi;
	struct arena arena;
};

/** fence_facts_find() - what is known of @path, or NULL: it was not asked */
const struct fence_path *fence_facts_find(const struct fence_facts *facts,
					  const char *path);

/**
 * fence_facts_add() - add what was found out about further paths
 * @paths:	@count of them in any order; of two for one path the one that
 *		was known before stays, else the first
 * Return: 0 or -ENOMEM.
 */
int fence_facts_add(struct fence_facts *facts, const struct fence_path *paths,
		    size_t count) __attribute__((warn_unused_result));

/** fence_facts_free() - NULL does nothing */
void fence_facts_free(struct fence_facts *facts);

#endif
