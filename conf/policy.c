/* SPDX-License-Identifier: MIT */
/* policy: what the user said, and the decisions that follow from it. */
#include "policy.h"

#include <errno.h>
#include <stdlib.h>

#include "policy_owned.h"
#include "rule.h"

#define SECOND_MS 1000ULL
#define MINUTE_MS (60 * SECOND_MS)

struct policy_owned *policy_owned_new(void)
{
	struct policy_owned *owned = calloc(1, sizeof(*owned));

	if (owned == NULL)
		return NULL;
	owned->policy.ports.capture = true;
	owned->policy.ports.private_loopback = true;
	owned->policy.dns.timeout_ms = 5 * SECOND_MS;
	owned->policy.proxy.workers = 1;
	owned->policy.proxy.max_tunnels = 20000;
	owned->policy.proxy.head_timeout_ms = 10 * SECOND_MS;
	owned->policy.proxy.hello_timeout_ms = 10 * SECOND_MS;
	owned->policy.proxy.connect_timeout_ms = 10 * SECOND_MS;
	owned->policy.proxy.idle_timeout_ms = 10 * MINUTE_MS;
	if (policy_owned_set_rules(owned, NULL, 0) != 0) {
		policy_free(&owned->policy);
		return NULL;
	}
	return owned;
}

int policy_owned_set_rules(struct policy_owned *owned, const struct rule *rules,
			   size_t count)
{
	const struct rule_set *set = rule_set_new(&owned->arena, rules, count);

	if (set == NULL)
		return -ENOMEM;
	owned->policy.rules = set;
	return 0;
}

void policy_free(struct policy *policy)
{
	/* The policy is the first member of what was allocated. */
	struct policy_owned *owned = (struct policy_owned *)policy;

	if (owned == NULL)
		return;
	arena_clear(&owned->arena);
	free(owned);
}

static struct decision allowed_by(const struct rule *rule, uint16_t port)
{
	return (struct decision){
		.verdict = VERDICT_ALLOW,
		.would = VERDICT_ALLOW,
		.protocol = rule_protocol_for(rule, port),
		.rule = rule,
	};
}

static struct decision denied(enum reason reason, const struct rule *rule)
{
	return (struct decision){
		.verdict = VERDICT_DENY,
		.would = VERDICT_DENY,
		.reason = reason,
		.rule = rule,
	};
}

/* Observe lets pass what no rule speaks of. Without a rule there is nothing to
 * demand of the bytes, but plain HTTP is read where it is expected. */
static struct decision observed(struct decision d, uint16_t port)
{
	d.verdict = VERDICT_ALLOW;
	d.protocol = port == 80 ? RULE_PROTOCOL_HTTP : RULE_PROTOCOL_TCP;
	return d;
}

struct decision policy_decide_name(const struct policy *policy,
				   const struct hostname *host, uint16_t port)
{
	struct rule_match match =
		rule_set_match_name(policy->rules, host, port);

	if (match.deny != NULL)
		return denied(REASON_HTTP_REQUEST_DENIED, match.deny);
	if (match.allow != NULL)
		return allowed_by(match.allow, port);
	struct decision d =
		denied(match.other_port != NULL ? REASON_PORT_NOT_ALLOWED
						: REASON_HTTP_REQUEST_DENIED,
		       NULL);
	return policy->mode == POLICY_OBSERVE ? observed(d, port) : d;
}

static enum netaddr_class classify(const struct netaddr *addr,
				   unsigned int traits)
{
	enum netaddr_class c = netaddr_classify(addr);

	if ((traits & POLICY_ADDRESS_OWN) != 0 && c != NETADDR_METADATA)
		return NETADDR_LOOPBACK;
	return c;
}

/* What observe lets pass without a rule. */
static bool observe_opens(const struct policy *policy, enum netaddr_class c)
{
	return c == NETADDR_PUBLIC ||
	       (c == NETADDR_PRIVATE && policy->observe_private);
}

