/* SPDX-License-Identifier: MIT */
/* test_setup_cause: what stands behind bubblewrap's messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "setup_cause.h"

static void names_restricted_user_namespaces(void **state)
{
	static const char *const said[] = {
		"bwrap: setting up uid map: Permission denied",
		"bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
		"bwrap: No permissions to create new namespace",
		"bwrap: Creating new namespace failed: Operation not permitted",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		const struct setup_cause *c = setup_cause_find(said[i]);
		assert_non_null(strstr(c->cause, "user namespaces"));
		/* The narrow remedy, not a switch for the whole system. */
		assert_non_null(strstr(c->remedy, "apparmor_parser"));
		assert_non_null(strstr(c->remedy, "check: bwrap"));
		assert_null(strstr(c->remedy, "apparmor_restrict"));
	}
}

static void tells_a_masked_proc_from_it(void **state)
{
	const struct setup_cause *c =
		setup_cause_find("bwrap: Can't mount proc on /newroot/proc: "
				 "Operation not permitted");

	(void)state;
	assert_non_null(strstr(c->cause, "/proc"));
	assert_null(strstr(c->cause, "user namespaces"));
}

static void has_a_remedy_for_the_unknown(void **state)
{
	const struct setup_cause *c = setup_cause_find("");

	(void)state;
	assert_non_null(strstr(c->remedy, "check: bwrap"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_restricted_user_namespaces),
		cmocka_unit_test(tells_a_masked_proc_from_it),
		cmocka_unit_test(has_a_remedy_for_the_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
