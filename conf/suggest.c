/* SPDX-License-Identifier: MIT */
/* suggest: the flag that would have allowed what was refused. */
#include "suggest.h"

#include <stddef.h>

#define HTTP_PORT  80
#define HTTPS_PORT 443

/* Ports whose protocol is known not to begin with a ClientHello: a rule without
 * "/tcp" would let the connection be made and then close it. */
static const uint16_t tcp_ports[] = {
	21,         /* FTP */
	22,         /* SSH */
	25,         /* SMTP, and its submission port */
	110,        /* POP3 */
	143,        /* IMAP */
	389,        /* LDAP */
	587,  1433, /* SQL Server */
	3306,       /* MySQL */
	5432,       /* PostgreSQL asks for TLS first */
	5672,       /* AMQP */
	6379,       /* Redis */
	9418,       /* git */
};

enum rule_protocol suggest_protocol(const struct suggest_target *target)
{
	if (target->protocol != RULE_PROTOCOL_TLS)
		return target->protocol;
	if (target->port == HTTP_PORT)
		return RULE_PROTOCOL_HTTP;
	for (size_t i = 0; i < sizeof(tcp_ports) / sizeof(tcp_ports[0]); i++)
		if (tcp_ports[i] == target->port)
			return RULE_PROTOCOL_TCP;
	return RULE_PROTOCOL_TLS;
}

static enum netaddr_class address_class(const struct suggest_target *target)
{
	if (target->address == NULL)
		return NETADDR_PUBLIC;
	enum netaddr_class c = netaddr_classify(target->address);
	if (target->address_is_own && c != NETADDR_METADATA)
		return NETADDR_LOOPBACK;
	return c;
}

static bool needs_private(const struct suggest_target *target,
			  enum netaddr_class c)
{
	/* A rule for a special-purpose address says enough by itself. */
	if (c == NETADDR_SPECIAL)
		return target->name != NULL;
	return c != NETADDR_PUBLIC;
}

static void add_host(const struct suggest_target *target, struct text *t)
{
	char address[NETADDR_TEXT_BYTES];

	if (target->name != NULL) {
		text_add_bytes(t, target->name->text, target->name->len);
		return;
	}
	netaddr_format(target->address, address);
	text_addf(t, target->address->family == AF_INET6 ? "[%s]" : "%s",
		  address);
}

static void add_rule(const struct suggest_target *target, enum netaddr_class c,
		     struct text *t)
{
	enum rule_protocol protocol = suggest_protocol(target);
	enum rule_protocol usual = target->port == HTTP_PORT
					   ? RULE_PROTOCOL_HTTP
					   : RULE_PROTOCOL_TLS;

	add_host(target, t);
	if (target->port != HTTPS_PORT)
		text_addf(t, ":%u", (unsigned int)target->port);
	if (protocol != usual && protocol == RULE_PROTOCOL_HTTP)
		text_add(t, "/http");
	if (protocol != usual && protocol == RULE_PROTOCOL_TCP)
		text_add(t, "/tcp");
	if (needs_private(target, c))
		text_add(t, "+private");
}

/* A name may lead to the host itself only where the user wrote both. */
static void add_answer(const struct suggest_target *target,
		       enum netaddr_class c, struct text *t)
{
	char address[NETADDR_TEXT_BYTES];

	if (target->name == NULL || c == NETADDR_PUBLIC || c == NETADDR_PRIVATE)
		return;
	netaddr_format(target->address, address);
	text_addf(t, " --resolve %s:%s", target->name->text, address);
}

static bool is_folded(const struct netaddr *address)
{
	struct netaddr inner = netaddr_fold(address);

	return !netaddr_equal(&inner, address);
}

/* It is never resolved, so a rule for it alone allows nothing. */
static bool is_localhost(const struct suggest_target *target)
{
	static const struct hostname localhost = {"localhost", 9};
	const struct hostname *name = target->name;

	return name != NULL && target->address == NULL &&
	       (hostname_equal(name, &localhost) ||
		hostname_is_below(name, &localhost));
}

bool suggest_flag(const struct suggest_target *target, struct text *out)
{
	enum netaddr_class c = address_class(target);
	char buf[SUGGEST_MAX_BYTES];
	struct text t;

	if (target->denied_by_rule || c == NETADDR_METADATA ||
	    is_localhost(target) ||
	    (target->name == NULL && target->address == NULL) ||
	    (target->address != NULL && is_folded(target->address)))
		return false;
	text_init(&t, buf, sizeof(buf));
	text_add(&t, "--allow ");
	add_rule(target, c, &t);
	add_answer(target, c, &t);
	if (t.is_cut)
		return false;
	text_add_bytes(out, t.buf, t.len);
	return true;
}
