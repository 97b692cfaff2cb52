/* SPDX-License-Identifier: MIT */
/* check_answer: what a policy says of one destination, for the whole of a run:
 * the proxy's decision, and what the fence gives back beside the proxy. */
#ifndef CHECK_ANSWER_H
#define CHECK_ANSWER_H

#include <stdint.h>

#include "decision.h"
#include "hostname.h"
#include "netaddr.h"
#include "policy.h"

/**
 * struct check_target - what is asked about
 * @host, @address: one of them; the other is NULL
 */
struct check_target {
	const struct hostname *host;
	const struct netaddr *address;
	uint16_t port;
};

enum check_verdict {
	CHECK_DENIED = 0,
	CHECK_ALLOWED,    /* by the proxy */
	CHECK_GIVEN_BACK, /* the host's own port, by ports.loopback */
	CHECK_OWN,        /* the command's own, by ports.listen */
};

/**
 * struct check_answer - and why
 * @decision:	the proxy's, for CHECK_DENIED and CHECK_ALLOWED
 */
struct check_answer {
	enum check_verdict verdict;
	struct decision decision;
};

/** check_answer() - pure */
struct check_answer check_answer(const struct policy *policy,
				 const struct check_target *target);

#endif
