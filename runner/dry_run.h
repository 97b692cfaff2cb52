/* SPDX-License-Identifier: MIT */
/* dry_run: what `exeat run` would do, as text. */
#ifndef DRY_RUN_H
#define DRY_RUN_H

#include "run_fence.h"

/** dry_run_print() - the plan, the environment and bubblewrap's arguments, on
 * standard output. Return: 0, or EXIT_OWN_FAILURE where it cannot be written.
 */
int dry_run_print(const struct run_fence *fence, char *const *command);

#endif
