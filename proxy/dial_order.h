/* SPDX-License-Identifier: MIT */
/* dial_order: in which order addresses are tried (RFC 8305 s4). */
#ifndef DIAL_ORDER_H
#define DIAL_ORDER_H

#include <stddef.h>

#include "netaddr.h"

/* More addresses than this of one name are not looked at. */
#define DIAL_ORDER_MAX 32

/**
 * dial_order_interleave() - take turns between the families
 * @addrs:	@count of them, at most DIAL_ORDER_MAX; put in order in place
 *
 * IPv6 first where there is any, then alternating; within a family the given
 * order stays. What is left of the longer family comes last. Duplicates are
 * removed: no address is dialled twice.
 *
 * Return: addresses left.
 */
size_t dial_order_interleave(struct netaddr *addrs, size_t count);

#endif
