/* SPDX-License-Identifier: MIT */
/* audit_spans: minutes joined to hours or days, so that a table stays short. */
#include "audit_spans.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Of "2025-12-01T10:30", what two rows of one span have in common. */
static const size_t spans[] = {16, 13, 10};

static bool is_same_span(const struct audit_row *a, const struct audit_row *b,
			 size_t len)
{
	return a->key.len >= len && b->key.len >= len &&
	       memcmp(a->key.at, b->key.at, len) == 0;
}

static size_t count_spans(const struct audit_row *const *rows, size_t count,
			  size_t len)
{
	size_t sum = 0;

	for (size_t i = 0; i < count; i++)
		if (i == 0 || !is_same_span(rows[i - 1], rows[i], len))
			sum++;
	return sum;
}

static void join(struct audit_row *to, const struct audit_row *row)
{
	for (size_t i = 0; i < AUDIT_OUTCOME_COUNT; i++)
		to->counts[i] += row->counts[i];
	to->bytes_up += row->bytes_up;
	to->bytes_down += row->bytes_down;
	if (row->last_ms > to->last_ms)
		to->last_ms = row->last_ms;
	if (row->process_count > 0 && to->process_count == 0) {
		memcpy(to->processes, row->processes, sizeof(to->processes));
		to->process_count = row->process_count;
	} else if (row->process_count > 0) {
		to->has_more = true;
	}
}

int audit_spans_merge(const struct audit_row **rows, size_t *count,
		      struct audit_row **joined_out)
{
	struct audit_row *joined = calloc(*count + 1, sizeof(*joined));
	size_t level = 0, used = 0;

	if (joined == NULL)
		return -ENOMEM;
	while (level + 1 < sizeof(spans) / sizeof(spans[0]) &&
	       count_spans(rows, *count, spans[level]) > AUDIT_SPANS_MAX)
		level++;
	for (size_t i = 0; i < *count; i++) {
		if (used > 0 &&
		    is_same_span(&joined[used - 1], rows[i], spans[level])) {
			join(&joined[used - 1], rows[i]);
			continue;
		}
		joined[used] = *rows[i];
		if (joined[used].key.len > spans[level])
			joined[used].key.len = spans[level];
		used++;
	}
	for (size_t i = 0; i < used; i++)
		rows[i] = &joined[i];
	*count = used;
	*joined_out = joined;
	return 0;
}
