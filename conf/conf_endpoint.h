/* SPDX-License-Identifier: MIT */
/* conf_endpoint: "ADDRESS:PORT" and its like, taken apart. */
#ifndef CONF_ENDPOINT_H
#define CONF_ENDPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "netaddr.h"

/**
 * struct conf_endpoint - the parts, inside of the text
 * @has_brackets: round @host, which is without them
 * @port:	NULL: there is none
 */
struct conf_endpoint {
	const char *host;
	size_t host_len;
	bool has_brackets;
	const char *port;
	size_t port_len;
};

/** conf_endpoint_split() - "HOST", "HOST:PORT", "[HOST]", "[HOST]:PORT", or a
 * bare IPv6 address; false when brackets are out of place */
bool conf_endpoint_split(const char *s, size_t len, struct conf_endpoint *out)
	__attribute__((warn_unused_result));

/** conf_endpoint_address() - the address that @e has for its host; brackets
 * hold IPv6, and with a port IPv6 needs them */
bool conf_endpoint_address(const struct conf_endpoint *e,
			   struct netaddr *addr_out)
	__attribute__((warn_unused_result));

/** conf_endpoint_parse() - an address with a port or without: then @port_out
 * is untouched */
bool conf_endpoint_parse(const char *s, size_t len, struct netaddr *addr_out,
			 uint16_t *port_out)
	__attribute__((warn_unused_result));

#endif
