/* SPDX-License-Identifier: MIT */
/* audit_diff: destinations of one run that another did not have. */
#include "audit_diff.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit_source.h"
#include "audit_table.h"

/**
 * struct side - one of the two
 * @list:	its rows, the caller's order
 */
struct side {
	struct audit_rows *rows;
	const struct audit_row **list;
	size_t count;
};

static int take(const struct audit_entry *entry, void *arg)
{
	return audit_rows_add(arg, entry);
}

static int read_side(struct side *side, const struct audit_options *options,
		     const char *source, struct diag *diag)
{
	side->rows = audit_rows_new(AUDIT_BY_DESTINATION);
	if (side->rows == NULL) {
		diag_set(diag, "out of memory");
		return -1;
	}
	if (audit_source_read(options, source, take, side->rows, diag) != 0)
		return -1;
	side->list = audit_rows_sorted(side->rows, &side->count);
	if (side->list == NULL)
		diag_set(diag, "out of memory");
	return side->list == NULL ? -1 : 0;
}

static void clear_side(struct side *side)
{
	free(side->list);
	audit_rows_free(side->rows);
}

static int compare_keys(const void *a, const void *b)
{
	const struct audit_row *x = *(const struct audit_row *const *)a;
	const struct audit_row *y = *(const struct audit_row *const *)b;
	size_t len = x->key.len < y->key.len ? x->key.len : y->key.len;
	int order = memcmp(x->key.at, y->key.at, len);

	return order != 0
		       ? order
		       : (x->key.len > y->key.len) - (x->key.len < y->key.len);
}

/* Leaves in @after what @before has not. */
static void keep_new(struct side *after, struct side *before)
{
	size_t kept = 0;

	qsort(before->list, before->count, sizeof(struct audit_row *),
	      compare_keys);
	for (size_t i = 0; i < after->count; i++)
		if (bsearch(&after->list[i], before->list, before->count,
			    sizeof(struct audit_row *), compare_keys) == NULL)
			after->list[kept++] = after->list[i];
	after->count = kept;
}

static void print(const struct audit_options *options, const struct side *side)
{
	struct audit_style style = audit_style_of(stdout);

	if (options->format == AUDIT_FORMAT_JSON)
		audit_json_print(stdout, AUDIT_BY_DESTINATION, side->list,
				 side->count);
	else if (options->format == AUDIT_FORMAT_CSV)
		audit_csv_print(stdout, AUDIT_BY_DESTINATION, side->list,
				side->count);
	else if (side->count == 0)
		printf("no new destination\n");
	else
		audit_table_print(stdout, &style, AUDIT_BY_DESTINATION,
				  side->list, side->count);
}

int audit_diff(const struct audit_options *options, struct diag *diag)
{
	struct side before = {0}, after = {0};
	int rc = read_side(&before, options, options->sources[0], diag);

	if (rc == 0)
		rc = read_side(&after, options, options->sources[1], diag);
	if (rc == 0) {
		keep_new(&after, &before);
		print(options, &after);
		rc = after.count > 0 ? 1 : 0;
		if (fflush(stdout) != 0) {
			diag_set(diag, "standard output: %s", strerror(errno));
			rc = -1;
		}
	}
	clear_side(&before);
	clear_side(&after);
	return rc;
}
