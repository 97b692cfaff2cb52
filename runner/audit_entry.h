/* SPDX-License-Identifier: MIT */
/* audit_entry: one record as it was read: audit.schema.json as a struct. */
#ifndef AUDIT_ENTRY_H
#define AUDIT_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit.h"
#include "decision.h"

/** struct audit_words - bytes of a record's text, decoded, any value; @at is
 * NULL where the record does not have them */
struct audit_words {
	const char *at;
	size_t len;
};

/**
 * struct audit_entry - one record
 * @seen:	the fields that it has: 1 << index into the table of fields
 * @has_event:	@event is one that this version knows
 * @has_verdict: @verdict counts; @would is the same unless the record says else
 * @pid:	0: not known
 *
 * All text is borrowed from the reader, until its next line.
 */
struct audit_entry {
	uint32_t seen;
	bool has_event;
	bool has_verdict;
	bool has_would;
	bool has_exit_code;
	bool has_ech;
	bool ech;
	enum audit_event event;
	enum verdict verdict;
	enum verdict would;
	uint64_t ts_ms;
	uint64_t seq;
	uint64_t conn;
	uint64_t port;
	uint64_t bytes_up;
	uint64_t bytes_down;
	uint64_t duration_ms;
	int64_t pid;
	int64_t exit_code;
	struct audit_words run;
	struct audit_words reason;
	struct audit_words rule;
	struct audit_words via;
	struct audit_words transport;
	struct audit_words host;
	struct audit_words server_name;
	struct audit_words alpn;
	struct audit_words address;
	struct audit_words detail;
	struct audit_words exe;
	struct audit_words argv0;
	struct audit_words process;
};

/** audit_words_are() - the bytes of @text, and nothing else */
bool audit_words_are(struct audit_words words, const char *text);

/** audit_words_equal() - the same bytes */
bool audit_words_equal(struct audit_words a, struct audit_words b);

/* --- filling one: for those that parse lines */

/**
 * audit_field_expect() - the field whose "KEY": stands at @text
 * @hint:	the index after the last one found: records are written in one
 *		order
 * @used_out:	bytes of it, quotes and colon included
 * Return: its index, or -1: none that comes after @hint.
 */
int audit_field_expect(const char *text, size_t len, int hint, size_t *used_out)
	__attribute__((warn_unused_result));

/** audit_field_find() - by key, first those after @hint. Return: its index, or
 * -1. */
int audit_field_find(struct audit_words key, int hint);

/**
 * audit_field_set_words() - a string as the value of field @index
 * Return: false: the field takes no string, or not this one.
 */
bool audit_field_set_words(struct audit_entry *entry, int index,
			   struct audit_words words)
	__attribute__((warn_unused_result));

/** audit_field_set_number() - @is_negative: it is -@value. Return: as above. */
bool audit_field_set_number(struct audit_entry *entry, int index,
			    bool is_negative, uint64_t value)
	__attribute__((warn_unused_result));

/** audit_field_set_flag() - true or false. Return: as above. */
bool audit_field_set_flag(struct audit_entry *entry, int index, bool value)
	__attribute__((warn_unused_result));

/** audit_field_set_null() - Return: false: the field cannot be null. */
bool audit_field_set_null(struct audit_entry *entry, int index)
	__attribute__((warn_unused_result));

/** audit_entry_is_whole() - it has what every record has */
bool audit_entry_is_whole(const struct audit_entry *entry);

#endif
