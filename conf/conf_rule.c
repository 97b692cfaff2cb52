/* SPDX-License-Identifier: MIT */
/* conf_rule: reads and checks rules, RULE = HOST|ADDRESS|CIDR [:PORT{,PORT}]
 * [/tls|http|tcp] [+private]. */
#include "conf_rule.h"

#include <string.h>

#include "conf_internal.h"
#include "idna.h"
#include "public_suffix.h"
#include "text.h"

bool conf_rule_protocol(const char *s, size_t len, enum rule_protocol *out)
{
	static const char *const names[] = {
		[RULE_PROTOCOL_TLS] = "tls",
		[RULE_PROTOCOL_HTTP] = "http",
		[RULE_PROTOCOL_TCP] = "tcp",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) != len || memcmp(names[i], s, len) != 0)
			continue;
		*out = (enum rule_protocol)i;
		return true;
	}
	return false;
}

static void add_ports(struct text *t, const struct rule *rule)
{
	for (size_t i = 0; i < rule->port_count; i++)
		text_addf(t, "%c%u", i == 0 ? ':' : ',', rule->ports[i]);
}

/* The rule as it would be written on a command line. */
static const char *write_text(struct arena *arena, const struct rule *rule)
{
	static const char *const protocols[] = {"/tls", "/http", "/tcp"};
	char buf[HOSTNAME_MAX_BYTES + 8 * CONF_RULE_MAX_PORTS + 64];
	char address[NETADDR_TEXT_BYTES];
	struct text t;

	text_init(&t, buf, sizeof(buf));
	switch (rule->kind) {
	case RULE_ANY:
		text_add(&t, "*");
		break;
	case RULE_BELOW:
		text_addf(&t, "*.%s", rule->host.text);
		break;
	case RULE_NAME:
		text_add(&t, rule->host.text);
		break;
	case RULE_ADDRESS:
		netaddr_format(&rule->block.addr, address);
		bool is_v6 = rule->block.addr.family == AF_INET6;
		text_addf(&t, "%s%s", is_v6 ? "[" : "", address);
		if (rule->block.prefix_bits != (is_v6 ? 128 : 32))
			text_addf(&t, "/%u", rule->block.prefix_bits);
		text_add(&t, is_v6 ? "]" : "");
		break;
	}
	add_ports(&t, rule);
	if (rule->has_protocol)
		text_add(&t, protocols[rule->protocol]);
	if (rule->is_private)
		text_add(&t, "+private");
	return arena_strndup(arena, buf, t.len);
}

/* The class that a rule for this block must be marked for, if any. */
static bool needs_private(const struct netaddr_block *block,
			  enum netaddr_class *class_out)
{
	static const enum netaddr_class classes[] = {
		NETADDR_PRIVATE, NETADDR_LOOPBACK, NETADDR_LINK_LOCAL};

	/* It lies in such a block, and is open by being written exactly. */
	if (netaddr_block_is_exact(block) &&
	    netaddr_classify(&block->addr) == NETADDR_METADATA)
		return false;
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (!netaddr_block_is_within(block, classes[i]))
			continue;
		*class_out = classes[i];
		return true;
	}
	return false;
}

/* A block of private addresses that is not called private is a slip. */
static int check_block(const struct rule *rule, struct diag *diag)
{
	char purpose[NETADDR_PURPOSE_BYTES];
	enum netaddr_class c;

	if (rule->is_deny || rule->is_private ||
	    !needs_private(&rule->block, &c) ||
	    !netaddr_purpose(&rule->block.addr, purpose))
		return 0;
	diag_set(diag,
		 "%s: the addresses are %s (%s): say so with +private (in a "
		 "file: private = true)",
		 rule->source, netaddr_class_text(c), purpose);
	return -1;
}

static int check_wildcard(const struct rule *rule, struct diag *diag)
{
	if (rule->is_deny)
		return 0;
	if (strchr(rule->host.text, '.') == NULL ||
	    public_suffix_is(&rule->host)) {
		diag_set(diag,
			 "%s: *.%s would allow everybody's sites below "
			 "%s: a wildcard needs a name of its own below it",
			 rule->source, rule->host.text, rule->host.text);
		return -1;
	}
	return 0;
}

