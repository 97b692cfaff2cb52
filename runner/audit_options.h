/* SPDX-License-Identifier: MIT */
/* audit_options: the command line of `exeat audit`. */
#ifndef AUDIT_OPTIONS_H
#define AUDIT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "audit_rows.h"
#include "diag.h"

enum audit_action {
	AUDIT_ACTION_TABLE = 0,
	AUDIT_ACTION_FOLLOW,
	AUDIT_ACTION_SUGGEST,
	AUDIT_ACTION_DIFF,
	AUDIT_ACTION_HELP,
};

enum audit_format {
	AUDIT_FORMAT_TABLE = 0,
	AUDIT_FORMAT_JSON,
	AUDIT_FORMAT_CSV,
};

/**
 * struct audit_options - what is asked
 * @sources:	RUN or FILE as given, borrowed from argv; NULL: not given. Two
 *		for AUDIT_ACTION_DIFF
 * @run:	only records of this run, or NULL
 * @since_ms, @until_ms: 0 and UINT64_MAX: all
 */
struct audit_options {
	enum audit_action action;
	enum audit_format format;
	enum audit_by by;
	bool has_by;
	bool denied;
	bool all;
	bool include_denied;
	const char *sources[2];
	int source_count;
	const char *run;
	uint64_t since_ms;
	uint64_t until_ms;
	uint64_t siblings;
	uint64_t now_ms;
};

/**
 * audit_options_parse() - read the words after `exeat audit`
 * @now_ms:	what "--since 2h" counts from
 * Return: 0, or -1 with @diag set.
 */
int audit_options_parse(struct audit_options *options, int argc, char *argv[],
			uint64_t now_ms, struct diag *diag)
	__attribute__((warn_unused_result));

/** audit_options_want() - the record is one of those asked for */
bool audit_options_want(const struct audit_options *options,
			const struct audit_entry *entry);

#endif
