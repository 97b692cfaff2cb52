/* SPDX-License-Identifier: MIT */
/* programs: where the other programs of a run are. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <limits.h>

#include "diag.h"

/** struct programs - absolute paths */
struct programs {
	char proxy[PATH_MAX];
	char init[PATH_MAX];
	char bwrap[PATH_MAX];
};

/**
 * programs_find() - our own beside exeat or in ../libexec/exeat, bubblewrap on
 * PATH
 * Return: 0, or -1 with @diag saying what is missing and how to get it.
 */
int programs_find(struct programs *programs_out, struct diag *diag)
	__attribute__((warn_unused_result));

/** programs_find_bwrap() - bubblewrap, on absolute entries of PATH. Return: 0,
 * or -1: it is not there. */
int programs_find_bwrap(char path_out[static PATH_MAX])
	__attribute__((warn_unused_result));

/**
 * programs_find_own() - one of ours by name
 * Return: 0, or -1 where it is neither beside exeat nor in libexec.
 */
int programs_find_own(const char *name, char path_out[static PATH_MAX])
	__attribute__((warn_unused_result));

#endif
