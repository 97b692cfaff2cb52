/* SPDX-License-Identifier: MIT */
/*
 * audit_rows: records counted into rows, one a destination, host, process, ...
 *
 * How it works: a hash table of rows, each of constant size but for its key;
 * what finds no room is counted in a row of its own. A connection counts once:
 * a table of the open ones, of fixed size, says to which row a refused
 * ClientHello has to be moved.
 */
#ifndef AUDIT_ROWS_H
#define AUDIT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit_entry.h"

#define AUDIT_ROWS_MAX      1000000
#define AUDIT_ROW_PROCESSES 4

enum audit_by {
	AUDIT_BY_DESTINATION = 0, /* host and port, and how it was answered */
	AUDIT_BY_HOST,
	AUDIT_BY_PROCESS,
	AUDIT_BY_RULE,
	AUDIT_BY_TIME, /* minutes */
	AUDIT_BY_RUN,
};

/* How an attempt was answered. */
enum audit_outcome {
	AUDIT_OUTCOME_DENIED = 0,
	AUDIT_OUTCOME_FAILED,   /* allowed, but no connection came of it */
	AUDIT_OUTCOME_OBSERVED, /* enforce had denied it */
	AUDIT_OUTCOME_ALLOWED,
	AUDIT_OUTCOME_COUNT,
};

/* What was seen of a destination's connections. */
enum audit_fact {
	AUDIT_FACT_TLS = 1,   /* a ClientHello that names the host */
	AUDIT_FACT_OTHER = 2, /* bytes, but no such hello */
	AUDIT_FACT_HTTP = 4,  /* plain HTTP through the proxy */
	AUDIT_FACT_RULE = 8,  /* a rule was named by the record */
};

/**
 * struct audit_row - what is known of one key
 * @key:	"HOST:PORT", a rule, ...; any bytes
 * @outcome:	part of the key in AUDIT_BY_DESTINATION, as is @reason
 * @host, @port: of the first record
 * @facts:	of enum audit_fact
 * @address:	the last that was dialled or refused, or ""
 * @processes:	the first few; @has_more: there were others
 */
struct audit_row {
	struct audit_row *next;
	uint64_t hash;
	struct audit_words key;
	struct audit_words host;
	uint64_t port;
	unsigned int facts;
	char address[NETADDR_TEXT_BYTES];
	enum audit_outcome outcome;
	struct audit_words reason;
	uint64_t counts[AUDIT_OUTCOME_COUNT];
	uint64_t bytes_up;
	uint64_t bytes_down;
	uint64_t first_ms;
	uint64_t last_ms;
	struct audit_words processes[AUDIT_ROW_PROCESSES];
	size_t process_count;
	bool has_more;
};

struct audit_rows;

/** audit_rows_new() - empty. Return: NULL when out of memory. */
struct audit_rows *audit_rows_new(enum audit_by by);

/** audit_rows_free() - NULL does nothing */
void audit_rows_free(struct audit_rows *rows);

/** audit_rows_add() - count one record. Return: 0 or -ENOMEM. */
int audit_rows_add(struct audit_rows *rows, const struct audit_entry *entry)
	__attribute__((warn_unused_result));

/**
 * audit_rows_sorted() - denials first, then by count; AUDIT_BY_TIME and _RUN
 * by time
 * @count_out:	rows that anything is left in
 * Return: the caller's to free(), pointing into @rows; NULL when out of memory.
 */
const struct audit_row **audit_rows_sorted(const struct audit_rows *rows,
					   size_t *count_out)
	__attribute__((warn_unused_result));

/** audit_rows_left_out() - records that found no room */
uint64_t audit_rows_left_out(const struct audit_rows *rows);

/** audit_outcome_of() - of a record with a verdict */
enum audit_outcome audit_outcome_of(const struct audit_entry *entry);

/** audit_outcome_text() - "denied" */
const char *audit_outcome_text(enum audit_outcome outcome);

/** audit_process_of() - who it was: the file's name, or "gone", "hidden"; empty
 * where the record does not say */
struct audit_words audit_process_of(const struct audit_entry *entry);

/** audit_row_count() - attempts, however they were answered */
uint64_t audit_row_count(const struct audit_row *row);

/** audit_entry_is_attempt() - a decision, in whatever kind of record */
bool audit_entry_is_attempt(const struct audit_entry *entry);

#endif
