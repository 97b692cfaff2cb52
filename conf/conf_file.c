/* SPDX-License-Identifier: MIT */
/*
 * conf_file: reads a policy file by way of libconfig.
 *
 * How it works: the settings are walked in the order of the file. The path of
 * each ("files.mode") is looked up in conf_keys, which says what must stand
 * there and what takes it.
 */
#include <libconfig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conf_internal.h"
#include "text.h"

#define PATH_BYTES 128

/**
 * struct reading - one file
 * @name:	for messages
 * @folder:	relative paths are below it
 */
struct reading {
	struct conf *conf;
	struct diag *diag;
	const char *name;
	char *folder;
	bool has_version;
};

static void write_where(const struct reading *in, const config_setting_t *at,
			char *buf, size_t size)
{
	struct text where;

	text_init(&where, buf, size);
	text_addf(&where, "%s:%u", in->name, config_setting_source_line(at));
}

static struct conf_value value_of(const config_setting_t *at)
{
	struct conf_value value = {.type = CONF_OTHER, .text = ""};

	switch (config_setting_type(at)) {
	case CONFIG_TYPE_STRING:
		value.type = CONF_TEXT;
		value.text = config_setting_get_string(at);
		value.len = strlen(value.text);
		break;
	case CONFIG_TYPE_INT:
		value.type = CONF_INTEGER;
		value.number = config_setting_get_int(at);
		break;
	case CONFIG_TYPE_INT64:
		value.type = CONF_INTEGER;
		value.number = config_setting_get_int64(at);
		break;
	case CONFIG_TYPE_BOOL:
		value.type = CONF_BOOLEAN;
		value.number = config_setting_get_bool(at);
		break;
	default:
		break;
	}
	return value;
}

static int set_value(struct reading *in, const struct conf_key *key,
		     const config_setting_t *at)
{
	char where[512];
	struct conf_value value = value_of(at);

	write_where(in, at, where, sizeof(where));
	value.where = where;
	value.folder = in->folder;
	if (value.type == CONF_OTHER)
		return conf_refuse(key, &value, in->diag);
	return key->set(in->conf, key, &value, in->diag);
}

static const char *rule_member(size_t i)
{
	static const char *const names[] = {"host",    "address",
					    "ports",   "protocol",
					    "private", "i_mean_any"};

	return names[i];
}

#define RULE_MEMBER_COUNT 6

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
static int check_members(const struct reading *in, const struct conf_key *key,
			 const config_setting_t *group,
			 const char *(*names)(size_t), size_t count)
{
	int length = config_setting_length(group);

	for (int i = 0; i < length; i++) {
		const config_setting_t *at =
			config_setting_get_elem(group, (unsigned int)i);
		const char *name = config_setting_name(at);
		size_t k = 0;

		while (k < count && strcmp(names(k), name) != 0)
			k++;
		if (k < count)
			continue;
		const char *near = conf_nearest(name, names, count);
		diag_set(in->diag, "%s:%u: %s: no such key: %s%s%s", in->name,
			 config_setting_source_line(at), key->path, name,
			 near != NULL ? "; did you mean " : "",
			 near != NULL ? near : "");
		return -1;
	}
	return 0;
}

static int wrong_member(const struct reading *in, const struct conf_key *key,
			const config_setting_t *at, const char *accepted)
{
	diag_set(in->diag, "%s:%u: %s: %s must be %s", in->name,
		 config_setting_source_line(at), key->path,
		 config_setting_name(at), accepted);
	return -1;
}

/* A text member; *text_out stays NULL when it is not there. */
static int text_member(const struct reading *in, const struct conf_key *key,
		       const config_setting_t *group, const char *name,
		       const char **text_out)
{
	const config_setting_t *at = config_setting_get_member(group, name);

	*text_out = NULL;
	if (at == NULL)
		return 0;
	*text_out = config_setting_get_string(at);
	return *text_out != NULL ? 0 : wrong_member(in, key, at, "a string");
}

static int flag_member(const struct reading *in, const struct conf_key *key,
		       const config_setting_t *group, const char *name,
		       bool *flag_out)
{
	const config_setting_t *at = config_setting_get_member(group, name);

	if (at == NULL)
		return 0;
	if (config_setting_type(at) != CONFIG_TYPE_BOOL)
		return wrong_member(in, key, at, "true or false");
	*flag_out = config_setting_get_bool(at) != 0;
	return 0;
}

static int port_member(struct reading *in, const config_setting_t *at,
		       const struct conf_key *key, struct conf_rule *rule)
{
	struct conf_value value = value_of(at);
	uint16_t port = 0;

	if (value.type == CONF_INTEGER && value.number >= 1 &&
	    value.number <= 65535)
		port = (uint16_t)value.number;
	else if (value.type != CONF_TEXT ||
		 !text_parse_port(value.text, value.len, &port)) {
		diag_set(in->diag,
			 "%s:%u: %s: ports are numbers from 1 to "
			 "65535",
			 in->name, config_setting_source_line(at), key->path);
		return -1;
	}
	if (arena_append(&in->conf->owned->arena, &rule->ports,
			 &rule->port_count, &port, sizeof(port)) != 0)
		return conf_out_of_memory(in->diag);
	return 0;
}

