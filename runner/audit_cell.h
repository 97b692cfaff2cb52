/* SPDX-License-Identifier: MIT */
/* audit_cell: what stands in one cell of a table of rows. */
#ifndef AUDIT_CELL_H
#define AUDIT_CELL_H

#include "audit_rows.h"
#include "text.h"

#define AUDIT_CELL_BYTES 4096

enum audit_column {
	AUDIT_COLUMN_KEY = 0,
	AUDIT_COLUMN_VERDICT,
	AUDIT_COLUMN_COUNT,
	AUDIT_COLUMN_ALLOWED,
	AUDIT_COLUMN_DENIED,
	AUDIT_COLUMN_FAILED,
	AUDIT_COLUMN_UP,
	AUDIT_COLUMN_DOWN,
	AUDIT_COLUMN_FIRST,
	AUDIT_COLUMN_LAST,
	AUDIT_COLUMN_PROCESS,
	AUDIT_COLUMN_COUNT_OF, /* no column */
};

/** audit_column_is_shown() - the table of @by has it */
bool audit_column_is_shown(enum audit_by by, enum audit_column column);

/** audit_column_is_number() - it stands at the right */
bool audit_column_is_number(enum audit_column column);

/** audit_column_title() - "DESTINATION", "UP" */
const char *audit_column_title(enum audit_by by, enum audit_column column);

/** audit_cell_write() - append the cell, printable */
void audit_cell_write(const struct audit_row *row, enum audit_by by,
		      enum audit_column column, struct text *out);

/** audit_write_bytes() - "999", "1.2K", "34M" */
void audit_write_bytes(uint64_t bytes, struct text *out);

#endif
