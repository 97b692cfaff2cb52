/* SPDX-License-Identifier: MIT */
/* audit_cell: what stands in one cell of a table of rows. */
#include "audit_cell.h"

#include "audit_time.h"

static const char *const titles[] = {
	[AUDIT_COLUMN_VERDICT] = "VERDICT", [AUDIT_COLUMN_COUNT] = "COUNT",
	[AUDIT_COLUMN_ALLOWED] = "ALLOWED", [AUDIT_COLUMN_DENIED] = "DENIED",
	[AUDIT_COLUMN_FAILED] = "FAILED",   [AUDIT_COLUMN_UP] = "UP",
	[AUDIT_COLUMN_DOWN] = "DOWN",       [AUDIT_COLUMN_FIRST] = "FIRST",
	[AUDIT_COLUMN_LAST] = "LAST",       [AUDIT_COLUMN_PROCESS] = "PROCESS",
};

static const char *const key_titles[] = {
	[AUDIT_BY_DESTINATION] = "DESTINATION", [AUDIT_BY_HOST] = "HOST",
	[AUDIT_BY_PROCESS] = "PROCESS",         [AUDIT_BY_RULE] = "RULE",
	[AUDIT_BY_TIME] = "TIME (UTC)",         [AUDIT_BY_RUN] = "RUN",
};

bool audit_column_is_shown(enum audit_by by, enum audit_column column)
{
	switch ((int)column) {
	case AUDIT_COLUMN_VERDICT:
	case AUDIT_COLUMN_COUNT:
		return by == AUDIT_BY_DESTINATION;
	case AUDIT_COLUMN_ALLOWED:
	case AUDIT_COLUMN_DENIED:
	case AUDIT_COLUMN_FAILED:
		return by != AUDIT_BY_DESTINATION;
	case AUDIT_COLUMN_PROCESS:
		return by != AUDIT_BY_PROCESS;
	case AUDIT_COLUMN_COUNT_OF:
		return false;
	default:
		return true;
	}
}

bool audit_column_is_number(enum audit_column column)
{
	return column >= AUDIT_COLUMN_COUNT && column <= AUDIT_COLUMN_DOWN;
}

const char *audit_column_title(enum audit_by by, enum audit_column column)
{
	if (column == AUDIT_COLUMN_KEY)
		return key_titles[by];
	return by == AUDIT_BY_RUN && column == AUDIT_COLUMN_PROCESS
		       ? "COMMAND"
		       : titles[column];
}

void audit_write_bytes(uint64_t bytes, struct text *out)
{
	static const char letters[] = "KMGTPE";
	uint64_t unit = 1024;
	size_t at = 0;

	if (bytes < unit) {
		text_add_decimal(out, bytes);
		return;
	}
	while (bytes / 1024 >= unit && at + 2 < sizeof(letters)) {
		unit *= 1024;
		at++;
	}
	uint64_t tenths = bytes / unit * 10 + bytes % unit * 10 / unit;
	if (tenths < 100)
		text_addf(out, "%u.%u%c", (unsigned int)(tenths / 10),
			  (unsigned int)(tenths % 10), letters[at]);
	else
		text_addf(out, "%u%c", (unsigned int)(tenths / 10),
			  letters[at]);
}

static void write_verdict(const struct audit_row *row, struct text *out)
{
	text_add(out, audit_outcome_text(row->outcome));
	if (row->reason.len == 0)
		return;
	/* That no rule allows it is what "denied" means. */
	if (audit_words_are(row->reason,
			    reason_text(REASON_HTTP_REQUEST_DENIED)))
		return;
	text_add(out, ": ");
	text_add_printable(out, row->reason.at, row->reason.len);
}

static void write_time(uint64_t ms, struct text *out)
{
	char buf[AUDIT_TIME_BYTES];

	audit_time_format_local(ms, buf);
	text_add(out, buf);
}

static void write_processes(const struct audit_row *row, struct text *out)
{
	for (size_t i = 0; i < row->process_count; i++) {
		if (i > 0)
			text_add(out, ",");
		text_add_printable(out, row->processes[i].at,
				   row->processes[i].len);
	}
	if (row->has_more)
		text_add(out, ",...");
}

void audit_cell_write(const struct audit_row *row, enum audit_by by,
		      enum audit_column column, struct text *out)
{
	switch (column) {
	case AUDIT_COLUMN_KEY:
		/* A minute needs no seconds. */
		text_add_printable(out, row->key.at,
				   by == AUDIT_BY_TIME && row->key.len > 16
					   ? 16
					   : row->key.len);
		break;
	case AUDIT_COLUMN_VERDICT:
		write_verdict(row, out);
		break;
	case AUDIT_COLUMN_COUNT:
		text_add_decimal(out, audit_row_count(row));
		break;
	case AUDIT_COLUMN_ALLOWED:
		text_add_decimal(out,
				 row->counts[AUDIT_OUTCOME_ALLOWED] +
					 row->counts[AUDIT_OUTCOME_OBSERVED]);
		break;
	case AUDIT_COLUMN_DENIED:
		text_add_decimal(out, row->counts[AUDIT_OUTCOME_DENIED]);
		break;
	case AUDIT_COLUMN_FAILED:
		text_add_decimal(out, row->counts[AUDIT_OUTCOME_FAILED]);
		break;
	case AUDIT_COLUMN_UP:
		audit_write_bytes(row->bytes_up, out);
		break;
	case AUDIT_COLUMN_DOWN:
		audit_write_bytes(row->bytes_down, out);
		break;
	case AUDIT_COLUMN_FIRST:
		write_time(row->first_ms, out);
		break;
	case AUDIT_COLUMN_LAST:
		write_time(row->last_ms, out);
		break;
	case AUDIT_COLUMN_PROCESS:
		write_processes(row, out);
		break;
	case AUDIT_COLUMN_COUNT_OF:
		break;
	}
}
