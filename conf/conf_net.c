/* SPDX-License-Identifier: MIT */
/* conf_net: the setters of ports, name servers and fixed answers. */
#include <string.h>

#include "conf_endpoint.h"
#include "conf_internal.h"
#include "conf_rule.h"
#include "idna.h"
#include "text.h"

#define DNS_PORT 53

/* 0.0.0.0 or ::, which stand for every address of the host. */
static bool is_any(const struct netaddr *addr)
{
	const struct netaddr any = {.family = addr->family};

	return netaddr_equal(addr, &any);
}

static bool parse_listen(const struct conf_value *value,
			 struct policy_listen *listen)
{
	*listen = (struct policy_listen){
		.host_address = {.family = AF_INET, .bytes = {127, 0, 0, 1}},
	};
	if (conf_read_port(value, &listen->port)) {
		listen->host_port = listen->port;
		return true;
	}
	if (value->type != CONF_TEXT)
		return false;
	const char *colon = memchr(value->text, ':', value->len);
	if (colon == NULL)
		return false;
	size_t head = (size_t)(colon - value->text);
	if (text_parse_port(value->text, head, &listen->port))
		return text_parse_port(colon + 1, value->len - head - 1,
				       &listen->host_port);
	bool is_endpoint = conf_endpoint_parse(value->text, value->len,
					       &listen->host_address,
					       &listen->host_port) &&
			   listen->host_port != 0;
	listen->port = listen->host_port;
	return is_endpoint;
}

/* The host could not open both. */
static bool is_overlap(const struct policy_listen *a,
		       const struct policy_listen *b)
{
	return a->host_port == b->host_port &&
	       (netaddr_equal(&a->host_address, &b->host_address) ||
		(a->host_address.family == b->host_address.family &&
		 (is_any(&a->host_address) || is_any(&b->host_address))));
}

static bool has_port(const struct policy_ports *ports, uint16_t port)
{
	for (size_t i = 0; i < ports->count; i++)
		if (ports->items[i] == port)
			return true;
	return false;
}

static int refuse_both(const struct conf_key *key,
		       const struct conf_value *value, uint16_t port,
		       struct diag *diag)
{
	diag_set(diag,
		 "%s: %s: port %u cannot be both in ports.listen (a server "
		 "inside) and ports.loopback (a server on the host)",
		 value->where, key->path, port);
	return -1;
}

static int add_listen(struct conf *conf, const struct conf_key *key,
		      const struct conf_value *value, struct diag *diag)
{
	struct policy *policy = &conf->owned->policy;
	struct policy_listen listen;

	if (!parse_listen(value, &listen))
		return conf_refuse(key, value, diag);
	for (size_t i = 0; i < policy->ports.listen_count; i++) {
		if (!is_overlap(&policy->ports.listen[i], &listen))
			continue;
		diag_set(diag, "%s: %s: port %u of the host stands twice",
			 value->where, key->path, listen.host_port);
		return -1;
	}
	if (has_port(&policy->ports.loopback, listen.port))
		return refuse_both(key, value, listen.port, diag);
	if (arena_append(&conf->owned->arena, &policy->ports.listen,
			 &policy->ports.listen_count, &listen,
			 sizeof(listen)) != 0)
		return conf_out_of_memory(diag);
	return 0;
}

/* "[ADDR:]FIRST-LAST", as one entry for each port.
 * Return: false: it is no range. */
static bool parse_range(const struct conf_value *value, size_t *head_out,
			uint16_t *first_out, uint16_t *last_out)
{
	if (value->type != CONF_TEXT)
		return false;
	const char *dash = memchr(value->text, '-', value->len);
	if (dash == NULL)
		return false;
	const char *end = value->text + value->len;
	const char *at = dash;
	while (at > value->text && at[-1] != ':')
		at--;
	*head_out = (size_t)(at - value->text);
	return text_parse_port(at, (size_t)(dash - at), first_out) &&
	       text_parse_port(dash + 1, (size_t)(end - dash) - 1, last_out) &&
	       *first_out <= *last_out;
}

int conf_add_listen(struct conf *conf, const struct conf_key *key,
		    const struct conf_value *value, struct diag *diag)
{
	struct conf_value one = *value;
	char words[NETADDR_TEXT_BYTES + sizeof("[]:65535")];
	size_t head;
	uint16_t first, last, inner;
	struct text t;
	int rc = 0;

	if (!parse_range(value, &head, &first, &last))
		return add_listen(conf, key, value, diag);
	if (head > 0 && text_parse_port(value->text, head - 1, &inner))
		return conf_refuse(key, value, diag);
	for (uint32_t port = first; port <= last && rc == 0; port++) {
		text_init(&t, words, sizeof(words));
		text_add_bytes(&t, value->text, head);
		text_addf(&t, "%u", port);
		if (t.is_cut)
			return conf_refuse(key, value, diag);
		one.text = words;
		one.len = t.len;
		rc = add_listen(conf, key, &one, diag);
	}
	return rc;
}

