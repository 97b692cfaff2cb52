/* SPDX-License-Identifier: MIT */
/* budget: how many tunnels the descriptors of this process allow. */
#ifndef BUDGET_H
#define BUDGET_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct budget - what may be used
 * @pipes:	kept by the relays, of two descriptors each
 * @tunnels:	served; connections beyond are told that there are too many
 * @connections: accepted; others wait in the backlog
 */
struct budget {
	size_t pipes;
	size_t tunnels;
	size_t connections;
};

/**
 * budget_plan() - use all descriptors that we may have, and plan within them
 * @shares:	processes that have @max_tunnels in common
 *
 * Raises the soft limit of open files to the hard one.
 */
struct budget budget_plan(uint64_t max_tunnels, size_t shares);

/** budget_share() - the part of @limit that one of @shares has, rounded up: no
 * share is nothing; 0 stays 0 */
size_t budget_share(uint64_t limit, size_t shares);

#endif
