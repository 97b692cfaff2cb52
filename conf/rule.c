/* SPDX-License-Identifier: MIT */
/* rule: one rule, and a set of them that is searched by name or address. */
#include "rule.h"

#include <string.h>

#include "policy.h"

/**
 * struct rule_set - a table of chains
 * @heads:	index + 1 of the first rule of a chain, 0: empty
 * @next:	index + 1 of the next rule of the same chain, by rule
 * @count:	of rules
 * @mask:	number of chains - 1; that number is a power of two
 * @any:	chain of RULE_ANY
 * @address:	chain of RULE_ADDRESS
 */
struct rule_set {
	const struct rule *rules;
	size_t count;
	size_t *heads;
	size_t *next;
	size_t mask;
	size_t any;
	size_t address;
};

bool rule_has_port(const struct rule *rule, uint16_t port)
{
	if (rule->port_count == 0)
		return true;
	for (size_t i = 0; i < rule->port_count; i++)
		if (rule->ports[i] == port)
			return true;
	return false;
}

enum rule_protocol rule_protocol_for(const struct rule *rule, uint16_t port)
{
	if (rule->has_protocol)
		return rule->protocol;
	return port == 80 ? RULE_PROTOCOL_HTTP : RULE_PROTOCOL_TLS;
}

/* FNV-1a: names in a policy are the user's own, so nobody chooses collisions
 * against it; a long chain would only be slow. */
static size_t hash(const char *name, size_t len)
{
	uint32_t h = 2166136261U;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (uint8_t)name[i]) * 16777619U;
	return h;
}

static size_t *chain_of(struct rule_set *set, const struct rule *rule)
{
	switch (rule->kind) {
	case RULE_ANY:
		return &set->any;
	case RULE_ADDRESS:
		return &set->address;
	case RULE_NAME:
	case RULE_BELOW:
		break;
	}
	return &set->heads[hash(rule->host.text, rule->host.len) & set->mask];
}

const struct rule_set *rule_set_new(struct arena *arena,
				    const struct rule *rules, size_t count)
{
	struct rule_set *set = arena_alloc(arena, sizeof(*set));
	size_t chains = 16;

	while (chains < count * 2)
		chains *= 2;
	if (set == NULL)
		return NULL;
	set->rules = rules;
	set->count = count;
	set->mask = chains - 1;
	set->heads = arena_alloc(arena, chains * sizeof(*set->heads));
	set->next = arena_alloc(arena, (count + 1) * sizeof(*set->next));
	if (set->heads == NULL || set->next == NULL)
		return NULL;
	/* Backwards, so that a chain is in the order of writing. */
	for (size_t i = count; i > 0; i--) {
		size_t *head = chain_of(set, &rules[i - 1]);
		set->next[i - 1] = *head;
		*head = i;
	}
	return set;
}

/* Take @rule into account: the first allow of the most specific level stays,
 * but one with `private` goes before one of the same level without. */
static void note(struct rule_match *match, const struct rule *rule,
		 uint16_t port)
{
	if (rule->is_deny) {
		if (match->deny == NULL && rule_has_port(rule, port))
			match->deny = rule;
	} else if (!rule_has_port(rule, port)) {
		if (match->other_port == NULL)
			match->other_port = rule;
	} else if (match->allow == NULL ||
		   (rule->is_private && !match->allow->is_private &&
		    rule->kind == match->allow->kind &&
		    hostname_equal(&rule->host, &match->allow->host))) {
		match->allow = rule;
	}
}

static void match_chain(const struct rule_set *set, struct rule_match *match,
			enum rule_kind kind, const struct hostname *name,
			uint16_t port)
{
	size_t at = set->heads[hash(name->text, name->len) & set->mask];

	for (; at != 0; at = set->next[at - 1]) {
		const struct rule *rule = &set->rules[at - 1];
		if (rule->kind == kind && hostname_equal(&rule->host, name))
			note(match, rule, port);
	}
}

/* The name without its first label; false for a name of one label. */
static bool to_parent(struct hostname *name)
{
	const char *dot = strchr(name->text, '.');

	if (dot == NULL)
		return false;
	size_t cut = (size_t)(dot + 1 - name->text);
	name->len = (uint8_t)(name->len - cut);
	memmove(name->text, dot + 1, (size_t)name->len + 1);
	return true;
}

