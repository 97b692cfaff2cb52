/* SPDX-License-Identifier: MIT */
/* run_use: what a run is doing and taking at the moment. */
#ifndef RUN_USE_H
#define RUN_USE_H

#include <stddef.h>
#include <stdint.h>

#include "registry.h"

/**
 * struct run_use - of all processes of its sandbox together
 * @tunnels:	connections that were let through and are open
 * @denied:	attempts that were denied
 */
struct run_use {
	unsigned int processes;
	uint64_t cpu_ms;
	uint64_t memory_kib;
	unsigned int tunnels;
	unsigned int denied;
};

/** run_use_look() - @uses_out: @count of them, one for each of @entries */
void run_use_look(const struct registry_entry *entries, size_t count,
		  struct run_use *uses_out);

/** run_use_each() - call @one for every process of a run's sandbox */
void run_use_each(const struct registry_entry *entry,
		  void (*one)(pid_t pid, void *arg), void *arg);

#endif
