/* SPDX-License-Identifier: MIT */
/* audit_suggest: the smallest policy that allows what was seen. */
#ifndef AUDIT_SUGGEST_H
#define AUDIT_SUGGEST_H

#include "audit_options.h"
#include "diag.h"

/**
 * audit_suggest() - print a policy file (exeat-policy(5)) on standard output
 *
 * Names before addresses, exact ports, a wildcard only for
 * options->siblings names and more; each line says who used it. What was
 * denied stands there as a comment, or as a rule with
 * options->include_denied.
 *
 * Return: 0, or -1 with @diag set.
 */
int audit_suggest(const struct audit_options *options, struct diag *diag)
	__attribute__((warn_unused_result));

#endif
