/* SPDX-License-Identifier: MIT */
/* env_plan: the command's environment, built and not inherited. */
#include "env_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longest of our own values: JAVA_TOOL_OPTIONS */
#define OWN_VALUE_BYTES   512
#define SHORT_VALUE_BYTES 256

struct builder {
	struct arena *arena;
	struct diag *diag;
	const char **items;
	size_t count;
	bool is_failed;
};

static const char *const hooks[] = {
	"LD_*",
	"DYLD_*",
	"BASH_ENV",
	"ENV",
	"ZDOTDIR",
	"PROMPT_COMMAND",
	"NODE_OPTIONS",
	"NODE_PATH",
	"PYTHONSTARTUP",
	"PYTHONHOME",
	"PYTHONPATH",
	"PERL5OPT",
	"PERL5LIB",
	"PERL5DB",
	"RUBYOPT",
	"RUBYLIB",
	"JAVA_TOOL_OPTIONS",
	"_JAVA_OPTIONS",
	"JDK_JAVA_OPTIONS",
	"GIT_ASKPASS",
	"GIT_CONFIG*",
	"GIT_EDITOR",
	"GIT_EXEC_PATH",
	"GIT_EXTERNAL_DIFF",
	"GIT_PAGER",
	"GIT_PROXY_COMMAND",
	"GIT_SEQUENCE_EDITOR",
	"GIT_SSH*",
	"GIT_TEMPLATE_DIR",
	"GCONV_PATH",
	"LUA_INIT",
	"PHPRC",
	"MALLOC_CONF",
	"GLIBC_TUNABLES",
	"OPENSSL_CONF",
	"OPENSSL_ENGINES",
	"OPENSSL_MODULES",
	"SSH_ASKPASS*",
	"PYTHONUSERBASE",
	"PYTHONBREAKPOINT",
	"PYTHONINSPECT",
	"MAVEN_OPTS",
	"GRADLE_OPTS",
	"JAVA_OPTS",
	"CLASSPATH",
	"RUSTC_WRAPPER",
	"RUSTC_WORKSPACE_WRAPPER",
	"LESSOPEN",
	"LESSCLOSE",
	"MANPAGER",
	"PS4",
	"SHELLOPTS",
	"BASHOPTS",
	"BASH_FUNC_*",
	NULL,
};

bool env_is_hook(const char *name)
{
	for (size_t i = 0; hooks[i] != NULL; i++) {
		size_t len = strlen(hooks[i]);
		if (hooks[i][len - 1] == '*' &&
		    strncmp(name, hooks[i], len - 1) == 0)
			return true;
		if (strcmp(name, hooks[i]) == 0)
			return true;
	}
	return false;
}

static bool is_name(const char *name)
{
	if (name[0] == '\0' || (name[0] >= '0' && name[0] <= '9'))
		return false;
	for (const char *c = name; *c != '\0'; c++)
		if (*c <= ' ' || *c == '=' || *c >= 0x7f)
			return false;
	return true;
}

static size_t name_length(const char *item)
{
	return strcspn(item, "=");
}

/* Adds NAME=VALUE, or replaces what NAME had. */
static void put(struct builder *b, const char *name, const char *value)
{
	size_t len = strlen(name);
	size_t value_len = strlen(value);
	char *item = arena_alloc(b->arena, len + value_len + 2);

	if (item == NULL) {
		b->is_failed = true;
		return;
	}
	memcpy(item, name, len);
	item[len] = '=';
	memcpy(item + len + 1, value, value_len + 1);
	for (size_t i = 0; i < b->count; i++) {
		if (strncmp(b->items[i], item, len + 1) == 0) {
			b->items[i] = item;
			return;
		}
	}
	const char *added = item;
	if (arena_append(b->arena, &b->items, &b->count, &added,
			 sizeof(added)) != 0)
		b->is_failed = true;
}

static const char *caller_value(const struct env_settings *s, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; s->caller != NULL && s->caller[i] != NULL; i++)
		if (strncmp(s->caller[i], name, len) == 0 &&
		    s->caller[i][len] == '=')
			return s->caller[i] + len + 1;
	return NULL;
}

static void put_own(struct builder *b, const struct env_settings *s)
{
	const char *lang = caller_value(s, "LANG");
	const char *term = caller_value(s, "TERM");

	put(b, "HOME", s->home);
	put(b, "LANG", lang == NULL ? "C.UTF-8" : lang);
	put(b, "LOGNAME", s->user);
	put(b, "PATH", s->search_path);
	put(b, "SHELL", "/bin/sh");
	put(b, "TERM", term == NULL ? "dumb" : term);
	put(b, "TMPDIR", s->tmp);
	put(b, "USER", s->user);
}

/* Java spells IPv4 as ::ffff:127.0.0.1, which no rule of Seatbelt for
 * "localhost" means: there it would not reach the proxy. */
static void put_java(struct builder *b, const char *port, bool has_own_loopback)
{
	char value[OWN_VALUE_BYTES];

	(void)snprintf(value, sizeof(value),
		       "%s-Dhttp.proxyHost=127.0.0.1 -Dhttp.proxyPort=%s "
		       "-Dhttps.proxyHost=127.0.0.1 -Dhttps.proxyPort=%s "
		       "-Dhttp.nonProxyHosts=localhost|127.*|[::1]",
		       has_own_loopback ? ""
					: "-Djava.net.preferIPv4Stack=true ",
		       port, port);
	put(b, "JAVA_TOOL_OPTIONS", value);
}

