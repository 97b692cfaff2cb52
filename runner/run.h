/* SPDX-License-Identifier: MIT */
/*
 * run: `exeat run`, from the command line to the exit code.
 *
 * How it works: command line -> policy -> plan -> the three processes are
 * raised -> GO -> the command runs under supervision -> the proxy's last
 * records -> what was denied is said -> exit code. Nothing of it happens to
 * the command before GO; any failure before that is one message and
 * EXIT_OWN_FAILURE.
 */
#ifndef RUN_H
#define RUN_H

/** run_main() - the words after `exeat run`. Return: the exit code. */
int run_main(int argc, char *argv[]);

#endif
