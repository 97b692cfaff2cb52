/* SPDX-License-Identifier: MIT */
/* child: fork helpers that cannot outlive exeat, and place their descriptors.
 */
#ifndef CHILD_H
#define CHILD_H

#include <stddef.h>
#include <sys/types.h>

/** struct child_fd - descriptor @from becomes number @to in the child */
struct child_fd {
	int from;
	int to;
};

/** child_main - the life of a child; ends in exec or _exit */
typedef void child_main(const void *arg);

/**
 * child_fork() - fork a process that dies with this one
 *
 * In the child: a session of its own (the terminal's signals are for the
 * command, by way of the runner), default signal dispositions, none blocked,
 * PR_SET_PDEATHSIG; then @run. Call it from the main thread only: the death
 * signal is tied to the thread that forked.
 *
 * Return: the child's pid, or -errno.
 */
pid_t child_fork(child_main *run, const void *arg)
	__attribute__((warn_unused_result));

/**
 * child_spawn() - the same for a child that soon executes a program
 *
 * Until it does, it runs in our memory while we wait (vfork(2)), which saves
 * the copying of page tables: @run may only make system calls and write to
 * its own stack.
 */
pid_t child_spawn(child_main *run, const void *arg)
	__attribute__((warn_unused_result));

/**
 * child_fork_watcher() - child_fork() without the death signal
 *
 * For the one that cleans up after us: it must notice our end by itself, by an
 * end of file.
 */
pid_t child_fork_watcher(child_main *run, const void *arg)
	__attribute__((warn_unused_result));

/**
 * child_place_fds() - in the child: exactly these descriptors stay
 * @fds:	numbers in @to are distinct; @from may repeat
 *
 * Every other descriptor is closed. Those placed survive exec.
 *
 * Return: 0 or -errno.
 */
int child_place_fds(const struct child_fd *fds, size_t count)
	__attribute__((warn_unused_result));

/** child_end() - SIGKILL; does nothing for 0 or less, which would be a group or
 * everybody */
void child_end(pid_t pid);

/** child_kill() - SIGKILL to its whole session's group, and reap it; does
 * nothing for 0 or less */
void child_kill(pid_t pid);

#endif
