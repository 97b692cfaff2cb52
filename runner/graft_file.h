/* SPDX-License-Identifier: MIT */
/* graft_file: files and links of ours in the sandbox that bubblewrap builds. */
#ifndef GRAFT_FILE_H
#define GRAFT_FILE_H

#include "fence_plan.h"

/**
 * graft_file() - a file that the plan provides, written where it belongs
 * @host:	root of the host's files, for one that is a copy
 * @sandbox:	root of the sandbox's
 * Return: 0 or -errno.
 */
int graft_file(int host, int sandbox, const struct plan_file *file)
	__attribute__((warn_unused_result));

/**
 * graft_file_aside() - the same, outside of what the sandbox sees, to be
 * mounted; then graft_file_forget() takes its name away
 * Return: an O_PATH descriptor or -errno.
 */
int graft_file_aside(int host, const struct plan_file *file)
	__attribute__((warn_unused_result));

void graft_file_forget(void);

/** graft_link() - a symbolic link at @path. Return: 0 or -errno. */
int graft_link(int sandbox, const char *path, const char *text)
	__attribute__((warn_unused_result));

#endif
