/* SPDX-License-Identifier: MIT */
/* run_signals: every signal of a run, read from a descriptor. */
#ifndef RUN_SIGNALS_H
#define RUN_SIGNALS_H

/**
 * run_signals_open() - block the signals that a run reacts to
 *
 * SIGCHLD and SIGWINCH, SIGCONT, and those that are passed on to the command:
 * INT, TERM, HUP, QUIT, USR1, USR2, TSTP. One that exeat itself was started
 * with ignored (nohup) stays ignored. SIGPIPE is ignored: a dying part must not
 * kill the runner.
 *
 * Return: a signalfd, or -errno.
 */
int run_signals_open(void) __attribute__((warn_unused_result));

#endif
