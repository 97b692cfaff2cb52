/* SPDX-License-Identifier: MIT */
/* Every row of the tunnel's table, and every pair that has none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tunnel_state.h"

/* The life of a tunnel in words: state, event, next state. A pair that is not
 * here must not be in the table, and closes. */
static const char *const life[] = {
	"head authorised resolving",
	"head destined dialling",
	"head requested exchange",
	"head refused refusing",
	"head ended closed",
	"resolving destined dialling",
	"resolving refused refusing",
	"resolving ended closed",
	"dialling open_for_hello hello",
	"dialling open_for_http head",
	"dialling requested exchange",
	"dialling open relaying",
	"dialling refused refusing",
	"dialling ended closed",
	"exchange exchanged head",
	"exchange finished draining",
	"exchange open relaying",
	"exchange refused refusing",
	"exchange ended closed",
	"hello hello_passed guarded",
	"hello open relaying",
	"hello refused refusing",
	"hello ended closed",
	"guarded guard_done relaying",
	"guarded refused refusing",
	"guarded ended closed",
	"relaying ended closed",
	"refusing answered draining",
	"refusing ended closed",
	"draining ended closed", /* a line each */
};

#define LIFE_COUNT (sizeof(life) / sizeof(life[0]))

/* The line that begins with the pair, or NULL. */
static const char *line_of(enum tunnel_state state, enum tunnel_event event)
{
	char start[64];
	int len = snprintf(start, sizeof(start), "%s %s ",
			   tunnel_state_text(state), tunnel_event_text(event));

	for (size_t i = 0; i < LIFE_COUNT; i++)
		if (strncmp(life[i], start, (size_t)len) == 0)
			return life[i] + len;
	return NULL;
}

static void every_pair_does_what_it_should(void **state)
{
	size_t seen = 0;

	(void)state;
	for (enum tunnel_state s = 0; s < TUNNEL_STATE_COUNT; s++) {
		for (enum tunnel_event e = 0; e < TUNNEL_EVENT_COUNT; e++) {
			const char *next = line_of(s, e);

			assert_int_equal(tunnel_state_has(s, e), next != NULL);
			assert_string_equal(
				tunnel_state_text(tunnel_state_next(s, e)),
				next != NULL ? next : "closed");
			seen += next != NULL;
		}
	}
	assert_int_equal(seen, LIFE_COUNT);
}

/* Whatever happens, in any order, bytes flow only after the answer and, where
 * TLS is due, after the hello. */
static void relaying_is_reached_by_opening_only(void **state)
{
	(void)state;
	for (enum tunnel_state s = 0; s < TUNNEL_STATE_COUNT; s++)
		for (enum tunnel_event e = 0; e < TUNNEL_EVENT_COUNT; e++)
			if (tunnel_state_next(s, e) == TUNNEL_RELAYING)
				assert_true(e == TUNNEL_OPEN ||
					    e == TUNNEL_GUARD_DONE);
}

static void names_are_there_for_the_log(void **state)
{
	(void)state;
	assert_string_equal(tunnel_state_text(TUNNEL_HEAD), "head");
	assert_string_equal(tunnel_state_text(TUNNEL_STATE_COUNT), "?");
	assert_string_equal(tunnel_event_text(TUNNEL_ENDED), "ended");
	assert_string_equal(tunnel_event_text(TUNNEL_EVENT_COUNT), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_pair_does_what_it_should),
		cmocka_unit_test(relaying_is_reached_by_opening_only),
		cmocka_unit_test(names_are_there_for_the_log),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
