/* SPDX-License-Identifier: MIT */
/*
 * rule: one rule, and a set of them that is searched by name or address.
 *
 * How it works: a set is a hash table over pattern names. A name is looked up
 * once for itself and once for each of its parents, so the cost depends on the
 * number of labels, not of rules. Address rules are few and searched in order.
 */
#ifndef RULE_H
#define RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "decision.h"
#include "hostname.h"
#include "netaddr.h"

enum rule_kind {
	RULE_NAME = 0, /* exactly @host */
	RULE_BELOW,    /* every name below @host, not itself */
	RULE_ANY,      /* every name; an allow: but local ones */
	RULE_ADDRESS,  /* literals in @block; a deny also what names become */
};

/**
 * struct rule - strings and ports live as long as the policy
 * @ports:	in no order; none: 443 for an allow rule (set when it is read),
 *		all ports for a deny rule
 * @has_protocol: else "http" on port 80 and "tls" on all others
 * @source:	where it was written
 * @text:	as RULE of the command line
 */
struct rule {
	bool is_deny;
	enum rule_kind kind;
	struct hostname host;
	struct netaddr_block block;
	const uint16_t *ports;
	size_t port_count;
	bool has_protocol;
	enum rule_protocol protocol;
	bool is_private;
	const char *source;
	const char *text;
};

/** rule_has_port() - the rule speaks of @port */
bool rule_has_port(const struct rule *rule, uint16_t port);

/** rule_protocol_for() - what must be shown on @port */
enum rule_protocol rule_protocol_for(const struct rule *rule, uint16_t port);

/**
 * rule_set_new() - build a set
 * @rules:	@count rules, in the order of writing; they stay where they are
 * Return: in @arena, or NULL when out of memory.
 */
const struct rule_set *rule_set_new(struct arena *arena,
				    const struct rule *rules, size_t count);

/**
 * struct rule_match - what a set says of a destination
 * @deny:	a deny rule that covers it, or NULL
 * @allow:	the most specific allow rule that covers it, or NULL
 * @other_port:	an allow rule that names the host, but not the port, or NULL
 */
struct rule_match {
	const struct rule *deny;
	const struct rule *allow;
	const struct rule *other_port;
};

struct rule_match rule_set_match_name(const struct rule_set *set,
				      const struct hostname *host,
				      uint16_t port);

/** rule_opens() - an allow rule for addresses permits those of class @c */
bool rule_opens(const struct rule *rule, enum netaddr_class c);

/**
 * rule_set_match_address() - what the address rules say of @addr
 * @c:		its class, as far as the caller knows more than its bits
 *
 * A deny rule counts for every spelling of an IPv4 address, an allow rule for
 * those in use (netaddr_dialled()). Of the allow rules only those that open
 * @c count, and of these the narrowest.
 */
struct rule_match rule_set_match_address(const struct rule_set *set,
					 const struct netaddr *addr,
					 enum netaddr_class c, uint16_t port);

/** struct rule_ports - a set of ports; starts zeroed */
struct rule_ports {
	uint8_t bits[(UINT16_MAX + 1) / 8];
};

void rule_ports_add(struct rule_ports *ports, uint16_t port);
bool rule_ports_has(const struct rule_ports *ports, uint16_t port);

/** rule_set_at() - the rules as they were given; NULL: @i is past the last */
const struct rule *rule_set_at(const struct rule_set *set, size_t i);

/** rule_set_mark_ports() - add the ports of all allow rules */
void rule_set_mark_ports(const struct rule_set *set, struct rule_ports *ports);

#endif
