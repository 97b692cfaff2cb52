/* SPDX-License-Identifier: MIT */
/* test_backends: what the writers make of a plan: words, quotes, refusals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "backend.h"
#include "bwrap_argv.h"
#include "plan_case.h"

#define ODD "/home/ada/a \"b\\c\nd\xff'(e)"

static struct bytes write_with(const char *name, struct plan_case *c, int *rc)
{
	const struct backend *backend = backend_find(name);
	struct bytes out = {NULL, 0, 0, false};

	assert_non_null(backend);
	*rc = backend->write(c->plan, &out, &c->diag);
	return out;
}

/* Does the NUL-separated list hold @words one after the other? */
static bool has_words(const struct bytes *out, const char *const *words)
{
	for (size_t at = 0; at < out->len;) {
		size_t k = 0;
		for (size_t p = at; words[k] != NULL && p < out->len &&
				    strcmp(out->data + p, words[k]) == 0;
		     k++)
			p += strlen(out->data + p) + 1;
		if (words[k] == NULL)
			return true;
		at += strlen(out->data + at) + 1;
	}
	return false;
}

static struct plan_case odd_case(void)
{
	struct plan_case c = {
		.facts_text = "user ada 1\ngroup ada 1\nhome /home/ada\n"
			      "cwd /home/ada/a\\x20\"b\\x5cc\\x0ad\\xff'(e)\n"
			      "path folder /usr\npath folder /tmp\n",
	};

	plan_case_make(&c);
	assert_non_null(c.plan);
	return c;
}

static void bubblewrap_gets_every_byte(void **state)
{
	static const char *const words[] = {"--bind", ODD, ODD, NULL};
	struct plan_case c = odd_case();
	int rc;

	(void)state;
	struct bytes out = write_with("bwrap", &c, &rc);
	assert_int_equal(rc, 0);
	assert_true(has_words(&out, words));
	assert_int_equal(out.data[out.len - 1], 0);
	free(out.data);
	plan_case_clear(&c);
}

static void bubblewrap_always_unshares_and_drops(void **state)
{
	static const char *const each[][3] = {
		{"--unshare-user",    NULL,    NULL},
		{"--unshare-ipc",     NULL,    NULL},
		{"--unshare-pid",     NULL,    NULL},
		{"--unshare-net",     NULL,    NULL},
		{"--unshare-uts",     NULL,    NULL},
		{"--unshare-cgroup",  NULL,    NULL},
		{"--cap-drop",        "ALL",   NULL},
		{"--die-with-parent", NULL,    NULL},
		{"--proc",            "/proc", NULL},
		{"--dev",             "/dev",  NULL},
	};
	struct plan_case c = odd_case();
	int rc;

	(void)state;
	struct bytes out = write_with("bwrap", &c, &rc);
	for (size_t i = 0; i < sizeof(each) / sizeof(each[0]); i++)
		assert_true(has_words(&out, each[i]));
	free(out.data);
	plan_case_clear(&c);
}

static void bubblewrap_seals_proc_for_uid_0(void **state)
{
	static const char *const sealed[] = {"--remount-ro", "/proc", NULL};
	static const char *const sys[] = {"--ro-bind", "/proc/sys", "/proc/sys",
					  NULL};
	struct plan_case root = {
		.facts_text = "user root 0\ngroup root 0\nhome /root\n"
			      "cwd /srv/x\npath folder /usr\n"};
	struct plan_case user = odd_case();
	int rc;

	(void)state;
	plan_case_make(&root);
	struct bytes out = write_with("bwrap", &root, &rc);
	assert_true(has_words(&out, sealed));
	free(out.data);
	out = write_with("bwrap", &user, &rc);
	assert_true(has_words(&out, sys));
	free(out.data);
	plan_case_clear(&root);
	plan_case_clear(&user);
}

static void bubblewrap_files_have_their_descriptors(void **state)
{
	struct plan_case c = odd_case();
	char *bytes;
	size_t len;

	(void)state;
	assert_int_equal(
		bwrap_argv_write(c.plan, BWRAP_WHOLE, 40, &bytes, &len), 0);
	struct bytes out = {.data = bytes, .len = len};
	for (size_t i = 0; i < c.plan->file_count; i++) {
		char fd[8] = {(char)('4' + (char)(i / 10)),
			      (char)('0' + (char)(i % 10)), '\0'};
		const char *const words[] = {"--file", fd,
					     c.plan->files[i].path, NULL};
		assert_true(has_words(&out, words));
	}
	free(bytes);
	plan_case_clear(&c);
}

static void seatbelt_quotes_two_bytes_only(void **state)
{
	struct plan_case c = odd_case();
	int rc;

	(void)state;
	struct bytes out = write_with("seatbelt", &c, &rc);
	assert_int_equal(rc, 0);
	assert_non_null(strstr(out.data,
			       "(subpath \"/System/Volumes/Data/home/ada/a "
			       "\\\"b\\\\c\nd\xff'(e)\")"));
	free(out.data);
	plan_case_clear(&c);
}

