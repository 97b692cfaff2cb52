/* SPDX-License-Identifier: MIT */
/* deny_table: refused destinations, each once, for the summary after a run. */
#ifndef DENY_TABLE_H
#define DENY_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* Further destinations are counted, not kept. */
#define DENY_TABLE_MAX 64

/**
 * struct deny_entry - one destination
 * @destination: "HOST:PORT", printable
 * @flag:	the flag that would allow it, or ""
 */
struct deny_entry {
	char *destination;
	char *flag;
	uint32_t count;
};

/** struct deny_table - starts zeroed; @others counts what found no room */
struct deny_table {
	struct deny_entry *entries;
	size_t count;
	uint32_t others;
};

/** deny_table_add() - count a refusal; out of memory counts under @others */
void deny_table_add(struct deny_table *table, const char *destination,
		    const char *flag);

/** deny_table_clear() - free all entries */
void deny_table_clear(struct deny_table *table);

#endif