struct decision policy_decide_literal(const struct policy *policy,
				      const struct netaddr *addr, uint16_t port,
				      unsigned int traits)
{
	enum netaddr_class c = classify(addr, traits);
	struct rule_match match =
		rule_set_match_address(policy->rules, addr, c, port);

	if (match.deny != NULL)
		return denied(REASON_HTTP_REQUEST_DENIED, match.deny);
	if (match.allow != NULL)
		return allowed_by(match.allow, port);
	enum reason reason = REASON_HTTP_REQUEST_DENIED;
	if (c != NETADDR_PUBLIC)
		reason = REASON_DESTINATION_IP_PROHIBITED;
	else if (match.other_port != NULL)
		reason = REASON_PORT_NOT_ALLOWED;
	struct decision d = denied(reason, NULL);
	if (policy->mode == POLICY_OBSERVE && observe_opens(policy, c))
		return observed(d, port);
	return d;
}

/* May an address of class @c be dialled for a name that @rule allows? */
static bool opens_resolved(const struct rule *rule, enum netaddr_class c,
			   bool is_written)
{
	switch (c) {
	case NETADDR_PUBLIC:
		return true;
	case NETADDR_PRIVATE:
		return rule->is_private;
	case NETADDR_LOOPBACK:
	case NETADDR_LINK_LOCAL:
	case NETADDR_SPECIAL:
		return rule->is_private && is_written;
	case NETADDR_METADATA:
		break;
	}
	return false;
}

struct decision policy_decide_address(const struct policy *policy,
				      const struct decision *by_name,
				      const struct netaddr *addr, uint16_t port,
				      unsigned int traits)
{
	enum netaddr_class c = classify(addr, traits);
	struct rule_match match =
		rule_set_match_address(policy->rules, addr, c, port);
	bool is_written = (traits & POLICY_ADDRESS_WRITTEN) != 0;

	if (match.deny != NULL)
		return denied(REASON_DESTINATION_IP_PROHIBITED, match.deny);
	/* By a rule for exactly this address, and by nothing else. */
	if (c == NETADDR_METADATA && match.allow != NULL)
		return *by_name;
	if (by_name->rule != NULL &&
	    opens_resolved(by_name->rule, c, is_written))
		return *by_name;
	struct decision d =
		denied(REASON_DESTINATION_IP_PROHIBITED, by_name->rule);
	if (policy->mode != POLICY_OBSERVE || c == NETADDR_METADATA)
		return d;
	if (!observe_opens(policy, c) && !is_written)
		return d;
	/* The name was let pass, or the rule lacks `private`. */
	if (by_name->would == VERDICT_DENY)
		d.reason = by_name->reason;
	d.verdict = VERDICT_ALLOW;
	d.protocol = by_name->protocol;
	return d;
}

static struct decision refuse_server_name(const struct policy *policy,
					  const struct decision *authorised,
					  enum reason reason)
{
	struct decision d = denied(reason, authorised->rule);

	if (policy->mode == POLICY_OBSERVE) {
		d.verdict = VERDICT_ALLOW;
		d.protocol = authorised->protocol;
	}
	return d;
}

struct decision policy_decide_server_name(const struct policy *policy,
					  const struct decision *authorised,
					  const struct hostname *authority,
					  const struct hostname *server_name,
					  uint16_t port)
{
	if (server_name == NULL)
		return authority == NULL
			       ? *authorised
			       : refuse_server_name(policy, authorised,
						    REASON_SERVER_NAME_ABSENT);
	/* A deny rule for a name holds in every mode and for every way in. */
	struct rule_match match =
		rule_set_match_name(policy->rules, server_name, port);
	if (match.deny != NULL)
		return denied(REASON_HTTP_REQUEST_DENIED, match.deny);
	if (authority != NULL && !hostname_equal(authority, server_name))
		return refuse_server_name(policy, authorised,
					  REASON_SERVER_NAME_MISMATCH);
	return *authorised;
}

size_t policy_next_answer(const struct policy *policy,
			  const struct hostname *host, size_t at,
			  struct netaddr *addr_out)
{
	for (size_t i = at; i < policy->answer_count; i++) {
		if (!hostname_equal(&policy->answers[i].host, host))
			continue;
		*addr_out = policy->answers[i].address;
		return i + 1;
	}
	return 0;
}
