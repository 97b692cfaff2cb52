/* SPDX-License-Identifier: MIT */
/* run_files: the run's name and its audit file, opened before anything runs. */
#ifndef RUN_FILES_H
#define RUN_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "audit.h"
#include "diag.h"

/**
 * run_id_make() - a name for a run: UTC time with ms, then 8 random hex digits,
 * so that names sort by time and two runs never share one
 * Return: 0 or -errno.
 */
int run_id_make(uint64_t now_ms, char id_out[static AUDIT_RUN_ID_BYTES])
	__attribute__((warn_unused_result));

/**
 * run_files_folder() - where the records of runs are: STATE/exeat/runs
 * Return: false: neither is set, or the path is too long.
 */
bool run_files_folder(char path_out[static PATH_MAX])
	__attribute__((warn_unused_result));

/** run_state_folder() - STATE/exeat, where runs leave what they keep; false:
 * there is no place for it */
bool run_state_folder(char path_out[static PATH_MAX])
	__attribute__((warn_unused_result));

/**
 * run_audit_open() - open the file that the run's records go to
 * @file:	as the policy says, or NULL: STATE/exeat/runs/RUN.jsonl, where
 *		STATE is $XDG_STATE_HOME or ~/.local/state
 * @path_out:	its path, for messages and to be protected inside
 *
 * Mode 0600, appended to, never through a symbolic link.
 *
 * Return: a descriptor, or -1 with @diag set.
 */
int run_audit_open(const char *file, const char *run,
		   char path_out[static PATH_MAX], struct diag *diag)
	__attribute__((warn_unused_result));

#endif
