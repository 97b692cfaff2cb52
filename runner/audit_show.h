/* SPDX-License-Identifier: MIT */
/* audit_show: the records, counted and printed. */
#ifndef AUDIT_SHOW_H
#define AUDIT_SHOW_H

#include "audit_options.h"
#include "diag.h"

/** audit_show() - the table, JSON Lines or CSV on standard output. Return: 0,
 * or -1 with @diag set. */
int audit_show(const struct audit_options *options, struct diag *diag)
	__attribute__((warn_unused_result));

#endif
