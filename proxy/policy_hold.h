/* SPDX-License-Identifier: MIT */
/* policy_hold: a policy that lives until its last user is gone. */
#ifndef POLICY_HOLD_H
#define POLICY_HOLD_H

#include <stddef.h>

struct policy;

/** struct policy_hold - @policy for reading; @refs is the module's own */
struct policy_hold {
	const struct policy *policy;
	struct policy *owned;
	size_t refs;
};

/** policy_hold_new() - one reference, the caller's. Takes over @policy_own,
 * also when it fails. Return: NULL when out of memory. */
struct policy_hold *policy_hold_new(struct policy *policy_own);

/** policy_hold_ref() - one more. Return: @hold. */
struct policy_hold *policy_hold_ref(struct policy_hold *hold);

/** policy_hold_unref() - one less; the last frees the policy. NULL does
 * nothing. */
void policy_hold_unref(struct policy_hold *hold);

#endif
