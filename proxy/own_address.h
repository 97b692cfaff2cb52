/* SPDX-License-Identifier: MIT */
/*
 * own_address: is an address one of this host's, or one of our listeners?
 *
 * An attacker without this check reaches services that trust the host's own
 * address, or the proxy itself, through a name that resolves to it.
 */
#ifndef OWN_ADDRESS_H
#define OWN_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "netaddr.h"

#define OWN_LISTENERS_MAX 64

/** struct own_listener - an address and port that we accept on */
struct own_listener {
	struct netaddr address;
	uint16_t port;
};

/**
 * struct own_address - what is known; starts zeroed
 * @addrs:	of the interfaces, as of @read_ms
 */
struct own_address {
	struct own_listener listeners[OWN_LISTENERS_MAX];
	size_t listener_count;
	struct netaddr *addrs;
	size_t addr_count;
	int64_t read_ms;
};

/** own_address_add_listener() - Return: 0 or -ENOSPC. */
int own_address_add_listener(struct own_address *own,
			     const struct netaddr *address, uint16_t port)
	__attribute__((warn_unused_result));

/**
 * own_address_is() - is it an address of an interface?
 *
 * The list is read when first needed and again when it is older than five
 * seconds. If it cannot be read every address counts as own: refused.
 */
bool own_address_is(struct own_address *own, const struct netaddr *addr);

/** own_address_is_listener() - would a connection there come back to us? */
bool own_address_is_listener(struct own_address *own,
			     const struct netaddr *addr, uint16_t port);

void own_address_clear(struct own_address *own);

#endif
