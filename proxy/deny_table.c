/* SPDX-License-Identifier: MIT */
/* deny_table: refused destinations, each once, for the summary after a run. */
#include "deny_table.h"

#include <stdlib.h>
#include <string.h>

static void count_up(uint32_t *counter)
{
	if (*counter < UINT32_MAX)
		(*counter)++;
}

static int add_entry(struct deny_table *table, const char *destination,
		     const char *flag)
{
	if (table->entries == NULL)
		table->entries =
			calloc(DENY_TABLE_MAX, sizeof(*table->entries));
	if (table->entries == NULL)
		return -1;
	struct deny_entry *entry = &table->entries[table->count];
	entry->destination = strdup(destination);
	entry->flag = strdup(flag);
	if (entry->destination == NULL || entry->flag == NULL) {
		free(entry->destination);
		free(entry->flag);
		*entry = (struct deny_entry){0};
		return -1;
	}
	entry->count = 1;
	table->count++;
	return 0;
}

void deny_table_add(struct deny_table *table, const char *destination,
		    const char *flag)
{
	for (size_t i = 0; i < table->count; i++) {
		if (strcmp(table->entries[i].destination, destination) != 0)
			continue;
		count_up(&table->entries[i].count);
		return;
	}
	if (table->count >= DENY_TABLE_MAX ||
	    add_entry(table, destination, flag) != 0)
		count_up(&table->others);
}

void deny_table_clear(struct deny_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		free(table->entries[i].destination);
		free(table->entries[i].flag);
	}
	free(table->entries);
	*table = (struct deny_table){0};
}
