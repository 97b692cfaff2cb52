/* SPDX-License-Identifier: MIT */
/* proc_owner: which process holds a socket, and what it is, by a /proc. */
#ifndef PROC_OWNER_H
#define PROC_OWNER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "service.h"

/**
 * proc_owner_find() - the process that has a descriptor of socket @inode
 * @proc:	a /proc, opened as a folder
 * @first:	looked at before all others, or 0
 *
 * The newest processes come first: those that connect are mostly young.
 *
 * Return: its pid; 0: none that could be looked at; -EACCES: none, and not all
 * could be; another -errno.
 */
pid_t proc_owner_find(int proc, uint32_t inode, pid_t first)
	__attribute__((warn_unused_result));

/** proc_owner_describe() - fill pid, exe, argv0 and, where wanted, parents */
void proc_owner_describe(int proc, pid_t pid, bool wants_parents,
			 struct service_answer *answer);

#endif
