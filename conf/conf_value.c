/* SPDX-License-Identifier: MIT */
/* conf_value: the setters that serve many keys, by offset into the policy. */
#include <string.h>

#include "conf_internal.h"
#include "text.h"

int conf_out_of_memory(struct diag *diag)
{
	diag_set(diag, "out of memory");
	return -1;
}

int conf_refuse(const struct conf_key *key, const struct conf_value *value,
		struct diag *diag)
{
	/* A flag is its own key, and its value stands in @where. */
	if (key->path == NULL || strncmp(value->where, "--", 2) == 0)
		diag_set(diag, "%s: not accepted; it takes %s", value->where,
			 key->accepted);
	else if (key->is_secret)
		diag_set(diag, "%s: %s: not accepted; it takes %s",
			 value->where, key->path, key->accepted);
	else if (value->type == CONF_TEXT)
		diag_set(diag, "%s: %s: \"%s\" is not accepted; it takes %s",
			 value->where, key->path, value->text, key->accepted);
	else if (value->type == CONF_INTEGER)
		diag_set(diag, "%s: %s: %lld is not accepted; it takes %s",
			 value->where, key->path, (long long)value->number,
			 key->accepted);
	else
		diag_set(diag, "%s: %s: wrong type; it takes %s", value->where,
			 key->path, key->accepted);
	return -1;
}

static void *field(struct conf *conf, const struct conf_key *key)
{
	return (char *)&conf->owned->policy + key->offset;
}

int conf_set_boolean(struct conf *conf, const struct conf_key *key,
		     const struct conf_value *value, struct diag *diag)
{
	bool *at = field(conf, key);

	if (value->type != CONF_BOOLEAN)
		return conf_refuse(key, value, diag);
	*at = value->number != 0;
	return 0;
}

int conf_set_name(struct conf *conf, const struct conf_key *key,
		  const struct conf_value *value, struct diag *diag)
{
	if (value->type != CONF_TEXT)
		return conf_refuse(key, value, diag);
	for (int i = 0; key->names[i] != NULL; i++) {
		if (strcmp(value->text, key->names[i]) != 0)
			continue;
		/* Enumerations without negative values are of this type. */
		unsigned int number = (unsigned int)i;
		memcpy(field(conf, key), &number, sizeof(number));
		return 0;
	}
	return conf_refuse(key, value, diag);
}

struct unit {
	const char *name;
	uint64_t factor;
};

/* "10m": a decimal number with one of the units. */
static bool parse_units(const struct conf_value *value,
			const struct unit *units, uint64_t *out)
{
	size_t digits = strspn(value->text, "0123456789");
	uint64_t number;

	for (; units->name != NULL; units++)
		if (strcmp(value->text + digits, units->name) == 0)
			break;
	return units->name != NULL &&
	       text_parse_decimal(value->text, digits,
				  UINT64_MAX / 2 / units->factor, &number) &&
	       (*out = number * units->factor, true);
}

static int set_units(struct conf *conf, const struct conf_key *key,
		     const struct conf_value *value, const struct unit *units,
		     struct diag *diag)
{
	uint64_t *at = field(conf, key);
	uint64_t number;

	if (value->type != CONF_TEXT || !parse_units(value, units, &number) ||
	    number < key->min || (key->max > 0 && number > key->max))
		return conf_refuse(key, value, diag);
	*at = number;
	return 0;
}

int conf_set_duration(struct conf *conf, const struct conf_key *key,
		      const struct conf_value *value, struct diag *diag)
{
	static const struct unit units[] = {
		{"ms", 1       },
                {"s",  1000    },
                {"m",  60000   },
		{"h",  3600000 },
                {"d",  86400000},
                {NULL, 0       },
	};

	return set_units(conf, key, value, units, diag);
}

int conf_set_size(struct conf *conf, const struct conf_key *key,
		  const struct conf_value *value, struct diag *diag)
{
	static const struct unit units[] = {
		{"K",  1ULL << 10},
                {"M",  1ULL << 20},
                {"G",  1ULL << 30},
		{"T",  1ULL << 40},
                {"",   1         },
                {NULL, 0         },
	};

	return set_units(conf, key, value, units, diag);
}

