/* SPDX-License-Identifier: MIT */
/* own_address: is an address one of this host's, or one of our listeners? */
#include "own_address.h"

#include <errno.h>
#include <ifaddrs.h>
#include <stdlib.h>

#include "ticks.h"

#define FRESH_MS 5000

int own_address_add_listener(struct own_address *own,
			     const struct netaddr *address, uint16_t port)
{
	if (own->listener_count == OWN_LISTENERS_MAX)
		return -ENOSPC;
	own->listeners[own->listener_count++] =
		(struct own_listener){.address = *address, .port = port};
	return 0;
}

static size_t count_of(const struct ifaddrs *list)
{
	size_t count = 0;

	for (; list != NULL; list = list->ifa_next)
		count++;
	return count;
}

static int read_interfaces(struct own_address *own)
{
	struct ifaddrs *list = NULL;

	if (getifaddrs(&list) != 0)
		return -errno;
	struct netaddr *addrs = calloc(count_of(list) + 1, sizeof(*addrs));
	size_t count = 0;
	for (const struct ifaddrs *at = list; at != NULL && addrs != NULL;
	     at = at->ifa_next) {
		uint16_t port;

		if (at->ifa_addr != NULL &&
		    netaddr_from_sockaddr(at->ifa_addr, &addrs[count], &port))
			count++;
	}
	freeifaddrs(list);
	if (addrs == NULL)
		return -ENOMEM;
	free(own->addrs);
	own->addrs = addrs;
	own->addr_count = count;
	own->read_ms = ticks_now_ms();
	return 0;
}

bool own_address_is(struct own_address *own, const struct netaddr *addr)
{
	struct netaddr folded = netaddr_fold(addr);

	if (own->addrs == NULL || ticks_now_ms() - own->read_ms > FRESH_MS) {
		if (read_interfaces(own) != 0)
			return true;
	}
	for (size_t i = 0; i < own->addr_count; i++)
		if (netaddr_equal(&own->addrs[i], &folded) ||
		    netaddr_equal(&own->addrs[i], addr))
			return true;
	return false;
}

static bool is_any(const struct netaddr *addr)
{
	const struct netaddr any = {.family = addr->family};

	return netaddr_equal(addr, &any);
}

static bool is_local(struct own_address *own, const struct netaddr *addr)
{
	return netaddr_classify(addr) == NETADDR_LOOPBACK ||
	       own_address_is(own, addr);
}

bool own_address_is_listener(struct own_address *own,
			     const struct netaddr *addr, uint16_t port)
{
	struct netaddr folded = netaddr_fold(addr);

	for (size_t i = 0; i < own->listener_count; i++) {
		const struct own_listener *l = &own->listeners[i];

		if (l->port != port)
			continue;
		/* A wildcard on either side meets every local address. */
		if (netaddr_equal(&l->address, &folded) ||
		    netaddr_equal(&l->address, addr) || is_any(&folded) ||
		    (is_any(&l->address) && is_local(own, addr)))
			return true;
	}
	return false;
}

void own_address_clear(struct own_address *own)
{
	free(own->addrs);
	own->addrs = NULL;
	own->addr_count = 0;
}
