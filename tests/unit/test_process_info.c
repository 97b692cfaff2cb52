/* SPDX-License-Identifier: MIT */
/* process_info: what an answer says is what a record says, and no more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "audit.h"
#include "process_info.h"
#include "service.h"

static void copies_what_was_found(void **state)
{
	struct service_answer answer = {
		.process = SERVICE_FOUND,
		.pid = 42,
		.exe = "/bin/x",
		.argv0 = "x",
		.parents = "1 init",
	};
	struct audit_record record = {.pid = 0};
	struct process_info *info = process_info_new(&answer);

	(void)state;
	memset(&answer, 'y', sizeof(answer));
	process_info_fill(info, &record);
	assert_int_equal(record.pid, 42);
	assert_string_equal(record.exe, "/bin/x");
	assert_string_equal(record.argv0, "x");
	assert_string_equal(record.parents, "1 init");
	assert_null(record.process);
	process_info_free(info);
}

static void takes_strings_of_full_length(void **state)
{
	struct service_answer answer = {.process = SERVICE_FOUND, .pid = 1};
	struct audit_record record = {.pid = 0};

	(void)state;
	memset(answer.exe, 'e', sizeof(answer.exe));
	memset(answer.argv0, 'a', sizeof(answer.argv0));
	memset(answer.parents, 'p', sizeof(answer.parents));
	struct process_info *info = process_info_new(&answer);
	process_info_fill(info, &record);
	assert_int_equal(strlen(record.exe), SERVICE_EXE_BYTES - 1);
	assert_int_equal(strlen(record.argv0), SERVICE_ARGV0_BYTES - 1);
	assert_int_equal(strlen(record.parents), SERVICE_PARENT_BYTES - 1);
	process_info_free(info);
}

static void check_word(enum service_process process, const char *word)
{
	const struct service_answer answer = {
		.process = process,
		.pid = 7,
		.exe = "guess",
	};
	struct audit_record record = {.pid = 0};
	struct process_info *info = process_info_new(&answer);

	process_info_fill(info, &record);
	assert_int_equal(record.pid, 0);
	assert_null(record.exe);
	assert_string_equal(record.process, word);
	process_info_free(info);
}

static void never_guesses(void **state)
{
	(void)state;
	check_word(SERVICE_GONE, "gone");
	check_word(SERVICE_HIDDEN, "hidden");
	check_word(SERVICE_UNKNOWN, "unknown");
}

static void says_nothing_where_nobody_was_asked(void **state)
{
	struct audit_record record = {.pid = 0};

	(void)state;
	process_info_fill(NULL, &record);
	assert_null(record.process);
	process_info_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_what_was_found),
		cmocka_unit_test(takes_strings_of_full_length),
		cmocka_unit_test(never_guesses),
		cmocka_unit_test(says_nothing_where_nobody_was_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
