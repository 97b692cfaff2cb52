/* SPDX-License-Identifier: MIT */
/* conf_internal: what the files that build a policy share. */
#ifndef CONF_INTERNAL_H
#define CONF_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conf.h"
#include "conf_value.h"
#include "policy_owned.h"
#include "rule.h"

/**
 * struct conf - a policy in the making
 * @owned:	the settings so far, with every default in place
 * @rules:	allow and deny rules in the order of writing
 * @preset_depth: a preset is being read: it may not name others
 */
struct conf {
	struct policy_owned *owned;
	struct rule *rules;
	size_t rule_count;
	char *cwd;
	char *home;
	unsigned int preset_depth;
};

struct conf_key;

/** conf_setter - take one value. Return: 0, or -1 with @diag set. */
typedef int conf_setter(struct conf *conf, const struct conf_key *key,
			const struct conf_value *value, struct diag *diag);

/* What stands at a key in a file. */
enum conf_shape {
	CONF_SCALAR = 0, /* one value */
	CONF_LIST,       /* array or list of values; a flag adds one */
	CONF_RULES,      /* list of groups: host, address, ports, ... */
	CONF_MOUNTS,     /* list of groups: source, target, access */
	CONF_ANSWERS,    /* list of groups: host, address */
};

/**
 * struct conf_key - a row of the table of keys and flags
 * @path:	in files, "files.mode"; NULL: a flag only
 * @flag:	"--mode"; NULL: no flag
 * @operand:	of the flag, for --help; NULL: takes none
 * @help:	one line for --help
 * @accepted:	what a value must be, for messages
 * @offset:	into struct policy, for the setters that serve many keys
 * @min, @max:	for numbers
 * @names:	NULL-terminated, for enumerations
 * @is_secret:	values may hold what must not show in messages
 */
struct conf_key {
	const char *path;
	const char *flag;
	const char *operand;
	const char *help;
	enum conf_shape shape;
	conf_setter *set;
	const char *accepted;
	size_t offset;
	uint64_t min;
	uint64_t max;
	const char *const *names;
	bool is_secret;
};

/** conf_keys - every key; the last row is all NULL */
extern const struct conf_key conf_keys[];

/** conf_refuse() - "WHERE: KEY: VALUE is not accepted: ACCEPTED". Return: -1.
 */
int conf_refuse(const struct conf_key *key, const struct conf_value *value,
		struct diag *diag);

/** conf_nearest() - the name that was probably meant. Return: NULL when none is
 * near. */
const char *conf_nearest(const char *word, const char *(*name)(size_t index),
			 size_t count);

/** conf_out_of_memory() - Return: -1 with @diag set. */
int conf_out_of_memory(struct diag *diag);

/* --- setters that serve many keys: conf_value.c */
conf_setter conf_set_boolean, conf_set_name, conf_set_duration, conf_set_size,
	conf_set_count, conf_set_path, conf_add_path, conf_add_port,
	conf_set_home;

/** conf_read_port() - a number or digits, 1 to 65535 */
bool conf_read_port(const struct conf_value *value, uint16_t *port_out);

/** conf_path() - absolute, with ~ replaced; NULL with @diag set */
const char *conf_path(struct conf *conf, const struct conf_key *key,
		      const struct conf_value *value, struct diag *diag);

/** conf_append_string() - add @string, of the arena, to the list of @key */
int conf_append_string(struct conf *conf, const struct conf_key *key,
		       const char *string, struct diag *diag);

/* --- setters of one key each: conf_set.c, conf_net.c, conf_rule.c */
conf_setter conf_set_version, conf_set_mode, conf_set_observe,
	conf_set_observe_private, conf_set_ech, conf_add_pass,
	conf_add_variable, conf_add_env, conf_add_mount, conf_add_preset;
conf_setter conf_add_listen, conf_add_loopback, conf_add_connect,
	conf_add_server, conf_add_place, conf_set_place, conf_set_url,
	conf_add_except, conf_add_answer;
conf_setter conf_add_allow, conf_add_deny;

/**
 * struct conf_mount - a mount as written
 * @source:	a value, since messages and relative paths need its place
 */
struct conf_mount {
	struct conf_value source;
	const char *target;
	bool is_writable;
};

/** conf_add_mount_of() - from a group */
int conf_add_mount_of(struct conf *conf, const struct conf_key *key,
		      const struct conf_mount *written, struct diag *diag);

/** conf_add_answer_of() - from a group */
int conf_add_answer_of(struct conf *conf, const struct conf_key *key,
		       const struct conf_value *host,
		       const struct conf_value *address, struct diag *diag);

/* --- presets: generated from presets/ */

/** struct conf_preset - a small policy that comes with exeat */
struct conf_preset {
	const char *name;
	const char *text;
};

/** conf_presets - ends with a NULL name */
extern const struct conf_preset conf_presets[];

#endif
