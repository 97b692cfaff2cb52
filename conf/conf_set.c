/* SPDX-License-Identifier: MIT */
/* conf_set: the setters of keys that are one of a kind. */
#include <string.h>

#include "conf_internal.h"
#include "idna.h"
#include "text.h"

#define DNS_PORT 53

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

int conf_set_url(struct conf *conf, const struct conf_key *key,
		 const struct conf_value *value, struct diag *diag)
{
	if (value->type != CONF_TEXT ||
	    (strncmp(value->text, "http://", 7) != 0 &&
	     strncmp(value->text, "https://", 8) != 0))
		return conf_refuse(key, value, diag);
	/* A command line can be read by every process of the machine. */
	if (strncmp(value->where, "--", 2) == 0 &&
	    strchr(value->text, '@') != NULL) {
		diag_set(diag,
			 "--upstream: credentials belong into a policy "
			 "file (upstream.url), not on a command line, where "
			 "others can read them");
		return -1;
	}
	const char *copy =
		arena_strndup(&conf->owned->arena, value->text, value->len);
	if (copy == NULL)
		return conf_out_of_memory(diag);
	conf->owned->policy.upstream.url = copy;
	return 0;
}

/* "ADDRESS:PORT", "[ADDRESS]:PORT"; without a port @port_out is untouched. */
static bool parse_endpoint(const char *s, size_t len, struct netaddr *addr_out,
			   uint16_t *port_out)
{
	if (netaddr_parse(s, len, addr_out))
		return true;
	const char *host = s;
	const char *colon = memrchr(s, ':', len);
	size_t host_len;

	if (len > 0 && s[0] == '[') {
		const char *end = memchr(s, ']', len);
		if (end == NULL)
			return false;
		host = s + 1;
		host_len = (size_t)(end - host);
		if (end + 1 == s + len)
			return netaddr_parse(host, host_len, addr_out);
		if (colon != end + 1)
			return false;
	} else if (colon == NULL) {
		return false;
	} else {
		host_len = (size_t)(colon - s);
	}
	return netaddr_parse(host, host_len, addr_out) &&
	       text_parse_port(colon + 1, len - (size_t)(colon + 1 - s),
			       port_out);
}

static bool parse_listen(const struct conf_value *value,
			 struct policy_listen *listen)
{
	const char *colon = memchr(value->text, ':', value->len);

	*listen = (struct policy_listen){
		.host_address = {.family = AF_INET, .bytes = {127, 0, 0, 1}},
	};
	if (text_parse_port(value->text, value->len, &listen->port)) {
		listen->host_port = listen->port;
		return true;
	}
	if (colon == NULL)
		return false;
	size_t head = (size_t)(colon - value->text);
	if (text_parse_port(value->text, head, &listen->port))
		return text_parse_port(colon + 1, value->len - head - 1,
				       &listen->host_port);
	bool is_endpoint =
		parse_endpoint(value->text, value->len, &listen->host_address,
			       &listen->host_port) &&
		listen->host_port != 0;
	listen->port = listen->host_port;
	return is_endpoint;
}

int conf_add_listen(struct conf *conf, const struct conf_key *key,
		    const struct conf_value *value, struct diag *diag)
{
	struct policy *policy = &conf->owned->policy;
	struct policy_listen listen;

	if (value->type == CONF_INTEGER && value->number >= 1 &&
	    value->number <= 65535)
		listen = (struct policy_listen){
			.port = (uint16_t)value->number,
			.host_address = {.family = AF_INET,
					 .bytes = {127, 0, 0, 1}},
			.host_port = (uint16_t)value->number,
		};
	else if (value->type != CONF_TEXT || !parse_listen(value, &listen))
		return conf_refuse(key, value, diag);
	if (arena_append(&conf->owned->arena, &policy->ports.listen,
			 &policy->ports.listen_count, &listen,
			 sizeof(listen)) != 0)
		return conf_out_of_memory(diag);
	return 0;
}

int conf_add_server(struct conf *conf, const struct conf_key *key,
		    const struct conf_value *value, struct diag *diag)
{
	struct policy *policy = &conf->owned->policy;
	struct policy_endpoint server = {.port = DNS_PORT};

	if (value->type != CONF_TEXT ||
	    !parse_endpoint(value->text, value->len, &server.address,
			    &server.port))
		return conf_refuse(key, value, diag);
	if (arena_append(&conf->owned->arena, &policy->dns.servers,
			 &policy->dns.server_count, &server,
			 sizeof(server)) != 0)
		return conf_out_of_memory(diag);
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
	struct policy *policy = &conf->owned->policy;
	struct arena *arena = &conf->owned->arena;
	const char *equals = memchr(value->text, '=', value->len);
	size_t name_len =
		equals != NULL ? (size_t)(equals - value->text) : value->len;
	struct policy_variable variable = {.value = NULL};

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
