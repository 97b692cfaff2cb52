/* SPDX-License-Identifier: MIT */
/*
 * terminal: a pseudo-terminal of the run's own in front of the user's.
 *
 * The command never holds the user's terminal: with it, TIOCSTI would type
 * commands into the shell that started the run.
 */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdbool.h>
#include <termios.h>

/**
 * struct terminal - both sides
 * @user:	the user's terminal (0, 1 or 2), or -1: no terminal in use
 * @master:	our side of the pseudo-terminal
 * @slave:	the command's side; closed after the fork
 */
struct terminal {
	int user;
	int master;
	int slave;
	bool is_input; /* descriptor 0 is the user's terminal */
	bool is_raw;
	struct termios before;
};

/** terminal_init() - no terminal in use */
void terminal_init(struct terminal *terminal);

/** terminal_open() - make the pseudo-terminal, with the modes and the size of
 * @user. Return: 0 or -errno. */
int terminal_open(struct terminal *terminal, int user, bool is_input)
	__attribute__((warn_unused_result));

/** terminal_make_controlling() - in the child, a session leader without one:
 * @slave becomes its controlling terminal. Return: 0 or -errno. */
int terminal_make_controlling(int slave) __attribute__((warn_unused_result));

/** terminal_start() - raw mode for the user's terminal, where it gives input
 * and we are in its foreground */
void terminal_start(struct terminal *terminal);

/** terminal_resize() - pass the user's window size on */
void terminal_resize(const struct terminal *terminal);

/** terminal_restore() - the user's modes as they were */
void terminal_restore(struct terminal *terminal);

/** terminal_close() - restore and release */
void terminal_close(struct terminal *terminal);

#endif
