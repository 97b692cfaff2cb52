/* SPDX-License-Identifier: MIT */
/*
 * synthetic: addresses that stand for names, so that a connection to one is a
 * connection to that name.
 *
 * How it works: the n-th name gets the n-th address of 198.18.0.0/15 (set aside
 * for benchmarks, RFC 2544: nothing is there) and of fd00:6578:6561:74::/64 (a
 * unique local prefix, RFC 4193). A name keeps its number for the whole run and
 * no number is given twice: an address that a program kept can never come to
 * mean another name. Pure: no I/O, no clock.
 */
#ifndef SYNTHETIC_H
#define SYNTHETIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hostname.h"
#include "netaddr.h"

#define SYNTHETIC_MAX 131070 /* without the first and last of the /15 */

struct synthetic;

/** synthetic_new() - @max names at most, SYNTHETIC_MAX or less; @seed: any
 * number that the names' author does not know.
 * Return: NULL when out of memory. */
struct synthetic *synthetic_new(size_t max, uint32_t seed);

/** synthetic_free() - NULL does nothing */
void synthetic_free(struct synthetic *table);

/**
 * synthetic_add() - the number of a name, from 1 on
 * @is_new_out:	it had none before
 *
 * Return: 0: all are given away, or out of memory.
 */
uint32_t synthetic_add(struct synthetic *table, const struct hostname *name,
		       bool *is_new_out);

/** synthetic_address() - of a number that synthetic_add() returned, in
 * @family AF_INET or AF_INET6 */
struct netaddr synthetic_address(uint32_t number, sa_family_t family);

/** synthetic_is() - an address of either block, given away or not */
bool synthetic_is(const struct netaddr *addr);

/** synthetic_find() - the name of an address. Return: false, untouched: it
 * stands for none. */
bool synthetic_find(const struct synthetic *table, const struct netaddr *addr,
		    struct hostname *name_out)
	__attribute__((warn_unused_result));

#endif
