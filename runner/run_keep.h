/* SPDX-License-Identifier: MIT */
/* run_keep: how long records of runs are kept (audit.keep, audit.max_size). */
#ifndef RUN_KEEP_H
#define RUN_KEEP_H

#include <stdint.h>

#include "policy.h"

/**
 * run_keep_folder() - remove files of old runs
 * @folder:	of run files; others in it are left alone
 * @own:	the name of a file that stays whatever comes, or NULL
 * @keep_ms:	those last written to longer ago go; 0: none for that reason
 * @max_bytes:	then the oldest go until all together are no larger; 0: any
 *
 * A file that a run still writes to is never removed: its writer holds a lock.
 * What cannot be removed stays, silently: the next run tries again.
 */
void run_keep_folder(const char *folder, const char *own, uint64_t keep_ms,
		     uint64_t max_bytes);

/** run_keep_file() - a file that the policy names, larger than @max_bytes (0:
 * any size), becomes PATH.1 in place of the one before it */
void run_keep_file(const char *path, uint64_t max_bytes);

/** run_keep() - after a run whose records went to @path: one or the other,
 * where the policy asks for it */
void run_keep(const struct policy *policy, const char *path);

/** run_keep_lock() - say that a file is being written to, as long as @fd or a
 * copy of it is open */
void run_keep_lock(int fd);

#endif
