/* SPDX-License-Identifier: MIT */
/* audit_table: rows as a table that fits a terminal, as JSON Lines, as CSV. */
#ifndef AUDIT_TABLE_H
#define AUDIT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "audit_rows.h"

/**
 * struct audit_style - how the place is that a table goes to
 * @columns:	its width; 0: no terminal, so nothing is cut
 * @has_colour: escape sequences are understood and wanted
 */
struct audit_style {
	size_t columns;
	bool has_colour;
};

/** audit_style_of() - of @stream; NO_COLOR and COLUMNS are honoured */
struct audit_style audit_style_of(FILE *stream);

/**
 * audit_table_print() - the rows, one a line, below a line of titles
 *
 * Where a table is too wide, columns that say least are left out first, then
 * the beginning of long names: their end is what they belong to.
 */
void audit_table_print(FILE *stream, const struct audit_style *style,
		       enum audit_by by, const struct audit_row *const *rows,
		       size_t count);

/** audit_json_print() - one object a line */
void audit_json_print(FILE *stream, enum audit_by by,
		      const struct audit_row *const *rows, size_t count);

/** audit_csv_print() - RFC 4180, with a line of names; a field that a
 * spreadsheet would execute is preceded by an apostrophe */
void audit_csv_print(FILE *stream, enum audit_by by,
		     const struct audit_row *const *rows, size_t count);

#endif
