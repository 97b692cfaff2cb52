/* SPDX-License-Identifier: MIT */
/*
 * registry: which runs there are.
 *
 * How it works: a run writes one small file after GO, when its command runs
 * already, and removes it at its end; a run whose runner was killed is cleaned
 * up after by its gate. What the file names are processes with their start
 * times, so an entry whose runner is gone is recognised, whoever has its number
 * now. Files are the user's own, in a folder of the user's own.
 */
#ifndef REGISTRY_H
#define REGISTRY_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit.h"
#include "process_id.h"

#define REGISTRY_MAX_RUNS 512

/**
 * struct registry_entry - a run, as it stands in its file
 * @run:	its id
 * @name:	the command's first word; arguments may hold secrets
 * @audit:	where its records go
 * @pid_ns:	inode of the sandbox's pid namespace
 * @began_ms:	wall clock
 */
struct registry_entry {
	char magic[16];
	char run[AUDIT_RUN_ID_BYTES];
	char name[128];
	char audit[PATH_MAX];
	struct process_id runner;
	struct process_id command;
	uint64_t pid_ns;
	uint64_t began_ms;
};

#define REGISTRY_NAME_BYTES (AUDIT_RUN_ID_BYTES + 8)

/** registry_name() - of a run's file */
void registry_name(const char *run, char name_out[static REGISTRY_NAME_BYTES]);

/** registry_add() - write it as @name in @folder; fills in @magic. Return: 0 or
 * -errno. */
int registry_add(int folder, const char *name, struct registry_entry *entry)
	__attribute__((warn_unused_result));

/**
 * registry_list() - the runs that there are, oldest first
 * @entries_out: at most @max of them
 *
 * Files of runs that are no more are removed.
 *
 * Return: how many.
 */
size_t registry_list(struct registry_entry *entries_out, size_t max);

/**
 * registry_find() - by id, by the beginning of it, or by its last eight digits
 * Return: how many fit; *entry_out is the first.
 */
size_t registry_find(const char *name, struct registry_entry *entry_out);

#endif
