/* SPDX-License-Identifier: MIT */
/* audit_wish: destinations that a policy should allow, joined to few rules. */
#ifndef AUDIT_WISH_H
#define AUDIT_WISH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit_rows.h"
#include "decision.h"
#include "hostname.h"
#include "netaddr.h"

/**
 * struct audit_wish - one destination, or all names below one
 * @is_below:	@host stands for every name below it; @siblings were seen
 * @is_address:	@address was asked for, and @host counts for nothing
 * @needs_answer: @host must get @address by a fixed answer
 * @was_denied:	it is wished for although it was denied
 * @by_rule:	a deny rule refused it: no allow rule helps
 * @is_covered:	a wish for all names below its parent has it
 */
struct audit_wish {
	struct hostname host;
	struct netaddr address;
	bool has_address;
	bool is_below;
	bool is_address;
	bool is_private;
	bool needs_answer;
	bool was_denied;
	bool by_rule;
	bool is_covered;
	uint16_t port;
	enum rule_protocol protocol;
	uint64_t siblings;
	uint64_t count;
	uint64_t bytes_up;
	uint64_t bytes_down;
	const struct audit_row *row; /* for the processes */
};

/** struct audit_wishes - starts zeroed */
struct audit_wishes {
	struct audit_wish *items;
	size_t count;
	size_t room;
};

void audit_wishes_clear(struct audit_wishes *wishes);

/**
 * audit_wishes_add() - what a row would need
 *
 * Rows of one destination become one wish. What no rule can name (neither a
 * canonical name nor an address, no port) is left out.
 *
 * Return: 1: added; 0: left out; -ENOMEM.
 */
int audit_wishes_add(struct audit_wishes *wishes, const struct audit_row *row)
	__attribute__((warn_unused_result));

/**
 * audit_wishes_join() - sort, make one of equal ones, and a wildcard where at
 * least @siblings names stand directly below one that is neither a public
 * suffix nor shared by many
 * Return: 0 or -ENOMEM.
 */
int audit_wishes_join(struct audit_wishes *wishes, uint64_t siblings)
	__attribute__((warn_unused_result));

/** audit_wish_is_like() - the same host, and nothing but the port differs */
bool audit_wish_is_like(const struct audit_wish *a, const struct audit_wish *b);

/** audit_wish_suffix() - "", "/tcp", ...: what its rule needs behind the port
 */
const char *audit_wish_suffix(const struct audit_wish *wish);

#endif