static int ports_member(struct reading *in, const struct conf_key *key,
			const config_setting_t *group, struct conf_rule *rule)
{
	const config_setting_t *at = config_setting_get_member(group, "ports");

	if (at == NULL)
		return 0;
	if (!config_setting_is_aggregate(at) || config_setting_is_group(at) ||
	    config_setting_length(at) == 0)
		return wrong_member(in, key, at,
				    "a list of ports, such as [443, 8443]");
	for (int i = 0; i < config_setting_length(at); i++)
		if (port_member(in,
				config_setting_get_elem(at, (unsigned int)i),
				key, rule) != 0)
			return -1;
	return 0;
}

static int protocol_member(const struct reading *in, const struct conf_key *key,
			   const config_setting_t *group,
			   struct conf_rule *rule)
{
	const config_setting_t *at =
		config_setting_get_member(group, "protocol");

	if (at == NULL)
		return 0;
	const char *text = config_setting_get_string(at);
	rule->has_protocol = true;
	if (text != NULL &&
	    conf_rule_protocol(text, strlen(text), &rule->protocol))
		return 0;
	return wrong_member(in, key, at, "\"tls\", \"http\" or \"tcp\"");
}

static int add_rule(struct reading *in, const struct conf_key *key,
		    const config_setting_t *group)
{
	char where[512];
	struct conf_rule rule = {.is_deny = strcmp(key->path, "deny") == 0};

	write_where(in, group, where, sizeof(where));
	rule.where = where;
	if (check_members(in, key, group, rule_member, RULE_MEMBER_COUNT) !=
		    0 ||
	    text_member(in, key, group, "host", &rule.host) != 0 ||
	    text_member(in, key, group, "address", &rule.address) != 0 ||
	    ports_member(in, key, group, &rule) != 0 ||
	    protocol_member(in, key, group, &rule) != 0 ||
	    flag_member(in, key, group, "private", &rule.is_private) != 0 ||
	    flag_member(in, key, group, "i_mean_any", &rule.means_any) != 0)
		return -1;
	rule.host_len = rule.host != NULL ? strlen(rule.host) : 0;
	rule.address_len = rule.address != NULL ? strlen(rule.address) : 0;
	return conf_rule_add(in->conf, &rule, in->diag);
}

static int add_mount(struct reading *in, const struct conf_key *key,
		     const config_setting_t *group)
{
	const char *source, *target, *access;
	char where[512];

	write_where(in, group, where, sizeof(where));
	if (check_members(in, key, group, mount_member, 3) != 0 ||
	    text_member(in, key, group, "source", &source) != 0 ||
	    text_member(in, key, group, "target", &target) != 0 ||
	    text_member(in, key, group, "access", &access) != 0)
		return -1;
	bool is_writable = access != NULL && strcmp(access, "rw") == 0;
	if (source == NULL || target == NULL || target[0] == '\0' ||
	    (access != NULL && !is_writable && strcmp(access, "ro") != 0)) {
		diag_set(in->diag,
			 "%s: %s: a mount has source, target and "
			 "access (\"ro\" or \"rw\")",
			 where, key->path);
		return -1;
	}
	const struct conf_mount mount = {
		.source = {.text = source,
			   .len = strlen(source),
			   .where = where,
			   .folder = in->folder},
		.target = target,
		.is_writable = is_writable,
	};
	return conf_add_mount_of(in->conf, key, &mount, in->diag);
}

static int add_answer(struct reading *in, const struct conf_key *key,
		      const config_setting_t *group)
{
	const char *host, *address;
	char where[512];

	write_where(in, group, where, sizeof(where));
	if (check_members(in, key, group, answer_member, 2) != 0 ||
	    text_member(in, key, group, "host", &host) != 0 ||
	    text_member(in, key, group, "address", &address) != 0)
		return -1;
	if (host == NULL || address == NULL) {
		diag_set(in->diag, "%s: %s: an answer has host and address",
			 where, key->path);
		return -1;
	}
	const struct conf_value name = {
		.text = host, .len = strlen(host), .where = where};
	const struct conf_value addr = {
		.text = address, .len = strlen(address), .where = where};
	return conf_add_answer_of(in->conf, key, &name, &addr, in->diag);
}

/* One entry of a list: a group, or the text that a flag would take. */
static int add_entry(struct reading *in, const struct conf_key *key,
		     const config_setting_t *at)
{
	if (!config_setting_is_group(at) || key->shape == CONF_LIST)
		return set_value(in, key, at);
	if (key->shape == CONF_RULES)
		return add_rule(in, key, at);
	if (key->shape == CONF_MOUNTS)
		return add_mount(in, key, at);
	return add_answer(in, key, at);
}

