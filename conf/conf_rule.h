/* SPDX-License-Identifier: MIT */
/* conf_rule: rules as they are written in files and flags. */
#ifndef CONF_RULE_H
#define CONF_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decision.h"
#include "diag.h"

struct conf;

#define CONF_RULE_MAX_PORTS 64

/**
 * struct conf_rule - a rule as written, before it is checked
 * @host:	or @address; the other is NULL
 * @where:	file and line, or the flag
 */
struct conf_rule {
	bool is_deny;
	const char *host;
	size_t host_len;
	const char *address;
	size_t address_len;
	const uint16_t *ports;
	size_t port_count;
	bool has_protocol;
	enum rule_protocol protocol;
	bool is_private;
	bool means_any;
	const char *where;
};

/** conf_rule_protocol() - "tls", "http", "tcp" */
bool conf_rule_protocol(const char *s, size_t len, enum rule_protocol *out);

/** conf_rule_add_port() - Return: 0, or -1: too many, or out of memory. */
int conf_rule_add_port(struct conf *conf, struct conf_rule *rule,
		       uint16_t port);

/** conf_rule_add() - check it and add it to the rules. Return: 0, or -1 with
 * @diag set. */
int conf_rule_add(struct conf *conf, const struct conf_rule *written,
		  struct diag *diag);

#endif
