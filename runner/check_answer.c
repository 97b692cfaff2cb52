/* SPDX-License-Identifier: MIT */
/* check_answer: what a policy says of one destination. */
#include "check_answer.h"

#include <stdbool.h>
#include <string.h>

static bool is_given_back(const struct policy *policy, uint16_t port)
{
	for (size_t i = 0; i < policy->ports.loopback.count; i++)
		if (policy->ports.loopback.items[i] == port)
			return true;
	return false;
}

static bool is_listened_on(const struct policy *policy, uint16_t port)
{
	for (size_t i = 0; i < policy->ports.listen_count; i++)
		if (policy->ports.listen[i].port == port)
			return true;
	return false;
}

/* Inside, these lead to the sandbox's own loopback, never to the proxy. */
static bool is_loopback(const struct check_target *target)
{
	char text[NETADDR_TEXT_BYTES];

	if (target->address == NULL)
		return strcmp(target->host->text, "localhost") == 0;
	netaddr_format(target->address, text);
	return strcmp(text, "127.0.0.1") == 0 || strcmp(text, "::1") == 0;
}

struct check_answer check_answer(const struct policy *policy,
				 const struct check_target *target)
{
	struct check_answer answer = {.verdict = CHECK_DENIED};

	if (is_loopback(target) && is_given_back(policy, target->port))
		answer.verdict = CHECK_GIVEN_BACK;
	else if (is_loopback(target) && is_listened_on(policy, target->port))
		answer.verdict = CHECK_OWN;
	if (answer.verdict != CHECK_DENIED)
		return answer;
	answer.decision =
		target->address != NULL
			? policy_decide_literal(policy, target->address,
						target->port, 0)
			: policy_decide_name(policy, target->host,
					     target->port);
	if (answer.decision.verdict == VERDICT_ALLOW)
		answer.verdict = CHECK_ALLOWED;
	return answer;
}
