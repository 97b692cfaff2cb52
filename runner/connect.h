/* SPDX-License-Identifier: MIT */
/*
 * connect: `exeat connect HOST PORT`, a tunnel for programs that cannot use a
 * proxy themselves: ssh's ProxyCommand.
 *
 * It is a second name of exeat-init, the one program of ours that is shown
 * inside every fence: a program of its own would cost each start another copy.
 */
#ifndef CONNECT_H
#define CONNECT_H

#include <stdbool.h>

/** connect_is_asked() - the program was started by the name of the tunnel */
bool connect_is_asked(const char *argv0);

/**
 * connect_main() - join standard input and output to HOST:PORT, by way of the
 * proxy that the environment names
 * @argc, @argv: the command line, argv[0] included
 *
 * Return: the exit code: 0; 1 the proxy refused; EXIT_OWN_FAILURE.
 */
int connect_main(int argc, char *argv[]);

#endif
