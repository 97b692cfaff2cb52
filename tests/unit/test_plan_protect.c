/* SPDX-License-Identifier: MIT */
/* test_plan_protect: what must stay is read-only by every name that the command
 * has for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "plan_case.h"
#include "plan_view.h"

#define POLICY "/home/ada/p.cfg"

static const char *const own[] = {POLICY, NULL};

/* The entry at @path is there to show @source read-only. */
static void assert_guarded(const struct plan_case *c, const char *path,
			   const char *source, enum plan_why why)
{
	const struct plan_entry *e = plan_case_find(c, path);

	if (e == NULL)
		fail_msg("nothing lies at %s", path);
	assert_int_equal(e->access, PLAN_READ);
	assert_int_equal(e->why, why);
	assert_string_equal(e->source, source);
	assert_false(plan_view(c->plan, path).is_written);
}

static void own_files_are_guarded_where_a_mount_shows_them(void **state)
{
	static const char *const flags[] = {"--mount", "/srv/d:/x:rw",
					    "--mount", "/srv/d:/y/z:rw", NULL};
	static const char *const protect[] = {"/srv/d/conf/p.cfg", NULL};
	struct plan_case c = {
		.facts_text = PLAN_CASE_FACTS "path folder /srv/d\n"
					      "path file /srv/d/conf/p.cfg\n",
		.flags = flags,
		.protect = protect,
	};

	(void)state;
	plan_case_make(&c);
	assert_non_null(c.plan);
	assert_guarded(&c, "/x/conf/p.cfg", protect[0], PLAN_FOR_OWN);
	assert_guarded(&c, "/y/z/conf/p.cfg", protect[0], PLAN_FOR_OWN);
	assert_int_equal(plan_case_find(&c, "/x/conf")->why, PLAN_FOR_PIN);
	assert_true(plan_view(c.plan, "/x/conf/other").is_written);
	plan_case_clear(&c);
}

static void a_mount_of_the_host_is_a_further_name(void **state)
{
	/* /alias shows what /home/ada/conf shows. */
	static const char *const flags[] = {"--write", "/alias", NULL};
	static const char *const protect[] = {"/home/ada/conf/p.cfg", NULL};
	struct plan_case c = {
		.facts_text = PLAN_CASE_FACTS
		"path folder /alias\npath file /home/ada/conf/p.cfg\n"
		"mount 8:1 / /\nmount 8:1 /home/ada/conf /alias\n",
		.flags = flags,
		.protect = protect,
	};

	(void)state;
	plan_case_make(&c);
	assert_non_null(c.plan);
	assert_guarded(&c, "/alias/p.cfg", "/alias/p.cfg", PLAN_FOR_OWN);
	plan_case_clear(&c);
}

static void what_git_obeys_is_guarded_by_every_name(void **state)
{
	static const char *const flags[] = {"--mount", "/home/ada/app:/x:rw",
					    "--mount", "/home/ada/app:/y:rw",
					    NULL};
	static const char *const seen[] = {"/home/ada/app", "/x", "/y"};
	struct plan_case c = {
		.facts_text =
			PLAN_CASE_FACTS "path folder /home/ada/app/.git\n"
					"path file /home/ada/app/.git/config\n",
		.flags = flags,
	};
	char path[64];

	(void)state;
	plan_case_make(&c);
	assert_non_null(c.plan);
	for (size_t i = 0; i < 3; i++) {
		(void)snprintf(path, sizeof(path), "%s/.git/config", seen[i]);
		assert_guarded(&c, path, "/home/ada/app/.git/config",
			       PLAN_FOR_PROTECT);
		(void)snprintf(path, sizeof(path), "%s/.git", seen[i]);
		assert_int_equal(plan_case_find(&c, path)->why, PLAN_FOR_PIN);
	}
	plan_case_clear(&c);
}

static void each_unprotected_name_is_listed_once(void **state)
{
	static const char *const flags[] = {"--mount", "/home/ada/app:/x:rw",
					    NULL};
	struct plan_case c = {.facts_text = PLAN_CASE_FACTS, .flags = flags};

	(void)state;
	plan_case_make(&c);
	assert_non_null(c.plan);
	for (size_t i = 0; i < c.plan->unprotected_count; i++)
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(c.plan->unprotected[i],
						c.plan->unprotected[k]);
	plan_case_clear(&c);
}

static void refuses_what_cannot_be_guarded(void **state)
{
	static const struct {
		const char *facts;
		const char *flags[3];
		const char *word;
	} rows[] = {
		{"path file " POLICY "\nown-link /home/ada/app/link\n",
		 {NULL},
		 "could turn"										 },
		{"path linked " POLICY "\n",                            {NULL},                  "hard link"  },
		{"path file " POLICY "\n",                              {"--write", POLICY},     "exeat's own"},
		{"path file " POLICY "\n",
		 {"--mount", POLICY ":/x:rw"},
		 "exeat's own"										},
		{"path folder /state\npath folder " POLICY " /state\n"
		 "path folder /state/a\n",             {"--write", "/state/a"},
		 "exeat's own"										},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char facts[1024];
		(void)snprintf(facts, sizeof(facts), "%s%s", PLAN_CASE_FACTS,
			       rows[i].facts);
		struct plan_case c = {.facts_text = facts,
				      .flags = rows[i].flags,
				      .protect = own};
		plan_case_make(&c);
		assert_null(c.plan);
		if (strstr(c.diag.text, rows[i].word) == NULL)
			fail_msg("row %zu: %s", i, c.diag.text);
		plan_case_clear(&c);
	}
}

static void a_link_elsewhere_is_nobodys_business(void **state)
{
	struct plan_case c = {
		.facts_text = PLAN_CASE_FACTS "path file " POLICY "\n"
					      "own-link /home/ada/link\n"
					      "own-link /home/ada/app2/link\n",
		.protect = own,
	};

	(void)state;
	plan_case_make(&c);
	assert_non_null(c.plan);
	plan_case_clear(&c);
}

/* As uid 0 all of /proc is read-only. */
static void the_kernels_pressure_files_are_hidden(void **state)
{
	static const char text[] =
		PLAN_CASE_FACTS "path folder /proc/pressure\n";
	struct plan_case c = {.facts_text = text};
	struct plan_case root = {.facts_text = text};

	(void)state;
	plan_case_make(&c);
	assert_non_null(c.plan);
	assert_int_equal(plan_case_find(&c, "/proc/pressure")->access,
			 PLAN_HIDE_FOLDER);
	plan_case_clear(&c);
	root.facts_text = "user root 0\ngroup root 0\ncwd /w\n"
			  "path folder /w\npath folder /proc/pressure\n";
	plan_case_make(&root);
	assert_non_null(root.plan);
	assert_null(plan_case_find(&root, "/proc/pressure"));
	assert_int_equal(plan_case_find(&root, "/proc")->access, PLAN_PROC);
	plan_case_clear(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			own_files_are_guarded_where_a_mount_shows_them),
		cmocka_unit_test(a_mount_of_the_host_is_a_further_name),
		cmocka_unit_test(what_git_obeys_is_guarded_by_every_name),
		cmocka_unit_test(each_unprotected_name_is_listed_once),
		cmocka_unit_test(refuses_what_cannot_be_guarded),
		cmocka_unit_test(a_link_elsewhere_is_nobodys_business),
		cmocka_unit_test(the_kernels_pressure_files_are_hidden),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
