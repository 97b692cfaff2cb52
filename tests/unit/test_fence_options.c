/* SPDX-License-Identifier: MIT */
/* test_fence_options: the command line of exeat-fence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fence_options.h"

static int read_words(const char *const *words, struct fence_options *o,
		      struct diag *diag)
{
	char *argv[16];
	int argc = 0;

	while (words[argc] != NULL) {
		memcpy(&argv[argc], &words[argc], sizeof(char *));
		argc++;
	}
	return fence_options_read(argc, argv, o, diag);
}

static void reads_its_own_and_keeps_the_rest(void **state)
{
	static const char *const words[] = {
		"--backend",         "bwrap", "--allow",
		"a.example",         "-0",    "--open=trustd,browser",
		"--proxy-port=8899", "--",    "make",
		"--backend",         NULL};
	struct fence_options o;
	struct diag diag = {""};

	(void)state;
	assert_int_equal(read_words(words, &o, &diag), 0);
	assert_string_equal(o.backend, "bwrap");
	assert_true(o.has_nul_form);
	assert_int_equal(o.openings, PLAN_OPEN_TRUSTD | PLAN_OPEN_BROWSER);
	assert_int_equal(o.proxy_port, 8899);
	assert_string_equal(o.command, "make");
	assert_int_equal(o.policy_word_count, 2);
	assert_string_equal(o.policy_words[1], "a.example");
	free(o.policy_words);
}

static void refuses_bad_values(void **state)
{
	static const char *const rows[][3] = {
		{"--backend",    NULL  },
		{"--proxy-port", "0",    NULL},
		{"--proxy-port=70000",              NULL},
		{"--open",              "all",             NULL},
		{"--open=trustd,",          NULL   },
		{"--open=", NULL   },
		{"--facts",          NULL            },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fence_options o;
		struct diag diag = {""};
		if (read_words(rows[i], &o, &diag) != -1)
			fail_msg("taken: %s", rows[i][0]);
		assert_true(diag.text[0] != '\0');
		free(o.policy_words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_its_own_and_keeps_the_rest),
		cmocka_unit_test(refuses_bad_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
