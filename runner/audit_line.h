/* SPDX-License-Identifier: MIT */
/*
 * audit_line: what one line of an audit file says.
 *
 * How it works: nearly every line is what audit_format() writes: one flat
 * object without blanks. That is read here in one pass, a tenth of json-c's
 * time. What is JSON all the same but not so written (blanks, nested values,
 * fractions) goes to json-c; what is no JSON is bad either way.
 */
#ifndef AUDIT_LINE_H
#define AUDIT_LINE_H

#include <stddef.h>

#include "audit_entry.h"

/* Longer than any record of ours (AUDIT_LINE_MAX_BYTES), for those of a later
 * version. */
#define AUDIT_LINE_READ_BYTES 65536

enum audit_line_result {
	AUDIT_LINE_OK = 0,
	AUDIT_LINE_UNUSUAL, /* audit_line_parse_plain() only: json-c's to say */
	AUDIT_LINE_UNKNOWN, /* a record of a kind that is not known here */
	AUDIT_LINE_BAD,     /* not a record */
};

/** struct audit_line_space - where text with escapes is decoded */
struct audit_line_space {
	char bytes[AUDIT_LINE_READ_BYTES];
	size_t used;
};

/**
 * audit_line_parse() - read one line
 * @line:	without its newline, @len < AUDIT_LINE_READ_BYTES
 * @entry_out:	filled on AUDIT_LINE_OK; its text lies in @line and @space
 */
enum audit_line_result audit_line_parse(const char *line, size_t len,
					struct audit_line_space *space,
					struct audit_entry *entry_out)
	__attribute__((warn_unused_result));

/** audit_line_parse_plain() - only what audit_format() could have written */
enum audit_line_result audit_line_parse_plain(const char *line, size_t len,
					      struct audit_line_space *space,
					      struct audit_entry *entry_out)
	__attribute__((warn_unused_result));

/** audit_json_parse() - the same by json-c: any JSON object; never _UNUSUAL */
enum audit_line_result audit_json_parse(const char *line, size_t len,
					struct audit_line_space *space,
					struct audit_entry *entry_out)
	__attribute__((warn_unused_result));

#endif