/* What people paste. */
static int refuse_url(const char *source, struct diag *diag)
{
	diag_set(diag,
		 "%s: a rule names a host, not a URL: leave out the "
		 "scheme and the path",
		 source);
	return -1;
}

static int read_host(struct rule *rule, const struct conf_rule *written,
		     struct diag *diag)
{
	const char *host = written->host;
	size_t len = written->host_len;

	if (len == 1 && host[0] == '*') {
		rule->kind = RULE_ANY;
		if (rule->is_deny || written->means_any)
			return 0;
		diag_set(diag,
			 "%s: \"*\" allows every site: in a file, with "
			 "i_mean_any = true, or say --observe",
			 rule->source);
		return -1;
	}
	if (memmem(host, len, "://", 3) != NULL)
		return refuse_url(rule->source, diag);
	if (len > 2 && host[0] == '*' && host[1] == '.') {
		rule->kind = RULE_BELOW;
		host += 2;
		len -= 2;
	}
	const char *why = idna_to_hostname(host, len, &rule->host);
	if (why != NULL && netaddr_parse_block(host, len, &rule->block)) {
		diag_set(diag,
			 "%s: \"%.*s\" is no host name: write address = "
			 "\"%.*s\"",
			 rule->source, (int)len, host, (int)len, host);
		return -1;
	}
	if (why != NULL) {
		diag_set(diag,
			 "%s: \"%.*s\" is neither a host name nor an "
			 "address: %s",
			 rule->source, (int)written->host_len, written->host,
			 why);
		return -1;
	}
	return rule->kind == RULE_BELOW ? check_wildcard(rule, diag) : 0;
}

static int read_destination(struct rule *rule, const struct conf_rule *written,
			    struct diag *diag)
{
	if (written->address == NULL)
		return read_host(rule, written, diag);
	rule->kind = RULE_ADDRESS;
	if (!netaddr_parse_block(written->address, written->address_len,
				 &rule->block)) {
		diag_set(diag,
			 "%s: \"%.*s\" is no address and no block "
			 "(ADDRESS/BITS with all other bits zero)",
			 rule->source, (int)written->address_len,
			 written->address);
		return -1;
	}
	rule->block = netaddr_block_unmap(&rule->block);
	return check_block(rule, diag);
}

int conf_rule_add_port(struct conf *conf, struct conf_rule *rule, uint16_t port)
{
	if (rule->port_count == CONF_RULE_MAX_PORTS)
		return -1;
	return arena_append(&conf->owned->arena, &rule->ports,
			    &rule->port_count, &port, sizeof(port));
}

int conf_rule_add(struct conf *conf, const struct conf_rule *written,
		  struct diag *diag)
{
	static const uint16_t https[] = {443};
	static const uint16_t http[] = {80};
	struct arena *arena = &conf->owned->arena;
	struct rule rule = {
		.is_deny = written->is_deny,
		.ports = written->ports,
		.port_count = written->port_count,
		.has_protocol = written->has_protocol,
		.protocol = written->protocol,
		.is_private = written->is_private,
		.source = arena_strndup(arena, written->where,
					strlen(written->where)),
	};

	if (rule.source == NULL)
		return conf_out_of_memory(diag);
	if (read_destination(&rule, written, diag) != 0)
		return -1;
	if (rule.port_count == 0 && !rule.is_deny) {
		bool is_http = rule.has_protocol &&
			       rule.protocol == RULE_PROTOCOL_HTTP;
		rule.ports = is_http ? http : https;
		rule.port_count = 1;
	}
	rule.text = write_text(arena, &rule);
	if (rule.text == NULL ||
	    arena_append(arena, &conf->rules, &conf->rule_count, &rule,
			 sizeof(rule)) != 0)
		return conf_out_of_memory(diag);
	return 0;
}