int conf_set_count(struct conf *conf, const struct conf_key *key,
		   const struct conf_value *value, struct diag *diag)
{
	uint64_t *at = field(conf, key);
	uint64_t number = (uint64_t)value->number;
	/* A flag's value is text; in a file no number stands in quotes. */
	bool is_number =
		value->type == CONF_TEXT && value->where[0] == '-'
			? text_parse_decimal(value->text, value->len, key->max,
					     &number)
			: value->type == CONF_INTEGER && value->number >= 0;

	if (!is_number || number < key->min || number > key->max)
		return conf_refuse(key, value, diag);
	*at = number;
	return 0;
}

/* The folder that a path is below, and the path without its "~/". */
static const char *base_of(const struct conf *conf,
			   const struct conf_value *value, const char **rest)
{
	*rest = value->text;
	if (value->text[0] == '/')
		return "";
	if (strcmp(value->text, "~") == 0 ||
	    strncmp(value->text, "~/", 2) == 0) {
		*rest = value->text[1] == '\0' ? "" : value->text + 2;
		return conf->home;
	}
	return value->folder;
}

const char *conf_path(struct conf *conf, const struct conf_key *key,
		      const struct conf_value *value, struct diag *diag)
{
	const char *rest;

	/* ~NAME means another's home to a shell, and nothing here. */
	if (value->type != CONF_TEXT || value->len == 0 ||
	    (value->text[0] == '~' && value->len > 1 &&
	     value->text[1] != '/')) {
		(void)conf_refuse(key, value, diag);
		return NULL;
	}
	const char *base = base_of(conf, value, &rest);
	if (base == NULL) {
		diag_set(diag, "%s: ~ has no meaning: HOME is not set",
			 value->where);
		return NULL;
	}
	size_t base_len = strlen(base);
	size_t rest_len = strlen(rest);
	char *path = arena_alloc(&conf->owned->arena, base_len + rest_len + 2);
	if (path == NULL) {
		(void)conf_out_of_memory(diag);
		return NULL;
	}
	memcpy(path, base, base_len);
	if (base_len > 0 && rest_len > 0 && base[base_len - 1] != '/')
		path[base_len++] = '/';
	memcpy(path + base_len, rest, rest_len);
	return path;
}

int conf_set_path(struct conf *conf, const struct conf_key *key,
		  const struct conf_value *value, struct diag *diag)
{
	const char **at = field(conf, key);
	const char *path = conf_path(conf, key, value, diag);

	if (path == NULL)
		return -1;
	*at = path;
	return 0;
}

int conf_append_string(struct conf *conf, const struct conf_key *key,
		       const char *string, struct diag *diag)
{
	struct policy_strings *list = field(conf, key);

	if (arena_append(&conf->owned->arena, &list->items, &list->count,
			 &string, sizeof(string)) != 0)
		return conf_out_of_memory(diag);
	return 0;
}

int conf_add_path(struct conf *conf, const struct conf_key *key,
		  const struct conf_value *value, struct diag *diag)
{
	const char *path = conf_path(conf, key, value, diag);

	return path == NULL ? -1 : conf_append_string(conf, key, path, diag);
}

bool conf_read_port(const struct conf_value *value, uint16_t *port_out)
{
	if (value->type == CONF_TEXT)
		return text_parse_port(value->text, value->len, port_out);
	if (value->type != CONF_INTEGER || value->number < 1 ||
	    value->number > 65535)
		return false;
	*port_out = (uint16_t)value->number;
	return true;
}

int conf_add_port(struct conf *conf, const struct conf_key *key,
		  const struct conf_value *value, struct diag *diag)
{
	struct policy_ports *list = field(conf, key);
	uint16_t port;

	if (!conf_read_port(value, &port))
		return conf_refuse(key, value, diag);
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i] == port)
			return 0;
	if (arena_append(&conf->owned->arena, &list->items, &list->count, &port,
			 sizeof(port)) != 0)
		return conf_out_of_memory(diag);
	return 0;
}
