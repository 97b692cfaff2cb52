/* SPDX-License-Identifier: MIT */
/* test_env_plan: the environment is built: nothing of the caller's is in it
 * that was not named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "env_plan.h"

static const char *const caller[] = {
	"SECRET_X=s3cr3t",
	"AWS_SECRET_ACCESS_KEY=s3cr3t",
	"LANG=de_AT.UTF-8",
	"TERM=xterm",
	"TOKEN_OK=fine",
	"LD_PRELOAD=/e.so",
	"HTTP_PROXY=http://corp:3128",
	"no_equals_sign",
	NULL,
};

struct run {
	struct policy policy;
	struct env_settings settings;
	struct arena arena;
	struct diag diag;
	const char *const *environ;
	size_t count;
};

static int make_for(struct run *r, const char *const *from,
		    const struct policy_variable *items, size_t count)
{
	r->policy.env.items = items;
	r->policy.env.count = count;
	r->settings.policy = &r->policy;
	r->settings.caller = from;
	r->settings.user = "ada";
	r->settings.home = "/home/ada";
	r->settings.tmp = "/tmp";
	r->settings.search_path = "/usr/bin:/bin";
	return env_plan(&r->settings, &r->arena, &r->environ, &r->count,
			&r->diag);
}

static int make(struct run *r, const struct policy_variable *items,
		size_t count)
{
	return make_for(r, caller, items, count);
}

static const char *value(const struct run *r, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < r->count; i++)
		if (strncmp(r->environ[i], name, len) == 0 &&
		    r->environ[i][len] == '=')
			return r->environ[i] + len + 1;
	return NULL;
}

static void takes_nothing_that_is_not_named(void **state)
{
	struct run r = {.settings = {.proxy_port = 8899}};

	(void)state;
	assert_int_equal(make(&r, NULL, 0), 0);
	for (size_t i = 0; i < r.count; i++)
		assert_null(strstr(r.environ[i], "s3cr3t"));
	assert_null(value(&r, "LD_PRELOAD"));
	assert_null(value(&r, "TOKEN_OK"));
	assert_string_equal(value(&r, "LANG"), "de_AT.UTF-8");
	assert_string_equal(value(&r, "TERM"), "xterm");
	assert_string_equal(value(&r, "HOME"), "/home/ada");
	assert_string_equal(value(&r, "HTTP_PROXY"), "http://127.0.0.1:8899");
	assert_null(r.environ[r.count]);
	arena_clear(&r.arena);
}

static void names_the_proxy_for_every_tool(void **state)
{
	static const char *const urls[] = {
		"HTTP_PROXY",  "HTTPS_PROXY", "ALL_PROXY",  "http_proxy",
		"https_proxy", "all_proxy",   "grpc_proxy",
	};
	struct run r = {
		.settings = {.proxy_port = 8899, .has_own_loopback = true}
        };

	(void)state;
	assert_int_equal(make(&r, NULL, 0), 0);
	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++)
		assert_string_equal(value(&r, urls[i]),
				    "http://127.0.0.1:8899");
	assert_string_equal(value(&r, "RSYNC_PROXY"), "127.0.0.1:8899");
	assert_string_equal(value(&r, "CLOUDSDK_PROXY_TYPE"), "http");
	assert_string_equal(value(&r, "NODE_USE_ENV_PROXY"), "1");
	assert_string_equal(value(&r, "no_proxy"),
			    "localhost,127.0.0.1,::1,[::1]");
	assert_non_null(strstr(value(&r, "JAVA_TOOL_OPTIONS"),
			       "-Dhttps.proxyPort=8899"));
	assert_null(strstr(value(&r, "JAVA_TOOL_OPTIONS"), "preferIPv4Stack"));
	assert_null(value(&r, "NODE_OPTIONS"));
	arena_clear(&r.arena);
}

static void sends_ssh_through_the_helper_that_is_shown(void **state)
{
	struct run r = {
		.settings = {.proxy_port = 1,
			     .connect_path = "/run/x/connect"}
        };
	struct run captured = r;

	(void)state;
	assert_int_equal(make(&r, NULL, 0), 0);
	assert_string_equal(value(&r, "GIT_SSH_COMMAND"),
			    "ssh -F none -o ControlPath=none "
			    "-o ProxyCommand='/run/x/connect %h %p'");
	captured.settings.has_capture = true;
	assert_int_equal(make(&captured, NULL, 0), 0);
	assert_null(value(&captured, "GIT_SSH_COMMAND"));
	arena_clear(&r.arena);
	arena_clear(&captured.arena);
}

static void leaves_out_what_has_no_use(void **state)
{
	struct run none = {.settings = {.has_own_loopback = true}};
	struct run shared = {.settings = {.proxy_port = 1}};
	struct run captured = {
		.settings = {.proxy_port = 1, .has_capture = true}
        };

	(void)state;
	assert_int_equal(make(&none, NULL, 0), 0);
	assert_null(value(&none, "HTTP_PROXY"));
	assert_null(value(&none, "JAVA_TOOL_OPTIONS"));
	assert_int_equal(make(&shared, NULL, 0), 0);
	assert_null(value(&shared, "NO_PROXY"));
	assert_non_null(strstr(value(&shared, "JAVA_TOOL_OPTIONS"),
			       "preferIPv4Stack=true"));
	assert_int_equal(make(&captured, NULL, 0), 0);
	assert_null(value(&captured, "JAVA_TOOL_OPTIONS"));
	arena_clear(&none.arena);
	arena_clear(&shared.arena);
	arena_clear(&captured.arena);
}

static void policy_wins_and_each_name_stands_once(void **state)
{
	static const struct policy_variable items[] = {
		{"TOKEN_OK",     NULL,                        false},
		{"ABSENT",       NULL,                        false},
		{"TERM",         "vt100",                     false},
		{"HTTP_PROXY",   "",                          false},
		{"CI",           "a",                         false},
		{"CI",           "b",                         false},
		{"NODE_OPTIONS", "--max-old-space-size=4096", true },
	};
	struct run r = {.settings = {.proxy_port = 1}};

	(void)state;
	assert_int_equal(make(&r, items, 7), 0);
	assert_string_equal(value(&r, "TOKEN_OK"), "fine");
	assert_null(value(&r, "ABSENT"));
	assert_string_equal(value(&r, "TERM"), "vt100");
	assert_string_equal(value(&r, "HTTP_PROXY"), "");
	assert_string_equal(value(&r, "CI"), "b");
	assert_string_equal(value(&r, "NODE_OPTIONS"),
			    "--max-old-space-size=4096");
	for (size_t i = 1; i < r.count; i++)
		assert_true(strcmp(r.environ[i - 1], r.environ[i]) < 0);
	arena_clear(&r.arena);
}

static void pattern_passes_what_begins_so_and_no_more(void **state)
{
	static const char *const from[] = {
		"LC_ALL=C",
		"LC_TIME=de_AT",
		"LC=x",
		"LCX=x",
		"PATH=/evil",
		"PERL5OPT=-Mevil",
		"PLAIN=fine",
		"P=short",
		"HTTP_PROXY=http://corp:1",
		"HTTPX=value",
		"LD_PRELOAD=/e",
		"BAD NAME=x",
		"BADX=y",
		NULL,
	};
	const struct policy_variable items[] = {
		{"LC_*",  NULL, false},
                {"P*",    NULL, false},
		{"HTTP*", NULL, false},
                {"L*",    NULL, false},
		{"BAD*",  NULL, false},
                {"NONE*", NULL, false},
	};
	struct run r = {.settings = {.proxy_port = 1}};

	(void)state;
	assert_int_equal(make_for(&r, from, items, 6), 0);
	assert_string_equal(value(&r, "LC_ALL"), "C");
	assert_string_equal(value(&r, "LC_TIME"), "de_AT");
	assert_string_equal(value(&r, "LC"), "x");
	assert_string_equal(value(&r, "PLAIN"), "fine");
	assert_string_equal(value(&r, "HTTPX"), "value");
	assert_string_equal(value(&r, "BADX"), "y");
	/* Ours stay, and what loads code stays out. */
	assert_string_equal(value(&r, "PATH"), "/usr/bin:/bin");
	assert_string_equal(value(&r, "HTTP_PROXY"), "http://127.0.0.1:1");
	assert_null(value(&r, "PERL5OPT"));
	assert_null(value(&r, "LD_PRELOAD"));
	assert_null(value(&r, "BAD NAME"));
	arena_clear(&r.arena);
}

