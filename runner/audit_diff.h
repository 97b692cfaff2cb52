/* SPDX-License-Identifier: MIT */
/* audit_diff: destinations of one run that another did not have. */
#ifndef AUDIT_DIFF_H
#define AUDIT_DIFF_H

#include "audit_options.h"
#include "diag.h"

/**
 * audit_diff() - print the rows of the second source whose host and port the
 * first does not have, however they were answered
 * Return: 0: none; 1: there are some; -1 with @diag set.
 */
int audit_diff(const struct audit_options *options, struct diag *diag)
	__attribute__((warn_unused_result));

#endif
