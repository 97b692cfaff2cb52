/* SPDX-License-Identifier: MIT */
/* audit_source: every record that was asked for, from all files it is in. */
#ifndef AUDIT_SOURCE_H
#define AUDIT_SOURCE_H

#include "audit_entry.h"
#include "audit_options.h"
#include "diag.h"

/** audit_take - called for each record. Return: 0, or -errno to stop. */
typedef int audit_take(const struct audit_entry *entry, void *arg);

/**
 * audit_source_read() - the records of the options' RUN or FILE, of the last
 * run, or of all of them
 * @word:	RUN or FILE, or NULL
 *
 * What could not be read is said on standard error, once for each file.
 *
 * Return: 0, or -1 with @diag set.
 */
int audit_source_read(const struct audit_options *options, const char *word,
		      audit_take *take, void *arg, struct diag *diag)
	__attribute__((warn_unused_result));

#endif
