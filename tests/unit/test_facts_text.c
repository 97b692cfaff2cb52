/* SPDX-License-Identifier: MIT */
/* test_facts_text: facts survive being written and read, whatever their bytes;
 * what is not a fact is refused with its line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "facts_text.h"
#include "plan_case.h"
#include "words.h"

static struct fence_facts *read(const char *text, struct diag *diag)
{
	return facts_text_read("f", text, strlen(text), diag);
}

static void reads_back_what_it_wrote(void **state)
{
	static const char text[] =
		"user ada 1000\ngroup ada 1000\nhome /h\\x20\\x5c\\xff\n"
		"cwd /w\nlandlock 7\npath folder /a\npath file /l /a/f\n"
		"real socket /m/x /a/x\npath empty /opt\nsocket /a/s\n"
		"mount 8:1 / /mnt\n";
	struct diag diag = {""};
	struct bytes out = {NULL, 0, 0, false};
	struct fence_facts *facts = read(text, &diag);

	(void)state;
	assert_non_null(facts);
	assert_string_equal(facts->home, "/h \\\xff");
	const struct fence_path *link = fence_facts_find(facts, "/l");
	assert_string_equal(link->at, "/l");
	assert_string_equal(link->real, "/a/f");
	assert_int_equal(link->kind, FENCE_FILE);
	const struct fence_path *real = fence_facts_find(facts, "/m/x");
	assert_string_equal(real->at, "/a/x");
	assert_true(fence_facts_find(facts, "/opt")->is_empty);
	facts_text_write(facts, &out);
	struct fence_facts *again = read(out.data, &diag);
	struct bytes second = {NULL, 0, 0, false};
	facts_text_write(again, &second);
	assert_string_equal(out.data, second.data);
	free(out.data);
	free(second.data);
	fence_facts_free(facts);
	fence_facts_free(again);
}

static void refuses_what_is_no_fact(void **state)
{
	static const char *const bad[] = {
		"nonsense\n",
		"user ada\n",
		"user ada 4294967296\n",
		"home relative\n",
		"path folder\n",
		"path thing /a\n",
		"path folder a\n",
		"path folder /a b\n",
		"cwd /a /b\n",
		"cwd  /a\n",
		"cwd /a\\x00\n",
		"cwd /a\\x\n",
		"cwd /a\\y00\n",
		"mount 8:1 /\n",
		"landlock x\n",
		"real file /a\n",
		"socket s\n",
		"path file /a /b /c /d\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct diag diag = {""};
		if (read(bad[i], &diag) != NULL)
			fail_msg("taken: %s", bad[i]);
		assert_string_equal(diag.text, "f:1: is not a fact");
	}
}

static void needs_a_place(void **state)
{
	struct diag diag = {""};

	(void)state;
	assert_null(read("# nothing\n\n", &diag));
	assert_string_equal(diag.text, "f: user, group and cwd are needed");
}

static void takes_a_nul_for_no_fact(void **state)
{
	struct diag diag = {""};

	(void)state;
	assert_null(facts_text_read("f", "cwd /a\0b\n", 9, &diag));
}

static void completes_with_absent_paths(void **state)
{
	struct plan_case c = {
		.facts_text = PLAN_CASE_FACTS
		"path folder /home/ada/.ssh /home/ada/keys\n",
	};

	(void)state;
	plan_case_make(&c);
	const struct fence_path *fp =
		fence_facts_find(c.facts, "/home/ada/.aws");
	assert_non_null(fp);
	assert_int_equal(fp->kind, FENCE_ABSENT);
	assert_string_equal(fp->real, "/home/ada/.aws");
	plan_case_clear(&c);
}

static void words_are_read_as_they_were_written(void **state)
{
	char all[256];
	struct arena arena = {NULL};
	struct bytes out = {NULL, 0, 0, false};

	(void)state;
	for (int i = 1; i < 256; i++)
		all[i - 1] = (char)i;
	all[255] = '\0';
	word_write(&out, all);
	assert_null(strchr(out.data, ' '));
	assert_null(strchr(out.data, '\n'));
	assert_string_equal(word_read(&arena, out.data, out.len), all);
	free(out.data);
	arena_clear(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_back_what_it_wrote),
		cmocka_unit_test(refuses_what_is_no_fact),
		cmocka_unit_test(needs_a_place),
		cmocka_unit_test(takes_a_nul_for_no_fact),
		cmocka_unit_test(completes_with_absent_paths),
		cmocka_unit_test(words_are_read_as_they_were_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
