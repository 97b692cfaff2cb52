/* SPDX-License-Identifier: MIT */
/* test_prove_report: an attempt proves something only beside its control. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prove_report.h"

static const struct prove_probe wanted = {
	.name = "w", .guarantee = 1, .control = PROVE_TWIN, .is_wanted = true};
static const struct prove_probe twin = {
	.name = "t", .guarantee = 1, .control = PROVE_TWIN};
static const struct prove_probe outside = {
	.name = "o", .guarantee = 2, .control = PROVE_OUTSIDE};
static const struct prove_probe perhaps = {
	.name = "p", .guarantee = 2, .control = PROVE_PERHAPS};

static void judges_by_attempt_and_control(void **state)
{
	static const struct {
		const struct prove_probe *probe;
		enum prove_answer inside;
		enum prove_answer control;
		enum prove_verdict verdict;
	} rows[] = {
		{&outside, PROVE_BLOCKED, PROVE_REACHED, PROVE_HOLDS  },
		{&outside, PROVE_REACHED, PROVE_REACHED, PROVE_FAILS  },
		{&outside, PROVE_REACHED, PROVE_BLOCKED, PROVE_FAILS  },
		{&outside, PROVE_BLOCKED, PROVE_BLOCKED, PROVE_BROKEN },
		{&outside, PROVE_BLOCKED, PROVE_UNTRIED, PROVE_BROKEN },
		{&outside, PROVE_UNTRIED, PROVE_REACHED, PROVE_BROKEN },
		{&perhaps, PROVE_BLOCKED, PROVE_REACHED, PROVE_HOLDS  },
		{&perhaps, PROVE_BLOCKED, PROVE_BLOCKED, PROVE_NOTHING},
		{&perhaps, PROVE_REACHED, PROVE_BLOCKED, PROVE_FAILS  },
		{&perhaps, PROVE_UNTRIED, PROVE_REACHED, PROVE_BROKEN },
		{&wanted,  PROVE_REACHED, PROVE_UNTRIED, PROVE_HOLDS  },
		{&wanted,  PROVE_BLOCKED, PROVE_REACHED, PROVE_BROKEN },
 /* Its twin is none of these rows. */
		{&twin,    PROVE_BLOCKED, PROVE_REACHED, PROVE_BROKEN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct prove_case c = {
			.probe = rows[i].probe,
			.inside = rows[i].inside,
			.control = rows[i].control,
		};
		if (prove_judge(&c, 1, 0) != rows[i].verdict)
			fail_msg("row %zu", i);
	}
}

static void a_twin_must_have_been_reached(void **state)
{
	struct prove_case cases[] = {
		{.probe = &wanted, .inside = PROVE_REACHED},
		{.probe = &twin,   .inside = PROVE_BLOCKED},
	};

	(void)state;
	assert_int_equal(prove_judge(cases, 2, 1), PROVE_HOLDS);
	cases[0].inside = PROVE_BLOCKED;
	assert_int_equal(prove_judge(cases, 2, 1), PROVE_BROKEN);
	cases[1].inside = PROVE_REACHED;
	assert_int_equal(prove_judge(cases, 2, 1), PROVE_FAILS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(judges_by_attempt_and_control),
		cmocka_unit_test(a_twin_must_have_been_reached),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
