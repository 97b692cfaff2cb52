/* SPDX-License-Identifier: MIT */
/* dry_run: what `exeat run` would do, as text. */
#ifndef DRY_RUN_H
#define DRY_RUN_H

#include "run_fence.h"

/** dry_run_print() - back end, the policy's rules with where each comes from,
 * plan and environment, on standard output. Return: 0, or EXIT_OWN_FAILURE
 * where it cannot be written. */
int dry_run_print(const struct run_fence *fence, char *const *command);

#endif