static void takes_hooks_that_are_named_as_such(void **state)
{
	const struct policy_variable items[] = {
		{"LD_PRELOAD", NULL,  true},
		{"PYTHONPATH", "src", true},
	};
	struct run r = {.settings = {.proxy_port = 0}};

	(void)state;
	assert_int_equal(make(&r, items, 2), 0);
	assert_string_equal(value(&r, "LD_PRELOAD"), "/e.so");
	assert_string_equal(value(&r, "PYTHONPATH"), "src");
	arena_clear(&r.arena);
}

static void refuses_hooks_that_are_not(void **state)
{
	static const char *const names[] = {
		"LD_PRELOAD",
		"LD_AUDIT",
		"DYLD_INSERT_LIBRARIES",
		"BASH_ENV",
		"ENV",
		"NODE_OPTIONS",
		"PYTHONSTARTUP",
		"PERL5OPT",
		"RUBYOPT",
		"GIT_CONFIG_COUNT",
		"JAVA_TOOL_OPTIONS",
		"GLIBC_TUNABLES",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		for (size_t k = 0; k < 2; k++) {
			const struct policy_variable item = {
				names[i], k == 0 ? NULL : "x", false};
			struct run r = {.settings = {.proxy_port = 0}};
			assert_int_equal(make(&r, &item, 1), -1);
			assert_non_null(strstr(r.diag.text, names[i]));
			assert_non_null(strstr(r.diag.text, "--env-unsafe"));
			arena_clear(&r.arena);
		}
	}
	assert_false(env_is_hook("LDFLAGS"));
	assert_false(env_is_hook("ENVIRONMENT"));
	assert_false(env_is_hook("GIT_AUTHOR_NAME"));
}

