/* SPDX-License-Identifier: MIT */
/* audit_rows: records counted into rows, one a destination, host, process, ...
 */
#include "audit_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "audit_key.h"
#include "text.h"

#define FIRST_BUCKETS 1024
/* Open connections that are remembered; beyond, a refused hello counts twice.
 */
#define OPEN_SLOTS  65536
#define OPEN_PROBES 8

/**
 * struct open_connection - @id: of run and connection, 0: none
 */
struct open_connection {
	uint64_t id;
	uint64_t destination;
	struct audit_row *row;
};

struct audit_rows {
	enum audit_by by;
	struct arena arena;
	struct audit_row **buckets;
	size_t bucket_count;
	size_t count;
	uint64_t left_out;
	struct open_connection *open;
};

struct audit_rows *audit_rows_new(enum audit_by by)
{
	struct audit_rows *rows = calloc(1, sizeof(*rows));

	if (rows == NULL)
		return NULL;
	rows->by = by;
	rows->bucket_count = FIRST_BUCKETS;
	rows->buckets = calloc(FIRST_BUCKETS, sizeof(struct audit_row *));
	rows->open = calloc(OPEN_SLOTS, sizeof(*rows->open));
	if (rows->buckets != NULL && rows->open != NULL)
		return rows;
	audit_rows_free(rows);
	return NULL;
}

void audit_rows_free(struct audit_rows *rows)
{
	if (rows == NULL)
		return;
	arena_clear(&rows->arena);
	free(rows->buckets);
	free(rows->open);
	free(rows);
}

uint64_t audit_rows_left_out(const struct audit_rows *rows)
{
	return rows->left_out;
}

static int keep(struct audit_rows *rows, struct audit_words words,
		struct audit_words *kept)
{
	char *copy = arena_strndup(&rows->arena, words.len > 0 ? words.at : "",
				   words.len);

	if (copy == NULL)
		return -ENOMEM;
	*kept = (struct audit_words){.at = copy, .len = words.len};
	return 0;
}

/* Twice the buckets; where there is no memory, chains get longer. */
static void grow(struct audit_rows *rows)
{
	size_t count = rows->bucket_count * 2;
	struct audit_row **buckets = calloc(count, sizeof(struct audit_row *));

	if (buckets == NULL)
		return;
	for (size_t i = 0; i < rows->bucket_count; i++) {
		struct audit_row *next;

		for (struct audit_row *row = rows->buckets[i]; row != NULL;
		     row = next) {
			next = row->next;
			row->next = buckets[row->hash % count];
			buckets[row->hash % count] = row;
		}
	}
	free(rows->buckets);
	rows->buckets = buckets;
	rows->bucket_count = count;
}

static bool is_row(const struct audit_rows *rows, const struct audit_row *row,
		   const struct audit_key *key)
{
	return row->hash == key->hash &&
	       audit_words_equal(row->key, key->words) &&
	       (rows->by != AUDIT_BY_DESTINATION ||
		(row->outcome == key->outcome &&
		 audit_words_equal(row->reason, key->reason)));
}

static int add_row(struct audit_rows *rows, const struct audit_key *key,
		   const struct audit_entry *entry, struct audit_row **row_out)
{
	struct audit_row *row = arena_alloc(&rows->arena, sizeof(*row));

	if (row == NULL || keep(rows, key->words, &row->key) != 0 ||
	    keep(rows, key->reason, &row->reason) != 0 ||
	    keep(rows, entry->host, &row->host) != 0)
		return -ENOMEM;
	if (rows->count >= rows->bucket_count)
		grow(rows);
	row->hash = key->hash;
	row->outcome = key->outcome;
	row->port = entry->port;
	row->first_ms = row->last_ms = entry->ts_ms;
	row->next = rows->buckets[row->hash % rows->bucket_count];
	rows->buckets[row->hash % rows->bucket_count] = row;
	rows->count++;
	*row_out = row;
	return 0;
}

/* The row of a record, new where need be; NULL: there is no room for one. */
static int find_row(struct audit_rows *rows, const struct audit_entry *entry,
		    struct audit_row **row_out)
{
	struct audit_key key;

	audit_key_of(rows->by, entry, &key);
	for (struct audit_row *row =
		     rows->buckets[key.hash % rows->bucket_count];
	     row != NULL; row = row->next) {
		*row_out = row;
		if (is_row(rows, row, &key))
			return 0;
	}
	*row_out = NULL;
	if (rows->count < AUDIT_ROWS_MAX)
		return add_row(rows, &key, entry, row_out);
	rows->left_out++;
	return 0;
}

/* The slot of a connection, or one that it may have; the first of a crowd
 * gives way. */
static struct open_connection *find_open(struct audit_rows *rows, uint64_t id)
{
	struct open_connection *first = &rows->open[id % OPEN_SLOTS];
	struct open_connection *empty = NULL;

	for (uint64_t i = 0; i < OPEN_PROBES; i++) {
		struct open_connection *at = &rows->open[(id + i) % OPEN_SLOTS];

		if (at->id == id)
			return at;
		if (at->id == 0 && empty == NULL)
			empty = at;
	}
	return empty != NULL ? empty : first;
}

static void follow_connection(struct audit_rows *rows,
			      const struct audit_entry *entry,
			      struct audit_row *row)
{
	if (entry->conn == 0)
		return;
	uint64_t id = audit_key_connection(entry);
	struct open_connection *open = find_open(rows, id);
	bool is_same = open->id == id &&
		       open->destination == audit_key_destination(entry);

