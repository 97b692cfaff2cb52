/* SPDX-License-Identifier: MIT */
/* audit_help: the text of `exeat audit --help`. */
#ifndef AUDIT_HELP_H
#define AUDIT_HELP_H

/** audit_help_print() - on standard output. Return: 0 or -1. */
int audit_help_print(void);

#endif