static void refuses_names_that_are_none(void **state)
{
	static const char *const names[] = {"",   "A B", "A=B",
					    "1A", "A\n", "\xff"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct policy_variable item = {names[i], "x", false};
		struct run r = {.settings = {.proxy_port = 0}};
		assert_int_equal(make(&r, &item, 1), -1);
		arena_clear(&r.arena);
	}
}

static void takes_long_values_whole(void **state)
{
	char *text = malloc(102401);
	struct run r = {.settings = {.proxy_port = 0}};

	(void)state;
	assert_non_null(text);
	memset(text, 'x', 102400);
	text[102400] = '\0';
	const struct policy_variable item = {"LONG", text, false};
	assert_int_equal(make(&r, &item, 1), 0);
	assert_string_equal(value(&r, "LONG"), text);
	arena_clear(&r.arena);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_nothing_that_is_not_named),
		cmocka_unit_test(names_the_proxy_for_every_tool),
		cmocka_unit_test(sends_ssh_through_the_helper_that_is_shown),
		cmocka_unit_test(leaves_out_what_has_no_use),
		cmocka_unit_test(policy_wins_and_each_name_stands_once),
		cmocka_unit_test(pattern_passes_what_begins_so_and_no_more),
		cmocka_unit_test(takes_hooks_that_are_named_as_such),
		cmocka_unit_test(refuses_hooks_that_are_not),
		cmocka_unit_test(refuses_names_that_are_none),
		cmocka_unit_test(takes_long_values_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