int conf_add_loopback(struct conf *conf, const struct conf_key *key,
		      const struct conf_value *value, struct diag *diag)
{
	const struct policy *policy = &conf->owned->policy;
	uint16_t port;

	if (!conf_read_port(value, &port))
		return conf_refuse(key, value, diag);
	for (size_t i = 0; i < policy->ports.listen_count; i++)
		if (policy->ports.listen[i].port == port)
			return refuse_both(key, value, port, diag);
	return conf_add_port(conf, key, value, diag);
}

/* Every site on a port is every name, and every address that is public. */
int conf_add_connect(struct conf *conf, const struct conf_key *key,
		     const struct conf_value *value, struct diag *diag)
{
	static const char *const blocks[] = {"0.0.0.0/0", "::/0"};
	struct conf_rule rule = {.where = value->where, .means_any = true};
	uint16_t port;

	if (!conf_read_port(value, &port))
		return conf_refuse(key, value, diag);
	if (has_port(&conf->owned->policy.ports.connect, port))
		return 0;
	if (conf_add_port(conf, key, value, diag) != 0)
		return -1;
	if (conf_rule_add_port(conf, &rule, port) != 0)
		return conf_out_of_memory(diag);
	rule.has_protocol = port != 80;
	rule.protocol = RULE_PROTOCOL_TCP;
	rule.host = "*";
	rule.host_len = 1;
	if (conf_rule_add(conf, &rule, diag) != 0)
		return -1;
	rule.host = NULL;
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
		rule.address = blocks[i];
		rule.address_len = strlen(blocks[i]);
		if (conf_rule_add(conf, &rule, diag) != 0)
			return -1;
	}
	return 0;
}

int conf_add_server(struct conf *conf, const struct conf_key *key,
		    const struct conf_value *value, struct diag *diag)
{
	struct policy *policy = &conf->owned->policy;
	struct policy_endpoint server = {.port = DNS_PORT};

	if (value->type != CONF_TEXT ||
	    !conf_endpoint_parse(value->text, value->len, &server.address,
				 &server.port))
		return conf_refuse(key, value, diag);
	if (arena_append(&conf->owned->arena, &policy->dns.servers,
			 &policy->dns.server_count, &server,
			 sizeof(server)) != 0)
		return conf_out_of_memory(diag);
	return 0;
}

int conf_add_answer_of(struct conf *conf, const struct conf_key *key,
		       const struct conf_value *host,
		       const struct conf_value *address, struct diag *diag)
{
	struct policy *policy = &conf->owned->policy;
	struct policy_answer answer;
	const char *text = address->text;
	size_t len = address->len;

	const char *why = idna_to_hostname(host->text, host->len, &answer.host);
	if (why != NULL) {
		diag_set(diag, "%s: %s: \"%s\" is no host name: %s",
			 host->where, key->path, host->text, why);
		return -1;
	}
	if (len >= 2 && text[0] == '[' && text[len - 1] == ']') {
		text++;
		len -= 2;
	}
	if (!netaddr_parse(text, len, &answer.address)) {
		diag_set(diag, "%s: %s: \"%s\" is no IP address", host->where,
			 key->path, address->text);
		return -1;
	}
	if (arena_append(&conf->owned->arena, &policy->answers,
			 &policy->answer_count, &answer, sizeof(answer)) != 0)
		return conf_out_of_memory(diag);
	return 0;
}

/* HOST:ADDRESS; a host has no colon, an address may. */
int conf_add_answer(struct conf *conf, const struct conf_key *key,
		    const struct conf_value *value, struct diag *diag)
{
	const char *colon =
		value->type == CONF_TEXT ? strchr(value->text, ':') : NULL;
	char name[HOSTNAME_MAX_BYTES * 4];
	size_t len = colon != NULL ? (size_t)(colon - value->text) : 0;

	if (len == 0 || len >= sizeof(name))
		return conf_refuse(key, value, diag);
	memcpy(name, value->text, len);
	name[len] = '\0';
	struct conf_value host = *value, address = *value;
	host.text = name;
	host.len = len;
	address.text = colon + 1;
	address.len = value->len - len - 1;
	return conf_add_answer_of(conf, key, &host, &address, diag);
}
