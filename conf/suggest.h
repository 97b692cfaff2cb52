/* SPDX-License-Identifier: MIT */
/* suggest: the flag that would have allowed what was refused. */
#ifndef SUGGEST_H
#define SUGGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "decision.h"
#include "hostname.h"
#include "netaddr.h"
#include "text.h"

/* What goes in a struct handoff_message; a longer text is not suggested. */
#define SUGGEST_MAX_BYTES 512

/**
 * struct suggest_target - what was refused
 * @name:	the name asked for, or NULL: an address was
 * @address:	the address asked for, or the refused one that the name
 *		resolved to; NULL: none is known
 * @protocol:	what the client spoke or will speak, as far as known:
 *		RULE_PROTOCOL_TLS for a CONNECT, _HTTP for absolute-form, _TCP
 *		where what came was not TLS
 * @address_is_own: @address is one of this host's interfaces (policy.h)
 * @denied_by_rule: a deny rule did it: deny wins, so no flag helps
 */
struct suggest_target {
	const struct hostname *name;
	const struct netaddr *address;
	uint16_t port;
	enum rule_protocol protocol;
	bool address_is_own;
	bool denied_by_rule;
};

/** suggest_protocol() - what a rule for @target has to ask for: what is spoken,
 * or what is known to be spoken on its port */
enum rule_protocol suggest_protocol(const struct suggest_target *target);

/**
 * suggest_flag() - append "--allow RULE" that would allow @target, and
 * "--resolve HOST:ADDRESS" where the address must be written too
 *
 * The shortest rule: no port where it is 443 and no protocol where it is the
 * default; "/tcp" on ports of protocols that are known not to start with TLS.
 * Nothing is suggested for metadata addresses, for IPv4 spelt inside IPv6, nor
 * against a deny rule. The text is a valid RULE and made of canonical
 * spellings only, so it may be shown and pasted.
 *
 * Return: false: nothing was appended, no flag would help.
 */
bool suggest_flag(const struct suggest_target *target, struct text *out);

#endif