/* Cut @suffix off the end; true when it was there. */
static bool cut_suffix(const char *s, size_t *len, const char *suffix)
{
	size_t n = strlen(suffix);

	if (*len < n || memcmp(s + *len - n, suffix, n) != 0)
		return false;
	*len -= n;
	return true;
}

/* "/tls" and the like at the end; "/24" of a block stays. */
static bool cut_protocol(const char *s, size_t *len, struct conf_rule *rule)
{
	const char *slash = memrchr(s, '/', *len);

	if (slash == NULL)
		return true;
	const char *word = slash + 1;
	size_t word_len = *len - (size_t)(word - s);
	if (conf_rule_protocol(word, word_len, &rule->protocol)) {
		rule->has_protocol = true;
		*len = (size_t)(slash - s);
		return true;
	}
	return word_len > 0 && word[0] >= '0' && word[0] <= '9';
}

/* ":443,8443" at the end, behind a host, an IPv4 block or a bracket. */
static int cut_ports(struct conf *conf, const char *s, size_t *len,
		     struct conf_rule *rule)
{
	const char *colon = memrchr(s, ':', *len);
	bool is_bracketed = *len > 0 && s[0] == '[';

	if (colon == NULL)
		return 0;
	if (is_bracketed ? colon[-1] != ']' : memchr(s, ':', *len) != colon)
		/* Colons of an address: no port. */
		return 0;
	const char *at = colon + 1;
	const char *end = s + *len;
	*len = (size_t)(colon - s);
	for (;;) {
		const char *comma = memchr(at, ',', (size_t)(end - at));
		const char *stop = comma != NULL ? comma : end;
		uint16_t port;

		if (!text_parse_port(at, (size_t)(stop - at), &port) ||
		    conf_rule_add_port(conf, rule, port) != 0)
			return -1;
		if (comma == NULL)
			return 0;
		at = comma + 1;
	}
}

static bool is_address(const char *s, size_t len)
{
	struct netaddr_block block;
	const char *slash = memchr(s, '/', len);

	return slash != NULL || netaddr_parse_block(s, len, &block);
}

static int add_written(struct conf *conf, const struct conf_value *value,
		       bool is_deny, struct diag *diag)
{
	struct conf_rule rule = {.is_deny = is_deny, .where = value->where};
	const char *s = value->text;
	size_t len = value->len;

	if (strstr(s, "://") != NULL)
		return refuse_url(value->where, diag);
	rule.is_private = cut_suffix(s, &len, "+private");
	if (!cut_protocol(s, &len, &rule)) {
		diag_set(diag, "%s: after / stands tls, http or tcp",
			 value->where);
		return -1;
	}
	if (cut_ports(conf, s, &len, &rule) != 0) {
		diag_set(diag,
			 "%s: after the host stand ports from 1 to 65535 "
			 "(at most %d), such as :443 or :443,8443",
			 value->where, CONF_RULE_MAX_PORTS);
		return -1;
	}
	if (len >= 2 && s[0] == '[' && s[len - 1] == ']') {
		/* Brackets hold an IPv6 address or block, nothing else. */
		rule.address = s + 1;
		rule.address_len = len - 2;
		if (memchr(rule.address, ':', rule.address_len) == NULL) {
			diag_set(diag, "%s: brackets are for IPv6 addresses",
				 value->where);
			return -1;
		}
	} else if (is_address(s, len)) {
		rule.address = s;
		rule.address_len = len;
	} else {
		rule.host = s;
		rule.host_len = len;
	}
	return conf_rule_add(conf, &rule, diag);
}

int conf_add_allow(struct conf *conf, const struct conf_key *key,
		   const struct conf_value *value, struct diag *diag)
{
	if (value->type != CONF_TEXT)
		return conf_refuse(key, value, diag);
	return add_written(conf, value, false, diag);
}

int conf_add_deny(struct conf *conf, const struct conf_key *key,
		  const struct conf_value *value, struct diag *diag)
{
	if (value->type != CONF_TEXT)
		return conf_refuse(key, value, diag);
	return add_written(conf, value, true, diag);
}