/* ssh knows no proxy variable. The host's ~/.ssh/config is not for here, and a
 * shared connection of the host's (ControlPath) would lead past the proxy. */
static void put_git(struct builder *b, const char *connect_path)
{
	char value[SHORT_VALUE_BYTES];

	(void)snprintf(value, sizeof(value),
		       "ssh -F none -o ControlPath=none "
		       "-o ProxyCommand='%s %%h %%p'",
		       connect_path);
	put(b, "GIT_SSH_COMMAND", value);
}

static void put_proxy(struct builder *b, const struct env_settings *s)
{
	static const char *const by_url[] = {
		"ALL_PROXY",  "HTTPS_PROXY", "HTTP_PROXY",  "all_proxy",
		"grpc_proxy", "http_proxy",  "https_proxy", NULL,
	};
	char port[8];
	char text[SHORT_VALUE_BYTES];

	if (s->proxy_port == 0)
		return;
	(void)snprintf(port, sizeof(port), "%u", (unsigned int)s->proxy_port);
	(void)snprintf(text, sizeof(text), "http://127.0.0.1:%s", port);
	for (size_t i = 0; by_url[i] != NULL; i++)
		put(b, by_url[i], text);
	(void)snprintf(text, sizeof(text), "127.0.0.1:%s", port);
	put(b, "RSYNC_PROXY", text);
	put(b, "CLOUDSDK_PROXY_TYPE", "http");
	put(b, "CLOUDSDK_PROXY_ADDRESS", "127.0.0.1");
	put(b, "CLOUDSDK_PROXY_PORT", port);
	put(b, "NODE_USE_ENV_PROXY", "1");
	if (s->has_own_loopback) {
		/* [::1] as well: several tools compare the URL's spelling. */
		put(b, "NO_PROXY", "localhost,127.0.0.1,::1,[::1]");
		put(b, "no_proxy", "localhost,127.0.0.1,::1,[::1]");
	}
	if (s->has_capture)
		return;
	put_java(b, port, s->has_own_loopback);
	if (s->connect_path != NULL)
		put_git(b, s->connect_path);
}

static void refuse_hook(struct builder *b, const char *name)
{
	diag_set(b->diag,
		 "env: %s makes programs load code of its value's choice: say "
		 "--env-unsafe %s[=VALUE] (env.unsafe) where that is meant",
		 name, name);
	b->is_failed = true;
}

static bool has_name(const struct builder *b, const char *item, size_t len)
{
	for (size_t i = 0; i < b->count; i++)
		if (strncmp(b->items[i], item, len + 1) == 0)
			return true;
	return false;
}

/* Everything of the caller's that begins so, but for what is ours (the host's
 * proxy would be a dead end) and what makes programs load code. */
static void put_pattern(struct builder *b, const struct env_settings *s,
			const struct policy_variable *v)
{
	size_t len = strlen(v->name) - 1;

	for (size_t i = 0; s->caller != NULL && s->caller[i] != NULL; i++) {
		const char *item = s->caller[i];
		size_t name_len = name_length(item);

		if (strncmp(item, v->name, len) != 0 || item[name_len] != '=' ||
		    has_name(b, item, name_len))
			continue;
		const char *name = arena_strndup(b->arena, item, name_len);
		if (name == NULL)
			b->is_failed = true;
		else if (is_name(name) && (v->is_unsafe || !env_is_hook(name)))
			put(b, name, item + name_len + 1);
	}
}

static void put_variable(struct builder *b, const struct env_settings *s,
			 const struct policy_variable *v)
{
	if (!is_name(v->name)) {
		diag_set(b->diag, "env: a variable's name is letters, digits "
				  "and underscores");
		b->is_failed = true;
		return;
	}
	if (v->value == NULL && v->name[strlen(v->name) - 1] == '*') {
		put_pattern(b, s, v);
		return;
	}
	if (!v->is_unsafe && env_is_hook(v->name)) {
		refuse_hook(b, v->name);
		return;
	}
	const char *value =
		v->value == NULL ? caller_value(s, v->name) : v->value;
	if (value != NULL)
		put(b, v->name, value);
}

static void put_policy(struct builder *b, const struct env_settings *s)
{
	for (size_t i = 0; i < s->policy->env.count; i++)
		put_variable(b, s, &s->policy->env.items[i]);
}

static int compare(const void *a, const void *b)
{
	const char *const *left = a;
	const char *const *right = b;
	size_t left_len = name_length(*left);
	size_t right_len = name_length(*right);
	size_t len = left_len < right_len ? left_len : right_len;
	int order = memcmp(*left, *right, len);

	return order != 0 ? order
			  : (left_len > right_len) - (left_len < right_len);
}

int env_plan(const struct env_settings *settings, struct arena *arena,
	     const char *const **environ_out, size_t *count_out,
	     struct diag *diag)
{
	struct builder b = {.arena = arena, .diag = diag};
	const char *end = NULL;

	put_own(&b, settings);
	put_proxy(&b, settings);
	put_policy(&b, settings);
	if (b.is_failed)
		return -1;
	qsort(b.items, b.count, sizeof(*b.items), compare);
	*count_out = b.count;
	if (arena_append(arena, &b.items, &b.count, &end, sizeof(end)) != 0)
		return -1;
	*environ_out = b.items;
	return 0;
}
