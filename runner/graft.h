/* SPDX-License-Identifier: MIT */
/*
 * graft: puts files into the sandbox that bubblewrap builds: what the host
 * shows, and what we provide.
 *
 * How it works: while bubblewrap waits (init_pipe.h) its mount namespace holds
 * both the host's files, below /oldroot, and the sandbox's, below /newroot.
 * Each source is opened there without following a link, cloned with all that
 * is mounted below it, made read-only where the plan says so, and moved to its
 * place, which is found without following a link either. So a program that
 * puts a link in place of a folder, after the plan was made, stops the run and
 * gains nothing. At last all of it is cut off from the host's later mounts.
 */
#ifndef GRAFT_H
#define GRAFT_H

#include <sys/types.h>

#include "fence_plan.h"
#include "text.h"

/* Where the finished sandbox will have its root, while bubblewrap waits. */
#define GRAFT_SANDBOX "/newroot"

/**
 * graft() - put every plan_is_graft() entry in its place
 * @child:	bubblewrap's child, waiting; we stay in its mount namespace
 * @why:	on failure: what, and how to mend it
 *
 * Capabilities in the user namespace of the sandbox are needed
 * (netns_join()).
 *
 * Return: 0 or -1.
 */
int graft(const struct fence_plan *plan, pid_t child, struct text *why)
	__attribute__((warn_unused_result));

#endif
