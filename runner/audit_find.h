/* SPDX-License-Identifier: MIT */
/* audit_find: which files hold the records that were asked for. */
#ifndef AUDIT_FIND_H
#define AUDIT_FIND_H

#include <stddef.h>

#include "diag.h"

/** struct audit_paths - files, oldest run first; starts zeroed */
struct audit_paths {
	char **items;
	size_t count;
};

/** audit_paths_clear() - free all */
void audit_paths_clear(struct audit_paths *paths);

/**
 * audit_find_runs() - the files of all runs of this user
 * Return: 0, or -1 with @diag set. No folder yet: none, and 0.
 */
int audit_find_runs(struct audit_paths *paths_out, struct diag *diag)
	__attribute__((warn_unused_result));

/**
 * audit_find_one() - the file that @word means
 * @word:	a path (with a slash, or a file that is there), "-", a run's id
 *or the beginning of one, "last", "last-1", ...; NULL: "last" Return: the
 *caller's to free(), or NULL with @diag set.
 */
char *audit_find_one(const char *word, struct diag *diag)
	__attribute__((warn_unused_result));

#endif
