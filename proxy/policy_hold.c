/* SPDX-License-Identifier: MIT */
/* policy_hold: a policy that lives until its last user is gone. */
#include "policy_hold.h"

#include <stdlib.h>

#include "policy.h"

struct policy_hold *policy_hold_new(struct policy *policy_own)
{
	struct policy_hold *hold = malloc(sizeof(*hold));

	if (hold == NULL) {
		policy_free(policy_own);
		return NULL;
	}
	*hold = (struct policy_hold){
		.policy = policy_own, .owned = policy_own, .refs = 1};
	return hold;
}

struct policy_hold *policy_hold_ref(struct policy_hold *hold)
{
	hold->refs++;
	return hold;
}

void policy_hold_unref(struct policy_hold *hold)
{
	if (hold == NULL || --hold->refs > 0)
		return;
	policy_free(hold->owned);
	free(hold);
}