static int read_key(struct reading *in, const struct conf_key *key,
		    const config_setting_t *at)
{
	bool is_list =
		config_setting_is_array(at) || config_setting_is_list(at);

	if (strcmp(key->path, "version") == 0)
		in->has_version = true;
	if (key->shape == CONF_SCALAR)
		return set_value(in, key, at);
	if (!is_list) {
		diag_set(in->diag,
			 "%s:%u: %s must be a list: ( ... ) or "
			 "[ ... ] of %s",
			 in->name, config_setting_source_line(at), key->path,
			 key->accepted);
		return -1;
	}
	for (int i = 0; i < config_setting_length(at); i++)
		if (add_entry(in, key,
			      config_setting_get_elem(at, (unsigned int)i)) !=
		    0)
			return -1;
	return 0;
}

static const struct conf_key *find_key(const char *path)
{
	for (const struct conf_key *key = conf_keys; key->set != NULL; key++)
		if (key->path != NULL && strcmp(key->path, path) == 0)
			return key;
	return NULL;
}

/* "ports" is no key, but the start of some. */
static bool is_group_of_keys(const char *path)
{
	size_t len = strlen(path);

	for (const struct conf_key *key = conf_keys; key->set != NULL; key++)
		if (key->path != NULL && strncmp(key->path, path, len) == 0 &&
		    key->path[len] == '.')
			return true;
	return false;
}

static const char *key_name(size_t i)
{
	return conf_keys[i].path != NULL ? conf_keys[i].path : "";
}

static int unknown_key(const struct reading *in, const char *path,
		       const config_setting_t *at)
{
	size_t count = 0;

	while (conf_keys[count].set != NULL)
		count++;
	const char *near = conf_nearest(path, key_name, count);
	diag_set(in->diag,
		 "%s:%u: no such key: %s%s%s (exeat-policy(5) lists "
		 "them)",
		 in->name, config_setting_source_line(at), path,
		 near != NULL ? "; did you mean " : "",
		 near != NULL ? near : "");
	return -1;
}

static int read_group(struct reading *in, const config_setting_t *group,
		      const char *prefix);

static int read_setting(struct reading *in, const config_setting_t *at,
			const char *prefix)
{
	char path[PATH_BYTES];
	struct text t;

	text_init(&t, path, sizeof(path));
	text_addf(&t, "%s%s%s", prefix, prefix[0] != '\0' ? "." : "",
		  config_setting_name(at));
	const struct conf_key *key = t.is_cut ? NULL : find_key(path);
	if (key != NULL)
		return read_key(in, key, at);
	/* Groups are one level deep: a deeper one finds no key. */
	if (prefix[0] != '\0' || t.is_cut || !is_group_of_keys(path))
		return unknown_key(in, path, at);
	if (!config_setting_is_group(at)) {
		diag_set(in->diag, "%s:%u: %s must be a group: { ... }",
			 in->name, config_setting_source_line(at), path);
		return -1;
	}
	return read_group(in, at, path);
}

static int read_group(struct reading *in, const config_setting_t *group,
		      const char *prefix)
{
	int length = config_setting_length(group);

	for (int i = 0; i < length; i++)
		if (read_setting(
			    in, config_setting_get_elem(group, (unsigned int)i),
			    prefix) != 0)
			return -1;
	return 0;
}

static int read_root(struct reading *in, const config_t *config)
{
	if (read_group(in, config_root_setting(config), "") != 0)
		return -1;
	if (in->has_version)
		return 0;
	diag_set(in->diag,
		 "%s:1: version is missing: a policy file starts "
		 "with: version = 1;",
		 in->name);
	return -1;
}

/* The folder of @name, absolute. */
static char *folder_of(const struct conf *conf, const char *name)
{
	const char *slash = strrchr(name, '/');
	size_t len = slash != NULL ? (size_t)(slash - name) : 0;
	bool is_absolute = name[0] == '/';
	size_t cwd_len = is_absolute ? 0 : strlen(conf->cwd);
	char *folder = calloc(1, cwd_len + len + 2);

	if (folder == NULL)
		return NULL;
	memcpy(folder, conf->cwd, cwd_len);
	if (is_absolute || len > 0) {
		folder[cwd_len] = '/';
		memcpy(folder + cwd_len + !is_absolute, name, len);
	}
	return folder;
}

int conf_add_file(struct conf *conf, const char *name, const char *text,
		  size_t len, struct diag *diag)
{
	struct reading in = {.conf = conf, .diag = diag, .name = name};
	config_t config;
	int rc = -1;

	if (conf_scan(name, text, len, diag) != 0)
		return -1;
	in.folder = folder_of(conf, name);
	/* libconfig wants a NUL at the end. */
	char *copy = malloc(len + 1);
	config_init(&config);
	if (in.folder == NULL || copy == NULL) {
		(void)conf_out_of_memory(diag);
		goto out;
	}
	memcpy(copy, text, len);
	copy[len] = '\0';
	if (config_read_string(&config, copy) == CONFIG_TRUE)
		rc = read_root(&in, &config);
	else
		diag_set(diag, "%s:%d: %s", name, config_error_line(&config),
			 config_error_text(&config));
out:
	config_destroy(&config);
	free(copy);
	free(in.folder);
	return rc;
}
