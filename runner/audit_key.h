/* SPDX-License-Identifier: MIT */
/* audit_key: what a record is counted under. */
#ifndef AUDIT_KEY_H
#define AUDIT_KEY_H

#include <stdint.h>

#include "audit_entry.h"
#include "audit_rows.h"

/* A host as it is recorded, brackets, colon, port. */
#define AUDIT_KEY_BYTES 1024

/**
 * struct audit_key - under which row a record is counted
 * @words:	borrowed from the record, or in @buf
 */
struct audit_key {
	struct audit_words words;
	enum audit_outcome outcome;
	struct audit_words reason;
	uint64_t hash;
	char buf[AUDIT_KEY_BYTES];
};

void audit_key_of(enum audit_by by, const struct audit_entry *entry,
		  struct audit_key *key_out);

/** audit_key_connection() - one number for run and connection, never 0 */
uint64_t audit_key_connection(const struct audit_entry *entry);

/** audit_key_destination() - one number for host and port */
uint64_t audit_key_destination(const struct audit_entry *entry);

/** audit_key_host() - the host, or the address where there is no host */
struct audit_words audit_key_host(const struct audit_entry *entry);

#endif
