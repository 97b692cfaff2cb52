/* SPDX-License-Identifier: MIT */
/* conf_group: the groups that stand in lists: rules, mounts, answers. */
#include "conf_group.h"

#include <string.h>

#include "conf_rule.h"
#include "text.h"

#define WHERE_BYTES 512

static void write_where(const struct conf_entry *e, unsigned int line,
			char buf[static WHERE_BYTES])
{
	struct text t;

	text_init(&t, buf, WHERE_BYTES);
	text_addf(&t, "%s:%u", e->name, line);
}

/* "allow[2].ports: 70000 is not accepted; it takes ..." */
static int refuse(const struct conf_entry *e, const struct conf_node *member,
		  const struct conf_node *at, const char *accepted)
{
	char where[WHERE_BYTES], path[128];
	struct conf_value value = at->value;
	struct text t;

	write_where(e, at->line, where);
	text_init(&t, path, sizeof(path));
	text_addf(&t, "%s[%zu]", e->key->path, e->index);
	if (member != NULL)
		text_addf(&t, ".%s", member->name);
	const struct conf_key key = {.path = path, .accepted = accepted};
	value.where = where;
	return conf_refuse(&key, &value, e->diag);
}

static const char *rule_member(size_t i)
{
	static const char *const names[] = {"host",    "address",
					    "ports",   "protocol",
					    "private", "i_mean_any"};

	return names[i];
}

static const char *mount_member(size_t i)
{
	static const char *const names[] = {"source", "target", "access"};

	return names[i];
}

static const char *answer_member(size_t i)
{
	static const char *const names[] = {"host", "address"};

	return names[i];
}

/* Every member of a group must be one of @names. */
static int check_members(const struct conf_entry *e,
			 const char *(*names)(size_t), size_t count)
{
	for (size_t i = 0; i < e->node->count; i++) {
		const struct conf_node *at = &e->node->children[i];
		size_t k = 0;

		while (k < count && strcmp(names(k), at->name) != 0)
			k++;
		if (k < count)
			continue;
		const char *near = conf_nearest(at->name, names, count);
		diag_set(e->diag, "%s:%u: no such key: %s[%zu].%s%s%s", e->name,
			 at->line, e->key->path, e->index, at->name,
			 near != NULL ? "; did you mean " : "",
			 near != NULL ? near : " (exeat-policy(5) lists them)");
		return -1;
	}
	return 0;
}

static const struct conf_node *member(const struct conf_entry *e,
				      const char *name)
{
	for (size_t i = 0; i < e->node->count; i++)
		if (strcmp(e->node->children[i].name, name) == 0)
			return &e->node->children[i];
	return NULL;
}

/* A text member; *text_out is NULL when it is not there. */
static int text_member(const struct conf_entry *e, const char *name,
		       const char **text_out)
{
	const struct conf_node *at = member(e, name);

	*text_out = NULL;
	if (at == NULL)
		return 0;
	if (at->value.type != CONF_TEXT || at->value.len == 0)
		return refuse(e, at, at, "a string");
	*text_out = at->value.text;
	return 0;
}

static int boolean_member(const struct conf_entry *e, const char *name,
			  bool *flag_out)
{
	const struct conf_node *at = member(e, name);

	if (at == NULL)
		return 0;
	if (at->value.type != CONF_BOOLEAN)
		return refuse(e, at, at, "true or false");
	*flag_out = at->value.number != 0;
	return 0;
}

static int ports_member(const struct conf_entry *e, struct conf_rule *rule)
{
	const struct conf_node *ports = member(e, "ports");
	uint16_t port = 0;

	if (ports == NULL)
		return 0;
	if (ports->kind != CONF_NODE_LIST || ports->count == 0 ||
	    ports->count > CONF_RULE_MAX_PORTS)
		return refuse(e, ports, ports,
			      "a list of 1 to 64 ports, such as [443, 8443]");
	for (size_t i = 0; i < ports->count; i++) {
		const struct conf_node *at = &ports->children[i];

		if (!conf_read_port(&at->value, &port))
			return refuse(e, ports, at,
				      "ports from 1 to 65535, such as [443, "
				      "8443]");
		if (conf_rule_add_port(e->conf, rule, port) != 0)
			return conf_out_of_memory(e->diag);
	}
	return 0;
}

