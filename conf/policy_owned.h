/* SPDX-License-Identifier: MIT */
/* policy_owned: a policy together with the memory it lives in; for its makers.
 */
#ifndef POLICY_OWNED_H
#define POLICY_OWNED_H

#include "arena.h"
#include "policy.h"
#include "rule.h"

/**
 * struct policy_owned - what policy_free() frees
 * @policy:	first, so that a pointer to it is one to the whole
 */
struct policy_owned {
	struct policy policy;
	struct arena arena;
};

/**
 * policy_owned_new() - a policy in the making, with every default in place and
 * no rule
 * Return: NULL when out of memory; freed by policy_free(&owned->policy).
 */
struct policy_owned *policy_owned_new(void);

/**
 * policy_owned_set_rules() - give it its rules
 * @rules:	in owned->arena
 * Return: 0 or -ENOMEM.
 */
int policy_owned_set_rules(struct policy_owned *owned, const struct rule *rules,
			   size_t count) __attribute__((warn_unused_result));

#endif
