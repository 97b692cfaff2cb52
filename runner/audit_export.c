/* SPDX-License-Identifier: MIT */
/* audit_export: rows as JSON Lines and as CSV. */
#include <inttypes.h>
#include <string.h>

#include "audit_cell.h"
#include "audit_table.h"
#include "audit_time.h"
#include "text.h"

/* Six characters for a byte that is escaped, of the longest texts. */
#define EXPORT_BYTES 65536

static const char *const key_names[] = {
	[AUDIT_BY_DESTINATION] = "destination",
	[AUDIT_BY_HOST] = "host",
	[AUDIT_BY_PROCESS] = "process",
	[AUDIT_BY_RULE] = "rule",
	[AUDIT_BY_TIME] = "time",
	[AUDIT_BY_RUN] = "run",
};

static void add_number(struct text *t, const char *key, uint64_t value)
{
	text_addf(t, ",\"%s\":%" PRIu64, key, value);
}

static void add_words(struct text *t, const char *key, struct audit_words words)
{
	text_addf(t, ",\"%s\":", key);
	text_add_json(t, words.len > 0 ? words.at : "", words.len);
}

static void add_time(struct text *t, const char *key, uint64_t ms)
{
	char buf[AUDIT_TIME_BYTES];

	audit_time_format(ms, buf);
	text_addf(t, ",\"%s\":\"%s\"", key, buf);
}

static void add_destination(struct text *t, const struct audit_row *row)
{
	add_words(t, "host", row->host);
	if (row->port != 0)
		add_number(t, "port", row->port);
	text_addf(t, ",\"verdict\":\"%s\"", audit_outcome_text(row->outcome));
	if (row->reason.len > 0)
		add_words(t, "reason", row->reason);
}

static void write_json(struct text *t, enum audit_by by,
		       const struct audit_row *row)
{
	text_addf(t, "{\"%s\":", key_names[by]);
	text_add_json(t, row->key.at, row->key.len);
	if (by == AUDIT_BY_DESTINATION)
		add_destination(t, row);
	add_number(t, "count", audit_row_count(row));
	for (size_t i = 0; i < AUDIT_OUTCOME_COUNT; i++)
		add_number(t, audit_outcome_text((enum audit_outcome)i),
			   row->counts[i]);
	add_number(t, "bytes_up", row->bytes_up);
	add_number(t, "bytes_down", row->bytes_down);
	add_time(t, "first", row->first_ms);
	add_time(t, "last", row->last_ms);
	text_add(t, ",\"processes\":[");
	for (size_t i = 0; i < row->process_count; i++) {
		text_add(t, i > 0 ? "," : "");
		text_add_json(t, row->processes[i].at, row->processes[i].len);
	}
	text_addf(t, "],\"more_processes\":%s}\n",
		  row->has_more ? "true" : "false");
}

void audit_json_print(FILE *stream, enum audit_by by,
		      const struct audit_row *const *rows, size_t count)
{
	char buf[EXPORT_BYTES];
	struct text t;

	for (size_t i = 0; i < count; i++) {
		text_init(&t, buf, sizeof(buf));
		write_json(&t, by, rows[i]);
		(void)fputs(buf, stream);
	}
}

static void put_field(FILE *stream, const char *text)
{
	bool is_formula =
		text[0] != '\0' && strchr("=+-@\t\r", text[0]) != NULL;

	if (!is_formula && strpbrk(text, ",\"\r\n") == NULL) {
		(void)fputs(text, stream);
		return;
	}
	(void)fputc('"', stream);
	if (is_formula)
		(void)fputc('\'', stream);
	for (; *text != '\0'; text++) {
		if (*text == '"')
			(void)fputc('"', stream);
		(void)fputc(*text, stream);
	}
	(void)fputc('"', stream);
}

static void put_words(FILE *stream, struct audit_words words)
{
	char buf[EXPORT_BYTES];
	struct text t;

	text_init(&t, buf, sizeof(buf));
	text_add_printable(&t, words.len > 0 ? words.at : "", words.len);
	put_field(stream, buf);
}

static void put_row(FILE *stream, enum audit_by by, const struct audit_row *row)
{
	char first[AUDIT_TIME_BYTES], last[AUDIT_TIME_BYTES];
	char buf[AUDIT_CELL_BYTES];
	struct text t;

	put_words(stream, row->key);
	if (by == AUDIT_BY_DESTINATION) {
		(void)fprintf(stream, ",%s,", audit_outcome_text(row->outcome));
		put_words(stream, row->reason);
	}
	for (size_t i = 0; i < AUDIT_OUTCOME_COUNT; i++)
		(void)fprintf(stream, ",%" PRIu64, row->counts[i]);
	audit_time_format(row->first_ms, first);
	audit_time_format(row->last_ms, last);
	(void)fprintf(stream, ",%" PRIu64 ",%" PRIu64 ",%s,%s,", row->bytes_up,
		      row->bytes_down, first, last);
	text_init(&t, buf, sizeof(buf));
	audit_cell_write(row, by, AUDIT_COLUMN_PROCESS, &t);
	put_field(stream, buf);
	(void)fputs("\r\n", stream);
}

void audit_csv_print(FILE *stream, enum audit_by by,
		     const struct audit_row *const *rows, size_t count)
{
	(void)fprintf(stream,
		      "%s%s,denied,failed,observed,allowed,bytes_up,"
		      "bytes_down,first,last,processes\r\n",
		      key_names[by],
		      by == AUDIT_BY_DESTINATION ? ",verdict,reason" : "");
	for (size_t i = 0; i < count; i++)
		put_row(stream, by, rows[i]);
}
