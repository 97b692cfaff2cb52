/* SPDX-License-Identifier: MIT */
/* test_script: how a script's text is read, and what will run it. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "script.h"
#include "text.h"

/* In a folder of the test's own. */
#define FILE_NAME "text"

static char folder[] = "/tmp/test_script.XXXXXX";

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(folder) == NULL ? -1 : chdir(folder);
}

static void put(const void *bytes, size_t len)
{
	int fd =
		open(FILE_NAME, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), (ssize_t)len);
	(void)close(fd);
}

static int tear_down(void **state)
{
	(void)state;
	return unlink(FILE_NAME) == 0 ? rmdir(folder) : -1;
}

/* The words that run @text, one a line. */
static void expect(const char *text, char *interpreter, const char *wanted)
{
	static char first[] = "-x", second[] = "a b";
	char *words[] = {first, second, NULL};
	struct script_request request = {
		.file = FILE_NAME, .interpreter = interpreter, .words = words};
	struct diag diag = {.text = ""};
	struct script script;
	char seen[1024] = "";
	struct text line;

	put(text, strlen(text));
	script_init(&script);
	assert_int_equal(script_load(&script, &request, &diag), 0);
	text_init(&line, seen, sizeof(seen));
	for (char **word = script.command; *word != NULL; word++)
		text_addf(&line, "%s\n", *word);
	assert_string_equal(seen, wanted);
	assert_int_equal(script.len, strlen(text));
	assert_memory_equal(script.text, text, script.len);
	script_clear(&script);
}

#define INSIDE "/run/exeat/script/text\n"

static void first_line_is_left_to_the_kernel(void **state)
{
	(void)state;
	expect("#!/usr/bin/env python3\nprint(1)\n", NULL, INSIDE "-x\na b\n");
	expect("#! /bin/sh -e\nls\n", NULL, INSIDE "-x\na b\n");
}

static void shell_reads_it_from_its_input(void **state)
{
	char bash[] = "/usr/bin/bash";

	(void)state;
	expect("ls\n", NULL, "sh\n-s\n--\n-x\na b\n");
	expect("ls\n", bash, "/usr/bin/bash\n-s\n--\n-x\na b\n");
}

static void other_interpreter_is_pointed_at_the_file(void **state)
{
	char python[] = "python3", shfmt[] = "shfmt";

	(void)state;
	expect("print(1)\n", python, "python3\n" INSIDE "-x\na b\n");
	/* What was named beats the first line. */
	expect("#!/bin/sh\n", python, "python3\n" INSIDE "-x\na b\n");
	expect("ls\n", shfmt, "shfmt\n" INSIDE "-x\na b\n");
}

static void tool_is_the_program_of_the_first_line(void **state)
{
	static const struct {
		const char *text;
		const char *tool;
	} cases[] = {
		{"#!/opt/x/python -u\n", "/opt/x/python"  },
		{"#!\t/bin/true\r\n",    "/bin/true"      },
		{"#!/bin/no-newline",    "/bin/no-newline"},
		{"#!",                   ""               },
		{"#! \n",                ""               },
		{"# !/bin/x\n",          "sh"             },
	};

	char *words[] = {NULL};
	struct script_request request = {.file = FILE_NAME, .words = words};
	struct diag diag = {.text = ""};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct script script;
		put(cases[i].text, strlen(cases[i].text));
		script_init(&script);
		assert_int_equal(script_load(&script, &request, &diag), 0);
		assert_string_equal(script.tool, cases[i].tool);
		script_clear(&script);
	}
}

static void any_byte_is_kept(void **state)
{
	char bytes[70000];
	char *words[] = {NULL};
	struct script_request request = {.file = FILE_NAME, .words = words};
	struct diag diag = {.text = ""};
	struct script script;

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 7);
	put(bytes, sizeof(bytes));
	script_init(&script);
	assert_int_equal(script_load(&script, &request, &diag), 0);
	assert_int_equal(script.len, sizeof(bytes));
	assert_memory_equal(script.text, bytes, sizeof(bytes));
	script_clear(&script);
}

static void empty_absent_or_huge_is_refused(void **state)
{
	static const struct {
		const char *file;
		const char *said;
	} cases[] = {
		{FILE_NAME,       "it is empty"   },
		{"/no/such/file", "No such file"  },
		{"/tmp",          "Is a directory"},
		{"/dev/zero",     "16 MiB"        },
	};

	char *words[] = {NULL};

	(void)state;
	put("", 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct script_request request = {.file = cases[i].file,
						 .words = words};
		struct diag diag = {.text = ""};
		struct script script;

		script_init(&script);
		assert_int_equal(script_load(&script, &request, &diag), -1);
		if (strstr(diag.text, cases[i].said) == NULL)
			fail_msg("said: %s", diag.text);
		script_clear(&script);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_line_is_left_to_the_kernel),
		cmocka_unit_test(shell_reads_it_from_its_input),
		cmocka_unit_test(other_interpreter_is_pointed_at_the_file),
		cmocka_unit_test(tool_is_the_program_of_the_first_line),
		cmocka_unit_test(any_byte_is_kept),
		cmocka_unit_test(empty_absent_or_huge_is_refused),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
