/* SPDX-License-Identifier: MIT */
/* paths: absolute paths as text, compared by whole components. Pure. */
#ifndef PATHS_H
#define PATHS_H

#include <stdbool.h>

#include "arena.h"

/** path_is_within() - @path is @folder or below it; "/" holds every path */
bool path_is_within(const char *path, const char *folder);

/** path_is_below() - @path is below @folder, and not @folder itself */
bool path_is_below(const char *path, const char *folder);

/** path_rest() - "/b/c" of "/a/b/c" within "/a"; "" for "/a" itself */
const char *path_rest(const char *path, const char *folder);

/** path_compare() - for qsort: a folder comes directly before what is in it */
int path_compare(const char *a, const char *b);

/** path_join() - @folder, "/" and @rest (which may start with "/" or be empty)
 * Return: in @arena, or NULL when out of memory. */
char *path_join(struct arena *arena, const char *folder, const char *rest);

/** path_parent() - of "/a/b" "/a"; of "/a" and "/" "/".
 * Return: in @arena, or NULL when out of memory. */
char *path_parent(struct arena *arena, const char *path);

/** path_base() - the last component; points into @path */
const char *path_base(const char *path);

/** path_clean() - without "." and doubled or trailing slashes; ".." goes up in
 * the text, so use it where no link is meant or the path is shown only.
 * Return: in @arena, or NULL when out of memory. */
char *path_clean(struct arena *arena, const char *path);

#endif
