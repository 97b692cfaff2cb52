/* SPDX-License-Identifier: MIT */
/* dns_names: what a question is answered with, and what is recorded of it. */
#include "dns_names.h"

#include <string.h>

#include "audit.h"
#include "context.h"
#include "decision.h"
#include "policy.h"
#include "policy_hold.h"
#include "policy_lookup.h"
#include "rule.h"
#include "suggest.h"
#include "synthetic.h"
#include "text.h"
#include "ticks.h"

#define RECORD_AGAIN_MS 1000
#define HTTPS_PORT      443

/* One question while it is answered. */
struct lookup {
	struct dns_names *names;
	const char *transport;
	struct dns_query query;
	struct hostname host;
	struct netaddr address;
	struct dns_answer answer;
};

/* Only these are for a connection: an SRV or TXT record may be asked for in
 * vain without anything being missed. */
static bool asks_address(const struct dns_query *query)
{
	return query->type == DNS_TYPE_A || query->type == DNS_TYPE_AAAA;
}

static bool was_recorded(struct dns_names *names, const struct dns_query *query)
{
	int64_t now = ticks_now_ms();
	uint64_t hash = 14695981039346656037ULL + asks_address(query);

	for (size_t i = 0; i < query->text_len; i++)
		hash = (hash ^ (uint8_t)query->text[i]) * 1099511628211ULL;
	size_t at = hash % DNS_RECENT_COUNT;
	if (names->recent[at].hash == hash &&
	    now - names->recent[at].ms < RECORD_AGAIN_MS)
		return true;
	names->recent[at].hash = hash;
	names->recent[at].ms = now;
	return false;
}

static int record(struct lookup *lookup, const struct decision *d)
{
	struct audit_record record = {
		.event = AUDIT_RESOLVE,
		.has_verdict = true,
		.verdict = d->verdict,
		.would = d->would,
		.reason = d->reason,
		.rule = d->rule != NULL ? rule_source(d->rule) : NULL,
		.via = AUDIT_VIA_DNS,
		.transport = lookup->transport,
		.host = lookup->query.text,
		.host_len = lookup->query.text_len,
		.address = lookup->answer.address,
	};

	return trail_write(&lookup->names->context->trail, &record);
}

/* After the run the user is told, as of a refused connection: a program that
 * gets no address never tries one. */
static void tell_denied(const struct lookup *lookup, const struct decision *d)
{
	const struct suggest_target target = {
		.name = &lookup->host,
		.port = HTTPS_PORT,
		.denied_by_rule = d->rule != NULL && d->rule->is_deny,
	};
	char flag[SUGGEST_MAX_BYTES];
	struct text t;

	text_init(&t, flag, sizeof(flag));
	(void)suggest_flag(&target, &t);
	deny_table_add(&lookup->names->context->denied, lookup->host.text,
		       flag);
}

static void deny(struct lookup *lookup, const struct decision *d, bool is_told)
{
	lookup->answer.code = DNS_NXDOMAIN;
	if (was_recorded(lookup->names, &lookup->query))
		return;
	/* It is refused whether or not that can be recorded. */
	(void)!record(lookup, d);
	if (is_told && asks_address(&lookup->query))
		tell_denied(lookup, d);
}

static void refuse(struct lookup *lookup, enum reason reason)
{
	const struct decision d = {.reason = reason};

	deny(lookup, &d, false);
}

static void fail(struct lookup *lookup, enum reason reason)
{
	refuse(lookup, reason);
	lookup->answer.address = NULL;
	lookup->answer.code = DNS_SERVFAIL;
}

/* Names that each system has of its own (RFC 6761 s6.3). */
static bool is_own_name(const struct hostname *host)
{
	static const struct hostname localhost = {"localhost", 9};

	return hostname_equal(host, &localhost) ||
	       hostname_is_below(host, &localhost);
}

static bool wants(const struct lookup *lookup, sa_family_t *family_out)
{
	if (lookup->query.type == DNS_TYPE_A)
		*family_out = AF_INET;
	else if (lookup->query.type == DNS_TYPE_AAAA && lookup->names->has_ipv6)
		*family_out = AF_INET6;
	else
		return false;
	return true;
}

static void answer_loopback(struct lookup *lookup)
{
	static const struct netaddr ipv4 = {
		AF_INET, {127, 0, 0, 1}
        };
	static const struct netaddr ipv6 = {AF_INET6, {[15] = 1}};
	sa_family_t family;

	if (wants(lookup, &family))
		lookup->answer.address = family == AF_INET ? &ipv4 : &ipv6;
}

static void answer_reverse(struct lookup *lookup, const struct netaddr *addr)
{
	static const struct hostname localhost = {"localhost", 9};
	const struct hostname *name = NULL;
	struct hostname found;

	if (netaddr_classify(addr) == NETADDR_LOOPBACK)
		name = &localhost;
	else if (synthetic_find(lookup->names->context->synthetic, addr,
				&found))
		name = &found;
	if (name == NULL) {
		refuse(lookup, REASON_HTTP_REQUEST_DENIED);
		return;
	}
	lookup->host = *name;
	if (lookup->query.type == DNS_TYPE_PTR)
		lookup->answer.name = &lookup->host;
}

static void answer_allowed(struct lookup *lookup, const struct decision *d)
{
	sa_family_t family;
	bool is_new = false;

	if (!wants(lookup, &family))
		return;
	uint32_t number = synthetic_add(lookup->names->context->synthetic,
					&lookup->host, &is_new);
	if (number == 0) {
		fail(lookup, REASON_DNS_ERROR);
		return;
	}
	lookup->address = synthetic_address(number, family);
	lookup->answer.address = &lookup->address;
	if (is_new && record(lookup, d) != 0)
		fail(lookup, REASON_AUDIT_FAILED);
}

static void decide(struct lookup *lookup)
{
	struct netaddr reversed;

	if (hostname_parse(lookup->query.text, lookup->query.text_len,
			   &lookup->host) != HOSTNAME_OK) {
		refuse(lookup, REASON_HTTP_REQUEST_DENIED);
		return;
	}
	if (is_own_name(&lookup->host)) {
		answer_loopback(lookup);
		return;
	}
	if (dns_reverse_read(&lookup->host, &reversed)) {
		answer_reverse(lookup, &reversed);
		return;
	}
	struct decision d = policy_decide_lookup(
		lookup->names->context->policy->policy, &lookup->host);
	if (d.verdict == VERDICT_ALLOW)
		answer_allowed(lookup, &d);
	else
		deny(lookup, &d, true);
}

size_t dns_names_answer(struct dns_names *names, const uint8_t *data,
			size_t len, const char *transport,
			uint8_t out[static DNS_ANSWER_MAX_BYTES])
{
	struct lookup lookup = {
		.names = names,
		.transport = transport,
	};

	if (!dns_query_read(data, len, &lookup.query))
		return 0;
	lookup.answer.code = lookup.query.code;
	if (lookup.query.code == DNS_OK)
		decide(&lookup);
	return dns_answer_write(&lookup.query, &lookup.answer, out);
}
