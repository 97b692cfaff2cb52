/* SPDX-License-Identifier: MIT */
/* run_entry: a run's own line in the list of runs. */
#ifndef RUN_ENTRY_H
#define RUN_ENTRY_H

#include "registry.h"

/**
 * struct run_entry - a file
 * @folder:	where it is, -1: there is no place for it. A descriptor, because
 *		the gate, which removes what a killed runner leaves, stands in
 *		the sandbox's mount namespace
 */
struct run_entry {
	int folder;
	char name[REGISTRY_NAME_BYTES];
};

/** run_entry_init() - nothing is written */
void run_entry_init(struct run_entry *entry);

/** run_entry_prepare() - where it will be written */
void run_entry_prepare(struct run_entry *entry, const char *run);

/**
 * run_entry_write() - after GO; a run that cannot be listed takes place all the
 * same
 * @command:	the command's process; @name: its first word
 */
void run_entry_write(const struct run_entry *entry, const char *run,
		     const char *audit, pid_t command, const char *name);

/** run_entry_remove() - the run is over */
void run_entry_remove(struct run_entry *entry);

#endif
