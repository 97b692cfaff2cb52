/* SPDX-License-Identifier: MIT */
/* planted: what a run made or changed and other programs obey or execute
 * later. */
#ifndef PLANTED_H
#define PLANTED_H

#include <stdbool.h>
#include <time.h>

#include "fence_plan.h"

/**
 * planted_is_obeyed() - a file whose path below a folder is @rest is read by
 * git, shells, editors or package managers of whoever comes by there
 *
 * At any depth: a repository in a repository counts. Of what package managers
 * unpack (node_modules) only repositories do. Pure.
 */
bool planted_is_obeyed(const char *rest);

/**
 * planted_say() - list on standard error what changed since @began below the
 * folders that the command could write to, by its name on the host
 *
 * Changed is what has a new ctime: unlike mtime nobody can set it. Files that
 * run as their owner or group (setuid, setgid) are listed apart.
 */
void planted_say(const struct fence_plan *plan, const struct timespec *began);

#endif
