/* SPDX-License-Identifier: MIT */
/* test_audit_rows: each connection counts once, under the right row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "audit_line.h"
#include "audit_rows.h"

static struct audit_rows *rows;
static const struct audit_row **sorted;
static size_t count;

/* @rest: all but time, number and the brace. */
static void add(const char *rest)
{
	static struct audit_line_space space;
	struct audit_entry entry;
	char line[1024];

	(void)snprintf(line, sizeof(line),
		       "{\"ts\":\"2025-12-01T00:00:00.123Z\",\"seq\":7,"
		       "\"run\":\"r\",%s}",
		       rest);
	assert_int_equal(audit_line_parse(line, strlen(line), &space, &entry),
			 AUDIT_LINE_OK);
	assert_int_equal(audit_rows_add(rows, &entry), 0);
}

static void sort(void)
{
	sorted = audit_rows_sorted(rows, &count);
	assert_non_null(sorted);
}

static int start(void **state)
{
	(void)state;
	rows = audit_rows_new(AUDIT_BY_DESTINATION);
	return rows == NULL;
}

static int stop(void **state)
{
	(void)state;
	audit_rows_free(rows);
	free(sorted);
	sorted = NULL;
	return 0;
}

static void assert_row(size_t at, const char *key, enum audit_outcome outcome,
		       uint64_t attempts)
{
	assert_true(at < count);
	assert_string_equal(sorted[at]->key.at, key);
	assert_int_equal(sorted[at]->outcome, outcome);
	assert_int_equal(sorted[at]->counts[outcome], attempts);
}

#define ALLOW(conn)                                                       \
	"\"event\":\"decision\",\"conn\":" conn ",\"verdict\":\"allow\"," \
	"\"host\":\"a.test\",\"port\":443"
#define CLOSE(conn, verdict)                                                \
	"\"event\":\"close\",\"conn\":" conn ",\"verdict\":" verdict ","    \
	"\"host\":\"a.test\",\"port\":443,\"bytes_up\":3,\"bytes_down\":4," \
	"\"duration_ms\":1"

static void counts_a_connection_and_its_bytes_once(void **state)
{
	(void)state;
	add(ALLOW("1"));
	add(ALLOW("2"));
	add(CLOSE("1", "\"allow\""));
	add(CLOSE("2", "\"allow\""));
	sort();
	assert_int_equal(count, 1);
	assert_row(0, "a.test:443", AUDIT_OUTCOME_ALLOWED, 2);
	assert_int_equal(sorted[0]->bytes_up, 6);
	assert_int_equal(sorted[0]->bytes_down, 8);
}

static void moves_a_refused_hello_to_the_denials(void **state)
{
	(void)state;
	add(ALLOW("1"));
	add("\"event\":\"decision\",\"conn\":1,\"verdict\":\"deny\","
	    "\"reason\":\"server_name_mismatch\",\"host\":\"a.test\","
	    "\"port\":443");
	add("\"event\":\"close\",\"conn\":1,\"verdict\":\"deny\","
	    "\"reason\":\"server_name_mismatch\",\"host\":\"a.test\","
	    "\"port\":443,\"bytes_up\":0,\"bytes_down\":0,\"duration_ms\":1");
	sort();
	assert_int_equal(count, 1);
	assert_row(0, "a.test:443", AUDIT_OUTCOME_DENIED, 1);
	assert_true(audit_words_are(sorted[0]->reason, "server_name_mismatch"));
}

static void does_not_move_another_destination_of_a_connection(void **state)
{
	(void)state;
	add(ALLOW("1"));
	add("\"event\":\"decision\",\"conn\":1,\"verdict\":\"deny\","
	    "\"reason\":\"http_request_denied\",\"host\":\"b.test\","
	    "\"port\":80");
	sort();
	assert_int_equal(count, 2);
	assert_row(0, "b.test:80", AUDIT_OUTCOME_DENIED, 1);
	assert_row(1, "a.test:443", AUDIT_OUTCOME_ALLOWED, 1);
}

static void tells_refusals_failures_and_what_observe_let_pass(void **state)
{
	(void)state;
	add(ALLOW("1"));
	add("\"event\":\"decision\",\"conn\":2,\"verdict\":\"deny\","
	    "\"reason\":\"dns_error\",\"host\":\"a.test\",\"port\":443");
	add("\"event\":\"decision\",\"conn\":3,\"verdict\":\"allow\","
	    "\"would\":\"deny\",\"reason\":\"http_request_denied\","
	    "\"host\":\"a.test\",\"port\":443");
	add("\"event\":\"decision\",\"conn\":4,\"verdict\":\"deny\","
	    "\"reason\":\"a_later_reason\",\"host\":\"::1\",\"port\":443");
	sort();
	assert_int_equal(count, 4);
	assert_row(0, "[::1]:443", AUDIT_OUTCOME_DENIED, 1);
	assert_row(1, "a.test:443", AUDIT_OUTCOME_FAILED, 1);
	assert_row(2, "a.test:443", AUDIT_OUTCOME_OBSERVED, 1);
	assert_row(3, "a.test:443", AUDIT_OUTCOME_ALLOWED, 1);
}

static void names_the_processes(void **state)
{
	(void)state;
	add(ALLOW("1") ",\"pid\":7,\"exe\":\"/usr/bin/curl\"");
	add(ALLOW("2") ",\"pid\":8,\"exe\":\"/opt/x/curl\"");
	add(ALLOW("3") ",\"pid\":null,\"process\":\"gone\"");
	sort();
	assert_int_equal(sorted[0]->process_count, 2);
	assert_string_equal(sorted[0]->processes[0].at, "curl");
	assert_string_equal(sorted[0]->processes[1].at, "gone");
}

static void keeps_many_rows_apart(void **state)
{
	(void)state;
	for (int i = 0; i < 5000; i++) {
		char rest[256];

		(void)snprintf(rest, sizeof(rest),
			       "\"event\":\"decision\",\"verdict\":\"allow\","
			       "\"host\":\"h%d.test\",\"port\":443",
			       i % 2500);
		add(rest);
	}
	sort();
	assert_int_equal(count, 2500);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(sorted[i]->counts[AUDIT_OUTCOME_ALLOWED], 2);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, start, stop)
	const struct CMUnitTest tests[] = {
		CASE(counts_a_connection_and_its_bytes_once),
		CASE(moves_a_refused_hello_to_the_denials),
		CASE(does_not_move_another_destination_of_a_connection),
		CASE(tells_refusals_failures_and_what_observe_let_pass),
		CASE(names_the_processes),
		CASE(keeps_many_rows_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
