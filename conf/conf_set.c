/* SPDX-License-Identifier: MIT */
/* conf_set: the setters of keys that are one of a kind. */
#include <string.h>

#include "conf_internal.h"
#include "text.h"

static bool is_text(const struct conf_value *value, const char *text)
{
	return value->type == CONF_TEXT && strcmp(value->text, text) == 0;
}

int conf_set_version(struct conf *conf, const struct conf_key *key,
		     const struct conf_value *value, struct diag *diag)
{
	(void)conf;
	if (value->type != CONF_INTEGER || value->number != 1)
		return conf_refuse(key, value, diag);
	return 0;
}

int conf_set_mode(struct conf *conf, const struct conf_key *key,
		  const struct conf_value *value, struct diag *diag)
{
	if (is_text(value, "enforce"))
		conf->owned->policy.mode = POLICY_ENFORCE;
	else if (is_text(value, "observe"))
		conf->owned->policy.mode = POLICY_OBSERVE;
	else
		return conf_refuse(key, value, diag);
	return 0;
}

int conf_set_observe(struct conf *conf, const struct conf_key *key,
		     const struct conf_value *value, struct diag *diag)
{
	(void)key;
	(void)value;
	(void)diag;
	conf->owned->policy.mode = POLICY_OBSERVE;
	return 0;
}

int conf_set_observe_private(struct conf *conf, const struct conf_key *key,
			     const struct conf_value *value, struct diag *diag)
{
	(void)key;
	(void)value;
	(void)diag;
	conf->owned->policy.observe_private = true;
	return 0;
}

int conf_set_ech(struct conf *conf, const struct conf_key *key,
		 const struct conf_value *value, struct diag *diag)
{
	if (!is_text(value, "allow") && !is_text(value, "deny"))
		return conf_refuse(key, value, diag);
	conf->owned->policy.ech_denied = is_text(value, "deny");
	return 0;
}

/* POSIX: letters, digits and underscore, no digit first. A trailing '*' makes
 * a name to pass on a pattern. */
