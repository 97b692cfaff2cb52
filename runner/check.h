/* SPDX-License-Identifier: MIT */
/* check: `exeat check HOST[:PORT]`, what the policy says and by which rule. */
#ifndef CHECK_H
#define CHECK_H

/**
 * check_main() - the words after `exeat check`
 * Return: 0 allowed, 1 denied, EXIT_OWN_FAILURE.
 */
int check_main(int argc, char *argv[]);

#endif
