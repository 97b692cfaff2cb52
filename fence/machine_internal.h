/* SPDX-License-Identifier: MIT */
/* machine_internal: the parts of machine.c, for each other. */
#ifndef MACHINE_INTERNAL_H
#define MACHINE_INTERNAL_H

#include "fence_facts.h"
#include "fence_query.h"
#include "policy.h"

/**
 * machine_real() - every link of @path followed; the part that does not exist
 * stays as written
 * Return: in @arena, or NULL when out of memory.
 */
const char *machine_real(struct arena *arena, const char *path);

/** machine_fill_paths() - look at each of @asked. Return: 0 or -ENOMEM. */
int machine_fill_paths(struct fence_facts *facts, const char *const *asked,
		       size_t count) __attribute__((warn_unused_result));

/** machine_fill_kernel() - Landlock and the mount points. Return: 0 or -errno.
 */
int machine_fill_kernel(struct fence_facts *facts)
	__attribute__((warn_unused_result));

/** machine_fill_sockets() - Unix sockets of the host; after the paths. Return:
 * 0 or -errno. */
int machine_fill_sockets(struct fence_facts *facts, const struct policy *policy)
	__attribute__((warn_unused_result));

/**
 * machine_fill_links() - links on the way to @own (NULL-terminated, or NULL);
 * after the paths
 * Return: 0 or -ENOMEM.
 */
int machine_fill_links(struct fence_facts *facts, const char *const *own)
	__attribute__((warn_unused_result));

/** machine_find_interpreter() - facts->interpreter; after the paths */
void machine_find_interpreter(struct fence_facts *facts,
			      const struct fence_query *query);

/** machine_fill_account() - user, group, account_home. Return: 0 or -errno. */
int machine_fill_account(struct fence_facts *facts)
	__attribute__((warn_unused_result));

#endif
