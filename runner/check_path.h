/* SPDX-License-Identifier: MIT */
/* check_path: `exeat check PATH`, whether a command could read or write it. */
#ifndef CHECK_PATH_H
#define CHECK_PATH_H

#include <stdbool.h>

#include "diag.h"
#include "policy.h"

/** check_path_is_one() - @word is spelt as a path: it starts with "/", "." or
 * "~/" */
bool check_path_is_one(const char *word);

/**
 * check_path() - say what a run in this folder would see at @word
 * @policy_file: absolute, or NULL: there is none
 * Return: 0 it can be read, 1 it cannot, 125 with @diag set.
 */
int check_path(const struct policy *policy, const char *policy_file,
	       const char *word, struct diag *diag);

#endif