static bool is_variable_name(const char *s, size_t len, bool may_be_pattern)
{
	static const char bytes[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

	if (may_be_pattern && len > 1 && s[len - 1] == '*')
		len--;
	if (len == 0 || (s[0] >= '0' && s[0] <= '9'))
		return false;
	for (size_t i = 0; i < len; i++)
		if (s[i] == '\0' || strchr(bytes, s[i]) == NULL)
			return false;
	return true;
}

static int add_variable(struct conf *conf, const struct conf_key *key,
			const struct conf_value *value, struct diag *diag)
{
	static const char unsafe[] = "env.unsafe";
	struct policy *policy = &conf->owned->policy;
	struct arena *arena = &conf->owned->arena;
	const char *equals = memchr(value->text, '=', value->len);
	size_t name_len =
		equals != NULL ? (size_t)(equals - value->text) : value->len;
	struct policy_variable variable = {
		.is_unsafe =
			key->path != NULL && strcmp(key->path, unsafe) == 0,
	};

	if (!is_variable_name(value->text, name_len, equals == NULL))
		return conf_refuse(key, value, diag);
	variable.name = arena_strndup(arena, value->text, name_len);
	if (equals != NULL)
		variable.value = arena_strndup(arena, equals + 1,
					       value->len - name_len - 1);
	if (variable.name == NULL || (equals != NULL && variable.value == NULL))
		return conf_out_of_memory(diag);
	if (arena_append(arena, &policy->env.items, &policy->env.count,
			 &variable, sizeof(variable)) != 0)
		return conf_out_of_memory(diag);
	return 0;
}

int conf_add_env(struct conf *conf, const struct conf_key *key,
		 const struct conf_value *value, struct diag *diag)
{
	return add_variable(conf, key, value, diag);
}

int conf_add_pass(struct conf *conf, const struct conf_key *key,
		  const struct conf_value *value, struct diag *diag)
{
	if (value->type != CONF_TEXT || strchr(value->text, '=') != NULL)
		return conf_refuse(key, value, diag);
	return add_variable(conf, key, value, diag);
}

int conf_add_variable(struct conf *conf, const struct conf_key *key,
		      const struct conf_value *value, struct diag *diag)
{
	if (value->type != CONF_TEXT || strchr(value->text, '=') == NULL)
		return conf_refuse(key, value, diag);
	return add_variable(conf, key, value, diag);
}

/* It is written to as any other folder that is given: with the same limits. */
int conf_set_home(struct conf *conf, const struct conf_key *key,
		  const struct conf_value *value, struct diag *diag)
{
	struct policy *policy = &conf->owned->policy;
	const char *path = conf_path(conf, key, value, diag);

	if (path == NULL)
		return -1;
	policy->files.home = path;
	if (arena_append(&conf->owned->arena, &policy->files.write.items,
			 &policy->files.write.count, &path, sizeof(path)) != 0)
		return conf_out_of_memory(diag);
	return 0;
}

int conf_add_mount_of(struct conf *conf, const struct conf_key *key,
		      const struct conf_mount *written, struct diag *diag)
{
	struct policy *policy = &conf->owned->policy;
	struct policy_mount mount = {
		.source = conf_path(conf, key, &written->source, diag),
		.target = arena_strndup(&conf->owned->arena, written->target,
					strlen(written->target)),
		.is_writable = written->is_writable,
	};

	if (mount.source == NULL)
		return -1;
	if (mount.target == NULL ||
	    arena_append(&conf->owned->arena, &policy->files.mounts,
			 &policy->files.mount_count, &mount,
			 sizeof(mount)) != 0)
		return conf_out_of_memory(diag);
	return 0;
}

int conf_add_mount(struct conf *conf, const struct conf_key *key,
		   const struct conf_value *value, struct diag *diag)
{
	char text[4096];
	struct conf_mount mount = {.is_writable = false};
	size_t len = value->len;

	if (value->type != CONF_TEXT || len >= sizeof(text))
		return conf_refuse(key, value, diag);
	memcpy(text, value->text, len + 1);
	if (len > 3 && strcmp(text + len - 3, ":rw") == 0)
		mount.is_writable = true;
	if (mount.is_writable ||
	    (len > 3 && strcmp(text + len - 3, ":ro") == 0))
		text[len - 3] = '\0';
	char *colon = strchr(text, ':');
	if (colon == NULL || colon == text || colon[1] == '\0' ||
	    strchr(colon + 1, ':') != NULL)
		return conf_refuse(key, value, diag);
	*colon = '\0';
	mount.source = *value;
	mount.source.text = text;
	mount.source.len = (size_t)(colon - text);
	mount.target = colon + 1;
	return conf_add_mount_of(conf, key, &mount, diag);
}

int conf_add_preset(struct conf *conf, const struct conf_key *key,
		    const struct conf_value *value, struct diag *diag)
{
	char known[512];
	char name[128];
	struct text list, file;

	if (value->type != CONF_TEXT)
		return conf_refuse(key, value, diag);
	text_init(&list, known, sizeof(known));
	for (const struct conf_preset *p = conf_presets; p->name != NULL; p++) {
		text_addf(&list, "%s%s", list.len > 0 ? ", " : "", p->name);
		if (strcmp(p->name, value->text) != 0)
			continue;
		if (conf->preset_depth > 0) {
			diag_set(diag, "%s: a preset names no other preset",
				 value->where);
			return -1;
		}
		conf->preset_depth++;
		text_init(&file, name, sizeof(name));
		text_addf(&file, "preset %s", p->name);
		int rc = conf_add_file(conf, name, p->text, strlen(p->text),
				       diag);
		conf->preset_depth--;
		return rc;
	}
	diag_set(diag, "%s: no preset \"%s\"; there are %s", value->where,
		 value->text, known);
	return -1;
}
