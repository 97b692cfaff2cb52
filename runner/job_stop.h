/* SPDX-License-Identifier: MIT */
/*
 * job_stop: Ctrl-Z, carried from the run's own terminal to the user's shell.
 *
 * How it works: the key stops the command inside, as on any terminal, and
 * nobody tells the runner: the command is not its child. Left alone, the user
 * would look at a terminal that nothing answers. So for a moment after a key
 * was passed on the command's state is looked at, and when it has stopped, the
 * runner gives the terminal back and stops its own process group, which is the
 * job that the user's shell knows. Once the shell goes on with the job (fg),
 * so does the command.
 */
#ifndef JOB_STOP_H
#define JOB_STOP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct job_stop - zeroed: nothing was typed
 * @due_ms:	when to look next, on the caller's clock; 0: not
 * @step_ms:	how long to wait after that look
 */
struct job_stop {
	int64_t due_ms;
	int64_t step_ms;
};

/** job_stop_typed() - a key was passed on */
void job_stop_typed(struct job_stop *job, int64_t now_ms);

/** job_stop_look() - when due: is process @pid stopped? Looks less and less
 * often for about a second. */
bool job_stop_look(struct job_stop *job, pid_t pid, int64_t now_ms);

/** job_stop_is_stopped() - by a signal, not by a tracer (proc_pid_stat(5)) */
bool job_stop_is_stopped(pid_t pid);

/**
 * job_stop_now() - stop our process group, or @is_alone ourselves, as SIGTSTP
 * does; returns once we are continued
 *
 * Where nobody could continue us (an orphaned process group) the kernel does
 * not stop us, and this returns at once.
 */
void job_stop_now(bool is_alone);

#endif