/* Names of the machine or of the network it is in: one label, or below a
 * domain that is not in the DNS (RFC 6761 s6.3, RFC 6762, ICANN's .internal).
 */
static bool is_local(const struct hostname *name)
{
	static const char *const domains[] = {"localhost", "local", "internal"};
	const char *dot = strrchr(name->text, '.');

	if (dot == NULL)
		return true;
	for (size_t i = 0; i < sizeof(domains) / sizeof(domains[0]); i++)
		if (strcmp(dot + 1, domains[i]) == 0)
			return true;
	return false;
}

struct rule_match rule_set_match_name(const struct rule_set *set,
				      const struct hostname *host,
				      uint16_t port)
{
	struct rule_match match = {.deny = NULL};
	struct hostname name = *host;
	bool may_be_any = !is_local(host);

	match_chain(set, &match, RULE_NAME, &name, port);
	while (to_parent(&name))
		match_chain(set, &match, RULE_BELOW, &name, port);
	for (size_t at = set->any; at != 0; at = set->next[at - 1])
		if (may_be_any || set->rules[at - 1].is_deny)
			note(&match, &set->rules[at - 1], port);
	return match;
}

bool rule_opens(const struct rule *rule, enum netaddr_class c)
{
	switch (c) {
	case NETADDR_PUBLIC:
		return true;
	case NETADDR_PRIVATE:
		return rule->is_private;
	case NETADDR_LOOPBACK:
		/* An own address need not look like loopback: exact then. */
		return rule->is_private &&
		       (netaddr_block_is_within(&rule->block, c) ||
			netaddr_block_is_exact(&rule->block));
	case NETADDR_LINK_LOCAL:
		return rule->is_private &&
		       netaddr_block_is_within(&rule->block, c);
	case NETADDR_METADATA:
		return netaddr_block_is_exact(&rule->block);
	case NETADDR_SPECIAL:
		return netaddr_block_is_within(&rule->block, c);
	}
	return false;
}

static bool is_narrower(const struct rule *rule, const struct rule *than)
{
	return than == NULL || netaddr_block_spare_bits(&rule->block) <
				       netaddr_block_spare_bits(&than->block);
}

static void note_address(struct rule_match *match, const struct rule *rule,
			 enum netaddr_class c, uint16_t port)
{
	if (!rule_opens(rule, c))
		return;
	if (!rule_has_port(rule, port))
		match->other_port = rule;
	else if (is_narrower(rule, match->allow))
		match->allow = rule;
}

struct rule_match rule_set_match_address(const struct rule_set *set,
					 const struct netaddr *addr,
					 enum netaddr_class c, uint16_t port)
{
	struct rule_match match = {.deny = NULL};
	struct netaddr dialled = netaddr_dialled(addr);
	struct netaddr folded = netaddr_fold(addr);

	for (size_t at = set->address; at != 0; at = set->next[at - 1]) {
		const struct rule *rule = &set->rules[at - 1];
		bool covers = netaddr_block_contains(&rule->block, addr);

		if (rule->is_deny && match.deny == NULL &&
		    (covers || netaddr_block_contains(&rule->block, &folded)) &&
		    rule_has_port(rule, port))
			match.deny = rule;
		else if (!rule->is_deny &&
			 (covers ||
			  netaddr_block_contains(&rule->block, &dialled)))
			note_address(&match, rule, c, port);
	}
	return match;
}

void rule_ports_add(struct rule_ports *ports, uint16_t port)
{
	ports->bits[port / 8] |= (uint8_t)(1U << port % 8);
}

bool rule_ports_has(const struct rule_ports *ports, uint16_t port)
{
	return (ports->bits[port / 8] >> port % 8 & 1) != 0;
}

const struct rule *rule_set_at(const struct rule_set *set, size_t i)
{
	return i < set->count ? &set->rules[i] : NULL;
}

void rule_set_mark_ports(const struct rule_set *set, struct rule_ports *ports)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct rule *rule = &set->rules[i];

		for (size_t k = 0; !rule->is_deny && k < rule->port_count; k++)
			rule_ports_add(ports, rule->ports[k]);
	}
}

const char *rule_source(const struct rule *rule)
{
	return rule->source;
}

const char *rule_text(const struct rule *rule)
{
	return rule->text;
}
