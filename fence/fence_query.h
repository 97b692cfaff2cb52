/* SPDX-License-Identifier: MIT */
/* fence_query: which paths of a machine a plan wants to know of. Pure. */
#ifndef FENCE_QUERY_H
#define FENCE_QUERY_H

#include <stddef.h>

#include "arena.h"
#include "policy.h"

/**
 * struct fence_query - what the facts depend on beside the machine; borrowed
 * @home:	$HOME, or NULL: the user database decides
 * @search_path: $PATH, or NULL
 * @command:	the command's name as typed, or NULL: not known
 * @protect:	NULL-terminated: further absolute paths that must not be
 *		written to from inside (policy file, audit file); or NULL
 */
struct fence_query {
	const struct policy *policy;
	const char *home;
	const char *search_path;
	const char *command;
	const char *const *protect;
};

/**
 * struct fence_place - where the asker stands
 * @home, @account_home, @cwd: as in struct fence_facts
 */
struct fence_place {
	const char *home;
	const char *account_home;
	const char *cwd;
};

/**
 * fence_query_paths() - every path that fence_plan_new() will look up
 * @paths_out:	in @arena, NUL-terminated strings in no order, some twice
 * Return: 0 or -ENOMEM.
 */
int fence_query_paths(const struct fence_query *query,
		      const struct fence_place *place, struct arena *arena,
		      const char *const **paths_out, size_t *count_out)
	__attribute__((warn_unused_result));

struct fence_facts;

/**
 * fence_query_more() - what only the first answers let one ask: where links of
 * PATH and of the command lead
 * @facts:	with the paths of fence_query_paths() looked up
 * Return: as fence_query_paths().
 */
int fence_query_more(const struct fence_query *query,
		     const struct fence_facts *facts, struct arena *arena,
		     const char *const **paths_out, size_t *count_out)
	__attribute__((warn_unused_result));

/**
 * fence_query_interpreter() - what facts->interpreter lets one ask: itself, and
 * when that is known, where it leads
 * Return: as fence_query_paths(); no paths where there is no interpreter.
 */
int fence_query_interpreter(const struct fence_facts *facts,
			    struct arena *arena, const char *const **paths_out,
			    size_t *count_out)
	__attribute__((warn_unused_result));

#endif
