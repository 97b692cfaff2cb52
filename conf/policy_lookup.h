/* SPDX-License-Identifier: MIT */
/* policy_lookup: may a name be looked up? */
#ifndef POLICY_LOOKUP_H
#define POLICY_LOOKUP_H

#include "decision.h"
#include "hostname.h"

struct policy;

/**
 * policy_decide_lookup() - may @host be given an address?
 *
 * Yes where a connection to it may be made on some port; the decision's rule is
 * one that says so.
 */
struct decision policy_decide_lookup(const struct policy *policy,
				     const struct hostname *host);

#endif
