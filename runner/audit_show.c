/* SPDX-License-Identifier: MIT */
/* audit_show: the records, counted and printed. */
#include "audit_show.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit_source.h"
#include "audit_spans.h"
#include "audit_table.h"
#include "audit_time.h"
#include "text.h"

#define NAME_BYTES 512

/**
 * struct seen - what was read
 * @starts:	runs that began; of the first: @run, @command
 * @exits:	runs that ended; of the last: @exit_code
 */
struct seen {
	struct audit_rows *rows;
	uint64_t starts;
	uint64_t exits;
	int64_t exit_code;
	uint64_t began_ms;
	char run[NAME_BYTES];
	char command[NAME_BYTES];
};

static void copy_printable(struct audit_words words,
			   char out[static NAME_BYTES])
{
	struct text t;

	text_init(&t, out, NAME_BYTES);
	if (words.len > 0)
		text_add_printable(&t, words.at, words.len);
}

static int take(const struct audit_entry *entry, void *arg)
{
	struct seen *seen = arg;

	if (entry->event == AUDIT_RUN_START && seen->starts++ == 0) {
		copy_printable(entry->run, seen->run);
		copy_printable(entry->argv0, seen->command);
		seen->began_ms = entry->ts_ms;
	} else if (entry->event == AUDIT_RUN_EXIT) {
		seen->exits++;
		seen->exit_code = entry->exit_code;
	}
	return audit_rows_add(seen->rows, entry);
}

static void print_head(const struct seen *seen)
{
	char when[AUDIT_TIME_BYTES];

	if (seen->starts == 0)
		return;
	if (seen->starts > 1) {
		printf("%" PRIu64 " runs\n\n", seen->starts);
		return;
	}
	audit_time_format_local(seen->began_ms, when);
	printf("run %s: %s, %s, ", seen->run, seen->command, when);
	if (seen->exits > 0)
		printf("exit code %" PRId64 "\n\n", seen->exit_code);
	else
		printf("without an end: still running, or killed\n\n");
}

static void print_rows(const struct audit_options *options,
		       const struct seen *seen,
		       const struct audit_row *const *rows, size_t count)
{
	struct audit_style style = audit_style_of(stdout);

	switch (options->format) {
	case AUDIT_FORMAT_JSON:
		audit_json_print(stdout, options->by, rows, count);
		break;
	case AUDIT_FORMAT_CSV:
		audit_csv_print(stdout, options->by, rows, count);
		break;
	case AUDIT_FORMAT_TABLE:
		if (options->by != AUDIT_BY_RUN)
			print_head(seen);
		if (count > 0)
			audit_table_print(stdout, &style, options->by, rows,
					  count);
		else
			printf("no connection was tried%s\n",
			       options->denied ? " that was denied" : "");
		break;
	}
}

static int print(const struct audit_options *options, const struct seen *seen,
		 struct diag *diag)
{
	size_t count;
	const struct audit_row **rows = audit_rows_sorted(seen->rows, &count);
	struct audit_row *spans = NULL;
	int rc = rows == NULL ? -ENOMEM : 0;

	if (rc == 0 && options->by == AUDIT_BY_TIME &&
	    options->format == AUDIT_FORMAT_TABLE)
		rc = audit_spans_merge(rows, &count, &spans);
	if (rc == 0)
		print_rows(options, seen, rows, count);
	uint64_t left = audit_rows_left_out(seen->rows);
	if (left > 0)
		(void)fprintf(stderr,
			      "exeat audit: warning: more than %d different "
			      "rows; %" PRIu64 " records are not shown\n",
			      AUDIT_ROWS_MAX, left);
	free(rows);
	free(spans);
	if (rc == 0 && fflush(stdout) != 0)
		rc = -errno;
	if (rc != 0)
		diag_set(diag, "standard output: %s", strerror(-rc));
	return rc == 0 ? 0 : -1;
}

int audit_show(const struct audit_options *options, struct diag *diag)
{
	struct seen seen = {.rows = audit_rows_new(options->by)};
	int rc = -1;

	if (seen.rows == NULL)
		diag_set(diag, "out of memory");
	else
		rc = audit_source_read(options, options->sources[0], take,
				       &seen, diag);
	if (rc == 0)
		rc = print(options, &seen, diag);
	audit_rows_free(seen.rows);
	return rc;
}
