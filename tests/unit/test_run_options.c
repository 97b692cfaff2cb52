/* SPDX-License-Identifier: MIT */
/* test_run_options: the command line of exeat run, and its policy part. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "run_options.h"

#define MAX_WORDS 16

/**
 * struct line - a command line, and what came of it
 */
struct line {
	char *words[MAX_WORDS];
	int count;
	struct run_options options;
	struct diag diag;
	int rc;
};

static void parse(struct line *line, const char *const *words)
{
	*line = (struct line){.count = 0};
	for (; words[line->count] != NULL; line->count++)
		line->words[line->count] = strdup(words[line->count]);
	line->rc = run_options_parse(&line->options, line->count, line->words,
				     &line->diag);
}

static void clear(struct line *line)
{
	run_options_clear(&line->options);
	while (line->count > 0)
		free(line->words[--line->count]);
}

#define PARSE(line, ...) parse((line), (const char *const[]){__VA_ARGS__, NULL})

static void refused(const char *part, const char *const *words)
{
	struct line line;

	parse(&line, words);
	assert_int_equal(line.rc, -1);
	if (strstr(line.diag.text, part) == NULL)
		fail_msg("said: %s", line.diag.text);
	clear(&line);
}

#define REFUSED(part, ...) \
	refused((part), (const char *const[]){__VA_ARGS__, NULL})

static void takes_the_command_and_its_own_flags(void **state)
{
	struct line line;

	(void)state;
	PARSE(&line, "--allow", "a.test", "curl", "--allow", "x");
	assert_int_equal(line.rc, 0);
	assert_string_equal(line.options.command[0], "curl");
	assert_string_equal(line.options.command[1], "--allow");
	assert_null(line.options.command[3]);
	clear(&line);
	PARSE(&line, "--timeout=5s", "--", "--odd-name");
	assert_int_equal(line.rc, 0);
	assert_string_equal(line.options.command[0], "--odd-name");
	clear(&line);
}

static void keeps_policy_words_for_the_proxy(void **state)
{
	struct line line;

	(void)state;
	PARSE(&line, "--backend", "bwrap", "--allow", "a.test", "--dry-run",
	      "--observe", "--timeout=5s", "true");
	assert_int_equal(line.rc, 0);
	assert_true(line.options.is_dry_run);
	assert_int_equal(line.options.policy.word_count, 4);
	assert_string_equal(line.options.policy.words[0], "--allow");
	assert_string_equal(line.options.policy.words[1], "a.test");
	assert_string_equal(line.options.policy.words[2], "--observe");
	assert_string_equal(line.options.policy.words[3], "--timeout=5s");
	clear(&line);
}

static void says_what_is_wrong(void **state)
{
	(void)state;
	REFUSED("no command", "--allow", "a.test");
	REFUSED("no command", "--allow", "a.test", "--");
	REFUSED("no command", "");
	REFUSED("--alow: no such flag", "--alow", "a.test", "true");
	REFUSED("needs a value", "--allow");
	REFUSED("auto and bwrap", "--backend", "none", "true");
	REFUSED("--policy needs a file", "--policy");
	REFUSED("--policy /nonexistent: No such file", "--policy",
		"/nonexistent", "true");
	REFUSED("--policy /: Is a directory", "--policy", "/", "true");
}

static void reads_a_policy_file_once(void **state)
{
	char path[] = "/tmp/test_run_options.XXXXXX";
	static const char text[] =
		"version = 1;\nallow = ( { host = \"a.test\"; } );\n";
	int fd = mkstemp(path);
	struct line line;
	struct hostname name;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	(void)close(fd);
	PARSE(&line, "--policy", path, "true");
	(void)unlink(path);
	assert_int_equal(line.rc, 0);
	/* The proxy gets these bytes, whatever becomes of the file. */
	assert_int_equal(line.options.policy.file_len, strlen(text));
	assert_memory_equal(line.options.policy.file_text, text, strlen(text));
	struct policy *policy =
		policy_args_build(&line.options.policy, &line.diag);
	assert_non_null(policy);
	assert_int_equal(hostname_parse("a.test", 6, &name), HOSTNAME_OK);
	assert_int_equal(policy_decide_name(policy, &name, 443).verdict,
			 VERDICT_ALLOW);
	policy_free(policy);
	clear(&line);
}

static void takes_one_policy_file(void **state)
{
	char path[] = "/tmp/test_run_options.XXXXXX";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "version = 1;\n", 13), 13);
	(void)close(fd);
	REFUSED("one policy file", "--policy", path, "--policy", path, "true");
	(void)unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_the_command_and_its_own_flags),
		cmocka_unit_test(keeps_policy_words_for_the_proxy),
		cmocka_unit_test(says_what_is_wrong),
		cmocka_unit_test(reads_a_policy_file_once),
		cmocka_unit_test(takes_one_policy_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
