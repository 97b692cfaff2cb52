/* SPDX-License-Identifier: MIT */
/* audit_spans: minutes joined to hours or days, so that a table stays short. */
#ifndef AUDIT_SPANS_H
#define AUDIT_SPANS_H

#include <stddef.h>

#include "audit_rows.h"

#define AUDIT_SPANS_MAX 60

/**
 * audit_spans_merge() - join rows of minutes until there are at most
 * AUDIT_SPANS_MAX, or days
 * @rows:	sorted by time; points to @joined_out afterwards
 * @count:	rows, before and after
 * @joined_out:	the caller's to free()
 * Return: 0 or -ENOMEM.
 */
int audit_spans_merge(const struct audit_row **rows, size_t *count,
		      struct audit_row **joined_out)
	__attribute__((warn_unused_result));

#endif