	if (entry->event == AUDIT_CLOSE) {
		if (open->id == id)
			open->id = 0;
		return;
	}
	if (entry->verdict == VERDICT_ALLOW) {
		*open = (struct open_connection){
			.id = id,
			.destination = audit_key_destination(entry),
			.row = row,
		};
		return;
	}
	/* Its ClientHello was refused: it was never really allowed. */
	if (is_same && open->row->counts[AUDIT_OUTCOME_ALLOWED] > 0)
		open->row->counts[AUDIT_OUTCOME_ALLOWED]--;
	else if (is_same && open->row->counts[AUDIT_OUTCOME_OBSERVED] > 0)
		open->row->counts[AUDIT_OUTCOME_OBSERVED]--;
	if (open->id == id)
		open->id = 0;
}

static int add_process(struct audit_rows *rows, struct audit_row *row,
		       struct audit_words process)
{
	if (process.len == 0)
		return 0;
	for (size_t i = 0; i < row->process_count; i++)
		if (audit_words_equal(row->processes[i], process))
			return 0;
	if (row->process_count == AUDIT_ROW_PROCESSES) {
		row->has_more = true;
		return 0;
	}
	return keep(rows, process, &row->processes[row->process_count++]);
}

static void add_bytes(uint64_t *sum, uint64_t bytes)
{
	*sum = *sum > UINT64_MAX - bytes ? UINT64_MAX : *sum + bytes;
}

static unsigned int facts_of(const struct audit_entry *entry)
{
	unsigned int facts = entry->rule.at != NULL ? AUDIT_FACT_RULE : 0;

	if (audit_words_are(entry->via, "http"))
		return facts | AUDIT_FACT_HTTP;
	if (entry->event != AUDIT_CLOSE)
		return facts;
	if (entry->has_ech &&
	    audit_words_equal(entry->server_name, entry->host))
		return facts | AUDIT_FACT_TLS;
	if (entry->bytes_up > 0 || entry->bytes_down > 0)
		facts |= AUDIT_FACT_OTHER;
	return facts;
}

static void add_facts(struct audit_row *row, const struct audit_entry *entry)
{
	row->facts |= facts_of(entry);
	if (entry->address.len > 0 &&
	    entry->address.len < sizeof(row->address)) {
		memcpy(row->address, entry->address.at, entry->address.len);
		row->address[entry->address.len] = '\0';
	}
}

int audit_rows_add(struct audit_rows *rows, const struct audit_entry *entry)
{
	bool is_attempt = audit_entry_is_attempt(entry);
	struct audit_row *row;

	if (!is_attempt &&
	    !(entry->event == AUDIT_CLOSE && entry->has_verdict) &&
	    !(rows->by == AUDIT_BY_RUN && entry->event == AUDIT_RUN_START))
		return 0;
	int rc = find_row(rows, entry, &row);
	if (rc != 0 || row == NULL)
		return rc;
	if (entry->ts_ms < row->first_ms)
		row->first_ms = entry->ts_ms;
	if (entry->ts_ms > row->last_ms)
		row->last_ms = entry->ts_ms;
	if (is_attempt)
		row->counts[audit_outcome_of(entry)]++;
	add_bytes(&row->bytes_up, entry->bytes_up);
	add_bytes(&row->bytes_down, entry->bytes_down);
	add_facts(row, entry);
	follow_connection(rows, entry, row);
	return add_process(rows, row, audit_process_of(entry));
}

uint64_t audit_row_count(const struct audit_row *row)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < AUDIT_OUTCOME_COUNT; i++)
		sum += row->counts[i];
	return sum;
}

static int compare_words(struct audit_words a, struct audit_words b)
{
	size_t len = a.len < b.len ? a.len : b.len;
	int order = memcmp(a.at, b.at, len);

	return order != 0 ? order : (a.len > b.len) - (a.len < b.len);
}

static int compare_rows(const void *a, const void *b)
{
	const struct audit_row *x = *(const struct audit_row *const *)a;
	const struct audit_row *y = *(const struct audit_row *const *)b;

	if (x->outcome != y->outcome)
		return x->outcome < y->outcome ? -1 : 1;
	bool x_denied = x->counts[AUDIT_OUTCOME_DENIED] > 0;
	bool y_denied = y->counts[AUDIT_OUTCOME_DENIED] > 0;
	if (x_denied != y_denied)
		return x_denied ? -1 : 1;
	if (audit_row_count(x) != audit_row_count(y))
		return audit_row_count(x) > audit_row_count(y) ? -1 : 1;
	return compare_words(x->key, y->key);
}

static int compare_times(const void *a, const void *b)
{
	const struct audit_row *x = *(const struct audit_row *const *)a;
	const struct audit_row *y = *(const struct audit_row *const *)b;

	if (x->first_ms != y->first_ms)
		return x->first_ms < y->first_ms ? -1 : 1;
	return compare_words(x->key, y->key);
}

const struct audit_row **audit_rows_sorted(const struct audit_rows *rows,
					   size_t *count_out)
{
	bool is_by_time = rows->by == AUDIT_BY_TIME || rows->by == AUDIT_BY_RUN;
	const struct audit_row **list =
		calloc(rows->count + 1, sizeof(struct audit_row *));
	size_t count = 0;

	if (list == NULL)
		return NULL;
	for (size_t i = 0; i < rows->bucket_count; i++)
		for (const struct audit_row *row = rows->buckets[i];
		     row != NULL; row = row->next)
			if (audit_row_count(row) > 0 ||
			    rows->by == AUDIT_BY_RUN)
				list[count++] = row;
	qsort(list, count, sizeof(struct audit_row *),
	      is_by_time ? compare_times : compare_rows);
	*count_out = count;
	return list;
}
