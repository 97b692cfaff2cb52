/* SPDX-License-Identifier: MIT */
/* policy_upstream: which destinations go out through another proxy. */
#include "policy_upstream.h"

#include <string.h>

#include "policy.h"

/* A pattern in its one spelling: NAME, *.NAME, ADDRESS or BLOCK. */
static bool matches_name(const char *pattern, const struct hostname *name)
{
	bool is_below = strncmp(pattern, "*.", 2) == 0;
	const char *base = is_below ? pattern + 2 : pattern;
	struct hostname parent;

	if (hostname_parse(base, strlen(base), &parent) != HOSTNAME_OK)
		return false;
	return is_below ? hostname_is_below(name, &parent)
			: hostname_equal(name, &parent);
}

static bool matches_address(const char *pattern, const struct netaddr *address)
{
	const struct netaddr dialled = netaddr_dialled(address);
	struct netaddr_block block;

	return netaddr_parse_block(pattern, strlen(pattern), &block) &&
	       netaddr_block_contains(&block, &dialled);
}

bool policy_goes_upstream(const struct policy *policy,
			  const struct hostname *host,
			  const struct netaddr *address)
{
	const struct policy_strings *except = &policy->upstream.except;

	if (policy->upstream.url == NULL)
		return false;
	for (size_t i = 0; i < except->count; i++) {
		if (host != NULL ? matches_name(except->items[i], host)
				 : matches_address(except->items[i], address))
			return false;
	}
	return true;
}