static void seatbelt_parameters_hold_paths_unquoted(void **state)
{
	struct plan_case c = odd_case();
	int rc;

	(void)state;
	struct bytes out = write_with("seatbelt-args", &c, &rc);
	assert_int_equal(rc, 0);
	const char *profile = NULL;
	bool found = false;
	for (size_t at = 0; at < out.len; at += strlen(out.data + at) + 1) {
		const char *word = out.data + at;
		const char *value = strchr(word, '=');
		if (word[0] == 'P' && value != NULL &&
		    strcmp(value + 1, "/System/Volumes/Data" ODD) == 0)
			found = true;
		profile = word;
	}
	assert_true(found);
	assert_null(strstr(profile, "/home/ada"));
	assert_non_null(strstr(profile, "(param \"P0\")"));
	free(out.data);
	plan_case_clear(&c);
}

static void seatbelt_refuses_what_it_cannot_say(void **state)
{
	static const struct {
		const char *flags[5];
		const char *word;
	} rows[] = {
		{{"--mount", "/d:/e", NULL},       "/d"  },
		{{"--listen", "3000:13000", NULL}, "3000"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct plan_case c = {.facts_text = PLAN_CASE_FACTS
				      "path folder /d\n",
				      .flags = rows[i].flags};
		int rc;
		plan_case_make(&c);
		assert_non_null(c.plan);
		struct bytes out = write_with("seatbelt", &c, &rc);
		assert_int_equal(rc, -1);
		assert_non_null(strstr(c.diag.text, rows[i].word));
		free(out.data);
		plan_case_clear(&c);
	}
}

static void seatbelt_refuses_paths_that_macos_has_not(void **state)
{
	char facts[8192] = "user ada 1\ngroup ada 1\ncwd /";
	size_t len = strlen(facts);
	struct plan_case c = {.facts_text = facts};
	int rc;

	(void)state;
	memset(facts + len, 'x', 4096);
	facts[len + 4096] = '\n';
	plan_case_make(&c);
	assert_non_null(c.plan);
	struct bytes out = write_with("seatbelt", &c, &rc);
	assert_int_equal(rc, -1);
	free(out.data);
	plan_case_clear(&c);
}

static void docker_refuses_the_hosts_root(void **state)
{
	static const char *const flags[] = {"--mode", "open", NULL};
	struct plan_case c = {.facts_text = PLAN_CASE_FACTS, .flags = flags};
	int rc;

	(void)state;
	plan_case_make(&c);
	struct bytes out = write_with("docker", &c, &rc);
	assert_int_equal(rc, -1);
	assert_non_null(strstr(c.diag.text, "open"));
	free(out.data);
	plan_case_clear(&c);
}

static void docker_has_no_network(void **state)
{
	static const char *const network[] = {"--network", "none", NULL};
	static const char *const caps[] = {"--cap-drop", "ALL", NULL};
	static const char *const entry[] = {"--entrypoint", "sh", NULL};
	struct plan_case c = odd_case();
	int rc;

	(void)state;
	struct bytes out = write_with("docker", &c, &rc);
	assert_int_equal(rc, 0);
	assert_true(has_words(&out, network));
	assert_true(has_words(&out, caps));
	assert_true(has_words(&out, entry));
	free(out.data);
	plan_case_clear(&c);
}

static void each_explains_every_guarantee(void **state)
{
	static const char *const names[] = {"plan", "bwrap", "seatbelt",
					    "seatbelt-args", "docker"};
	struct plan_case c = odd_case();

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct bytes out = {NULL, 0, 0, false};
		const struct backend *backend = backend_find(names[i]);
		assert_non_null(backend);
		assert_non_null(strstr(backend_names(), names[i]));
		explain_write(backend, c.plan, &out);
		assert_non_null(strstr(out.data, "G1 "));
		assert_non_null(strstr(out.data, "G13"));
		free(out.data);
		for (enum guarantee g = G1; g < GUARANTEE_END; g++) {
			struct explanation e = backend->explain(c.plan, g);
			assert_int_equal(e.why == NULL,
					 e.state == EXPLAIN_ENFORCED);
		}
	}
	assert_null(backend_find("none"));
	plan_case_clear(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bubblewrap_gets_every_byte),
		cmocka_unit_test(bubblewrap_always_unshares_and_drops),
		cmocka_unit_test(bubblewrap_seals_proc_for_uid_0),
		cmocka_unit_test(bubblewrap_files_have_their_descriptors),
		cmocka_unit_test(seatbelt_quotes_two_bytes_only),
		cmocka_unit_test(seatbelt_parameters_hold_paths_unquoted),
		cmocka_unit_test(seatbelt_refuses_what_it_cannot_say),
		cmocka_unit_test(seatbelt_refuses_paths_that_macos_has_not),
		cmocka_unit_test(docker_refuses_the_hosts_root),
		cmocka_unit_test(docker_has_no_network),
		cmocka_unit_test(each_explains_every_guarantee),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
