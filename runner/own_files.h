/* SPDX-License-Identifier: MIT */
/* own_files: which files of the host are exeat's own, and never the command's.
 */
#ifndef OWN_FILES_H
#define OWN_FILES_H

#include <limits.h>

#define OWN_FILES_MAX 4

/**
 * struct own_files - whoever could write to these could change the next run, or
 * this one's records
 * @list:	absolute paths, and a final NULL
 */
struct own_files {
	char state[PATH_MAX];
	char runtime[PATH_MAX];
	const char *list[OWN_FILES_MAX + 1];
};

/**
 * own_files_fill() - the list of a run
 * @audit, @policy: absolute, or NULL or empty: there is none; lent as long as
 *		the list is used
 */
void own_files_fill(struct own_files *own, const char *audit,
		    const char *policy);

#endif