static int protocol_member(const struct conf_entry *e, struct conf_rule *rule)
{
	const struct conf_node *at = member(e, "protocol");

	if (at == NULL)
		return 0;
	rule->has_protocol = true;
	if (at->value.type == CONF_TEXT &&
	    conf_rule_protocol(at->value.text, at->value.len, &rule->protocol))
		return 0;
	return refuse(e, at, at, "\"tls\", \"http\" or \"tcp\"");
}

static int read_rule(const struct conf_entry *e)
{
	char where[WHERE_BYTES];
	struct conf_rule rule = {.is_deny = strcmp(e->key->path, "deny") == 0};

	write_where(e, e->node->line, where);
	rule.where = where;
	if (check_members(e, rule_member, 6) != 0 ||
	    text_member(e, "host", &rule.host) != 0 ||
	    text_member(e, "address", &rule.address) != 0 ||
	    ports_member(e, &rule) != 0 || protocol_member(e, &rule) != 0 ||
	    boolean_member(e, "private", &rule.is_private) != 0 ||
	    boolean_member(e, "i_mean_any", &rule.means_any) != 0)
		return -1;
	if ((rule.host == NULL) == (rule.address == NULL))
		return refuse(e, NULL, e->node,
			      "either host or address (and ports, protocol, "
			      "private, i_mean_any)");
	rule.host_len = rule.host != NULL ? strlen(rule.host) : 0;
	rule.address_len = rule.address != NULL ? strlen(rule.address) : 0;
	return conf_rule_add(e->conf, &rule, e->diag);
}

static int access_member(const struct conf_entry *e, bool *is_writable_out)
{
	const struct conf_node *at = member(e, "access");

	if (at == NULL)
		return 0;
	*is_writable_out = at->value.type == CONF_TEXT &&
			   strcmp(at->value.text, "rw") == 0;
	if (*is_writable_out ||
	    (at->value.type == CONF_TEXT && strcmp(at->value.text, "ro") == 0))
		return 0;
	return refuse(e, at, at, "\"ro\" or \"rw\"");
}

static int read_mount(const struct conf_entry *e)
{
	struct conf_mount mount = {.is_writable = false};
	char where[WHERE_BYTES];
	const char *source;

	write_where(e, e->node->line, where);
	if (check_members(e, mount_member, 3) != 0 ||
	    text_member(e, "source", &source) != 0 ||
	    text_member(e, "target", &mount.target) != 0 ||
	    access_member(e, &mount.is_writable) != 0)
		return -1;
	if (source == NULL || mount.target == NULL)
		return refuse(e, NULL, e->node,
			      "source, target and access (\"ro\" or \"rw\")");
	mount.source = (struct conf_value){
		.text = source,
		.len = strlen(source),
		.where = where,
		.folder = e->folder,
	};
	return conf_add_mount_of(e->conf, e->key, &mount, e->diag);
}

static int read_answer(const struct conf_entry *e)
{
	const char *host, *address;
	char where[WHERE_BYTES];

	write_where(e, e->node->line, where);
	if (check_members(e, answer_member, 2) != 0 ||
	    text_member(e, "host", &host) != 0 ||
	    text_member(e, "address", &address) != 0)
		return -1;
	if (host == NULL || address == NULL)
		return refuse(e, NULL, e->node, "host and address");
	const struct conf_value name = {
		.text = host, .len = strlen(host), .where = where};
	const struct conf_value addr = {
		.text = address, .len = strlen(address), .where = where};
	return conf_add_answer_of(e->conf, e->key, &name, &addr, e->diag);
}

int conf_group_read(const struct conf_entry *entry)
{
	switch (entry->key->shape) {
	case CONF_RULES:
		return read_rule(entry);
	case CONF_MOUNTS:
		return read_mount(entry);
	case CONF_ANSWERS:
		return read_answer(entry);
	case CONF_SCALAR:
	case CONF_LIST:
		break;
	}
	return refuse(entry, NULL, entry->node, entry->key->accepted);
}
