/* SPDX-License-Identifier: MIT */
/* policy_lookup: may a name be looked up? */
#include "policy_lookup.h"

#include <stddef.h>

#include "policy.h"
#include "rule.h"

/* No rule has port 0 but a deny rule for all ports; an allow rule then counts
 * as one for another port. */
#define NO_PORT 0

struct decision policy_decide_lookup(const struct policy *policy,
				     const struct hostname *host)
{
	struct rule_match match =
		rule_set_match_name(policy->rules, host, NO_PORT);

	if (match.deny == NULL && match.other_port != NULL)
		return (struct decision){
			.verdict = VERDICT_ALLOW,
			.would = VERDICT_ALLOW,
			.rule = match.other_port,
		};
	return policy_decide_name(policy, host, NO_PORT);
}
