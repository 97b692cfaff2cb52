/* SPDX-License-Identifier: MIT */
/* help: the texts of --help. */
#ifndef HELP_H
#define HELP_H

enum help_topic {
	HELP_EXEAT,
	HELP_RUN,
	HELP_CHECK,
};

/** help_print() - on standard output. Return: 0, or EXIT_OWN_FAILURE where it
 * could not be written. */
int help_print(enum help_topic topic);

#endif
