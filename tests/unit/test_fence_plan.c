/* SPDX-License-Identifier: MIT */
/* test_fence_plan: what is shown, hidden and refused. The golden files say it
 * for whole plans; here stands each rule alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plan_case.h"

static void is_made_of_layers_from_the_outside_in(void **state)
{
	struct plan_case c = {.facts_text = PLAN_CASE_FACTS};

	(void)state;
	plan_case_make(&c);
	assert_non_null(c.plan);
	assert_int_equal(plan_case_find(&c, "/home/ada")->access, PLAN_PRIVATE);
	assert_int_equal(plan_case_find(&c, "/home/ada/app")->access,
			 PLAN_WRITE);
	assert_true(plan_case_find(&c, "/home/ada") <
		    plan_case_find(&c, "/home/ada/app"));
	assert_int_equal(plan_case_find(&c, "/bin")->access, PLAN_LINK);
	assert_null(plan_case_find(&c, "/sys"));
	const struct plan_entry *last =
		&c.plan->entries[c.plan->entry_count - 1];
	assert_int_equal(last->access, PLAN_SEAL);
	assert_string_equal(last->path, "/");
	plan_case_clear(&c);
}

static void never_shows_the_root_whole_unless_open(void **state)
{
	static const char *const flags[][3] = {
		{NULL },
                { "--mode", "allowlist", NULL}
        };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct plan_case c = {.facts_text = PLAN_CASE_FACTS,
				      .flags = flags[i]};
		plan_case_make(&c);
		for (size_t k = 0; k < c.plan->entry_count; k++)
			assert_true(c.plan->entries[k].access == PLAN_SEAL ||
				    strcmp(c.plan->entries[k].path, "/") != 0);
		plan_case_clear(&c);
	}
}

static void treats_an_unknown_mode_as_strict(void **state)
{
	struct plan_case c = {.facts_text = PLAN_CASE_FACTS};

	(void)state;
	plan_case_make(&c);
	size_t strict = c.plan->entry_count;
	fence_plan_free(c.plan);
	c.policy->files.mode = (enum policy_files_mode)99;
	c.plan = fence_plan_new(c.policy, c.facts, &c.request, &c.diag);
	assert_non_null(c.plan);
	assert_int_equal(c.plan->entry_count, strict);
	plan_case_clear(&c);
}

static void the_most_specific_of_read_and_hide_wins(void **state)
{
	static const char *const flags[] = {
		"--mode", "allowlist", "--read", "/d",     "--hide",
		"/d/a",   "--read",    "/d/a/b", "--hide", "/d/t",
		"--read", "/d/t",      NULL};
	struct plan_case c = {
		.facts_text = PLAN_CASE_FACTS
		"path folder /d\npath folder /d/a\npath folder /d/a/b\n"
		"path folder /d/t\n",
		.flags = flags,
	};

	(void)state;
	plan_case_make(&c);
	assert_int_equal(plan_case_find(&c, "/d")->access, PLAN_READ);
	assert_int_equal(plan_case_find(&c, "/d/a")->access, PLAN_HIDE_FOLDER);
	assert_int_equal(plan_case_find(&c, "/d/a/b")->access, PLAN_READ);
	assert_int_equal(plan_case_find(&c, "/d/t")->access, PLAN_HIDE_FOLDER);
	plan_case_clear(&c);
}

static void compares_by_components(void **state)
{
	static const char *const flags[] = {"--mode", "allowlist", "--read",
					    "/data",  "--hide",    "/data/a",
					    NULL};
	struct plan_case c = {
		.facts_text = PLAN_CASE_FACTS "path folder /data\npath folder "
					      "/data/a\npath folder /data/ab\n",
		.flags = flags,
	};

	(void)state;
	plan_case_make(&c);
	assert_non_null(plan_case_find(&c, "/data/a"));
	assert_null(plan_case_find(&c, "/data/ab"));
	plan_case_clear(&c);
}

static void an_explicit_read_shows_a_secret(void **state)
{
	static const char *const flags[] = {"--mode", "open", "--read",
					    "/home/ada/.ssh/known_hosts", NULL};
	struct plan_case c = {
		.facts_text = PLAN_CASE_FACTS
		"path folder /home/ada/.ssh\n"
		"path file /home/ada/.ssh/known_hosts\n",
		.flags = flags,
	};

	(void)state;
	plan_case_make(&c);
	assert_int_equal(plan_case_find(&c, "/home/ada/.ssh")->access,
			 PLAN_HIDE_FOLDER);
	assert_int_equal(
		plan_case_find(&c, "/home/ada/.ssh/known_hosts")->access,
		PLAN_READ);
	plan_case_clear(&c);
}

static void pins_what_holds_something_protected(void **state)
{
	struct plan_case c = {
		.facts_text = PLAN_CASE_FACTS
		"path folder /home/ada/app/.git/hooks\n",
	};

	(void)state;
	plan_case_make(&c);
	const struct plan_entry *pin = plan_case_find(&c, "/home/ada/app/.git");
	assert_non_null(pin);
	assert_int_equal(pin->why, PLAN_FOR_PIN);
	assert_int_equal(plan_case_find(&c, "/home/ada/app/.git/hooks")->access,
			 PLAN_READ);
	plan_case_clear(&c);
}

static void a_grant_of_what_holds_it_keeps_the_pin(void **state)
{
	static const char *const flags[] = {"--write", ".git", NULL};
	struct plan_case c = {
		.facts_text = PLAN_CASE_FACTS
		"path folder /home/ada/app/.git\n"
		"path folder /home/ada/app/.git/hooks\n",
		.flags = flags,
	};

	(void)state;
	plan_case_make(&c);
	assert_non_null(c.plan);
	const struct plan_entry *pin = plan_case_find(&c, "/home/ada/app/.git");
	assert_non_null(pin);
	assert_int_equal(pin->access, PLAN_WRITE);
	assert_non_null(plan_case_find(&c, "/home/ada/app/.git/hooks"));
	plan_case_clear(&c);
}

static void the_policy_is_never_writable(void **state)
{
	static const char *const flags[] = {"--protect", "list", NULL};
	static const char *const protect[] = {"/home/ada/app/p.cfg", NULL};
	struct plan_case c = {
		.facts_text = PLAN_CASE_FACTS "path file /home/ada/app/p.cfg\n",
		.flags = flags,
		.protect = protect,
	};

	(void)state;
	plan_case_make(&c);
	assert_int_equal(plan_case_find(&c, "/home/ada/app/p.cfg")->access,
			 PLAN_READ);
	plan_case_clear(&c);
}

static void lists_what_cannot_be_protected(void **state)
{
	struct plan_case c = {.facts_text = PLAN_CASE_FACTS};
	bool found = false;

	(void)state;
	plan_case_make(&c);
	for (size_t i = 0; i < c.plan->unprotected_count; i++)
		found = found || strcmp(c.plan->unprotected[i],
					"/home/ada/app/.envrc") == 0;
	assert_true(found);
	plan_case_clear(&c);
}

static const struct refusal {
	const char *facts;
	const char *flags[4];
	const char *word;
} refusals[] = {
	{"cwd /\n",					  {NULL},                         "folder of the system"     },
	{"cwd /home/ada\n",				  {NULL},                         "home folder"              },
	{"cwd /home\n",				      {NULL},                         "folder of the system"     },
	{"cwd /tmp\n",				       {NULL},                         "folder of the system"     },
	{"cwd /proc/1\n",				    {NULL},                         "of the machine"           },
	{"cwd /dev/shm\n",				   {NULL},                         "of the machine"           },
	{"cwd /home/ada/.ssh\n",                             {NULL},                         "holds secrets"            },
	{"cwd /home/ada/.config/gcloud/x\n",                 {NULL},                         "holds secrets"            },
	{"cwd /home/ada/.config\n",                          {NULL},                         "holds a folder of secrets"},
	{"cwd /System/Volumes/Data/home/ada/.aws\n",         {NULL},                         "holds secrets"            },
	{"path folder /home/ada/.kube /k\ncwd /k/x\n",       {NULL},                         "holds secrets"            },
	{"path folder /etc\n",			       {"--mount", "/etc:/m", NULL},   "of the system"            },
	{"",						 {"--mount", "/none:/m", NULL},  "does not exist"           },
	{"path socket /s\n",				 {"--mount", "/s:/m", NULL},     "is a socket"              },
	{"path unknown /u\n",				{"--mount", "/u:/m", NULL},     "neither"                  },
	{"path folder /d\n",				 {"--mount", "/d:/usr/x", NULL}, "would cover"              },
	{"path folder /d\n",				 {"--mount", "/d:/proc", NULL},  "would cover"              },
	{"path folder /d\n",				 {"--mount", "/d:/run", NULL},   "would cover"              },
	{"path folder /d\n",
	 {"--mount", "/d:/home/ada/app", NULL},
	 "working directory"											    },
	{"path folder /d\n",
	 {"--mount", "/d:/home", NULL},
	 "working directory"											    },
	{"path folder /d\n",				 {"--mount", "/d:sub", NULL},    "no such folder"           },
	{"path folder /d\npath folder /home/ada/app/l /x\n",
	 {"--mount", "/d:l", NULL},
	 "is a link"												    },
	{"",						 {"--write", "/none", NULL},     "does not exist"           },
	{"path folder /home/ada/app/l /x\n",
	 {"--write", "l", NULL},
	 "leaves the working directory"										 },
	{"path folder /home/ada\n",
	 {"--write", "/home/ada", NULL},
	 "home folder"												  },
	{"path other /dev/sda\n",                            {"--write", "/dev/sda", NULL},  "neither"                  },
	{"",						 {"--unix", "/none.sock", NULL}, "does not exist"           },
	{"path file /f\n",				   {"--unix", "/f", NULL},         "not a socket"             },
};

static void refuses_with_a_reason(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		char facts[2048] = PLAN_CASE_FACTS;
		struct plan_case c = {.facts_text = facts,
				      .flags = refusals[i].flags};
		memcpy(facts + strlen(facts), refusals[i].facts,
		       strlen(refusals[i].facts) + 1);
		plan_case_make(&c);
		if (c.plan != NULL)
			fail_msg("taken: %s %s", refusals[i].facts,
				 refusals[i].flags[1]);
		if (strstr(c.diag.text, refusals[i].word) == NULL)
			fail_msg("%s: says %s", refusals[i].word, c.diag.text);
		plan_case_clear(&c);
	}
}

static void permits_folders_in_forbidden_ones(void **state)
{
	static const char *const cwds[] = {
		"/home/ada/app",   "/tmp/x", "/var/x",
		"/usr/src/x",      "/etc/x", "/home/adam",
		"/home/ada/.sshx", "/srv",   "/home/ada/.config/x",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cwds) / sizeof(cwds[0]); i++) {
		char facts[2048] = PLAN_CASE_FACTS "cwd ";
		struct plan_case c = {.facts_text = facts};
		memcpy(facts + strlen(facts), cwds[i], strlen(cwds[i]) + 1);
		plan_case_make(&c);
		if (c.plan == NULL)
			fail_msg("%s: %s", cwds[i], c.diag.text);
		plan_case_clear(&c);
	}
}

static void a_grant_in_the_working_directory_may_be_made_later(void **state)
{
	static const char *const flags[] = {"--write", "out/docs", NULL};
	struct plan_case c = {.facts_text = PLAN_CASE_FACTS, .flags = flags};

	(void)state;
	plan_case_make(&c);
	assert_non_null(c.plan);
	plan_case_clear(&c);
}

static void tells_what_a_hide_cannot_do(void **state)
{
	static const char *const flags[] = {"--hide", "none", NULL};
	struct plan_case c = {.facts_text = PLAN_CASE_FACTS, .flags = flags};

	(void)state;
	plan_case_make(&c);
	assert_int_equal(c.plan->note_count, 1);
	assert_non_null(strstr(c.plan->notes[0], "none does not exist"));
	plan_case_clear(&c);
}

static void path_holds_what_can_be_seen(void **state)
{
	struct plan_case c = {
		.facts_text = PLAN_CASE_FACTS
		"path folder /home/ada/.cargo/bin\n"
		"path folder /home/ada/work/bin\n"
		"path folder /opt/sdk/bin\npath folder /opt/sdk/lib\n",
		.search_path = "/home/ada/.cargo/bin:rel:/none:/usr/bin:"
			       "/opt/sdk/bin:/home/ada/work/bin:.",
	};

	(void)state;
	plan_case_make(&c);
	bool found = false;
	for (size_t i = 0; i < c.plan->environ_count; i++)
		found = found || strcmp(c.plan->environ[i],
					"PATH=/home/ada/.cargo/bin:/usr/bin:"
					"/opt/sdk/bin:/home/ada/work/bin") == 0;
	assert_true(found);
	assert_non_null(plan_case_find(&c, "/opt/sdk"));
	assert_null(plan_case_find(&c, "/home/ada/work"));
	assert_non_null(plan_case_find(&c, "/home/ada/work/bin"));
	plan_case_clear(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_made_of_layers_from_the_outside_in),
		cmocka_unit_test(never_shows_the_root_whole_unless_open),
		cmocka_unit_test(treats_an_unknown_mode_as_strict),
		cmocka_unit_test(the_most_specific_of_read_and_hide_wins),
		cmocka_unit_test(compares_by_components),
		cmocka_unit_test(an_explicit_read_shows_a_secret),
		cmocka_unit_test(pins_what_holds_something_protected),
		cmocka_unit_test(a_grant_of_what_holds_it_keeps_the_pin),
		cmocka_unit_test(the_policy_is_never_writable),
		cmocka_unit_test(lists_what_cannot_be_protected),
		cmocka_unit_test(refuses_with_a_reason),
		cmocka_unit_test(permits_folders_in_forbidden_ones),
		cmocka_unit_test(
			a_grant_in_the_working_directory_may_be_made_later),
		cmocka_unit_test(tells_what_a_hide_cannot_do),
		cmocka_unit_test(path_holds_what_can_be_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
