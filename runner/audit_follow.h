/* SPDX-License-Identifier: MIT */
/* audit_follow: records as they are written, one line each. */
#ifndef AUDIT_FOLLOW_H
#define AUDIT_FOLLOW_H

#include "audit_options.h"
#include "diag.h"

/**
 * audit_follow() - print what is there, then what comes, until the run of the
 * file ends or, where it holds records of no run, for ever
 * Return: 0, or -1 with @diag set.
 */
int audit_follow(const struct audit_options *options, struct diag *diag)
	__attribute__((warn_unused_result));

#endif
