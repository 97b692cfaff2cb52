/* SPDX-License-Identifier: MIT */
/* policy_upstream: which destinations go out through another proxy. */
#ifndef POLICY_UPSTREAM_H
#define POLICY_UPSTREAM_H

#include <stdbool.h>

#include "hostname.h"
#include "netaddr.h"

struct policy;

/**
 * policy_goes_upstream() - is a destination that was allowed reached through
 * upstream.url?
 * @host:	the name asked for, or NULL: @address was
 *
 * Names are matched by the names of upstream.except, addresses by its
 * addresses: what a name resolves to is not known here, nor ever to us.
 */
bool policy_goes_upstream(const struct policy *policy,
			  const struct hostname *host,
			  const struct netaddr *address);

#endif
