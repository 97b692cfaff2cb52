/* SPDX-License-Identifier: MIT */
/* test_audit_line: what was written is what is read, and nothing else is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "audit_line.h"
#include "audit_time.h"

#define HEAD "{\"ts\":\"2025-12-01T00:00:00.123Z\",\"seq\":7,"

static struct audit_line_space space;
static struct audit_entry entry;

static enum audit_line_result parse(const char *line)
{
	return audit_line_parse(line, strlen(line), &space, &entry);
}

static void reads_back_every_field_that_is_written(void **state)
{
	static const char host[] = "a\n\x1b\xff\"\\\xe2\x80\xae.test";
	char line[AUDIT_LINE_MAX_BYTES];
	struct audit_record r = {
		.event = AUDIT_CLOSE,
		.ts_ms = 1764547200123,
		.seq = UINT64_MAX,
		.run = "r1",
		.conn = 2,
		.has_verdict = true,
		.verdict = VERDICT_ALLOW,
		.would = VERDICT_DENY,
		.reason = REASON_NOT_TLS,
		.rule = "--allow a.test",
		.via = AUDIT_VIA_SOCKS5,
		.transport = "tcp",
		.host = host,
		.host_len = sizeof(host) - 1,
		.port = 65535,
		.has_ech = true,
		.ech = true,
		.has_bytes = true,
		.bytes_up = 5,
		.bytes_down = UINT64_MAX,
		.duration_ms = 9,
		.pid = 77,
		.exe = "/usr/bin/curl",
		.argv0 = "curl",
		.detail = "d",
		.has_exit_code = true,
		.exit_code = -3,
	};

	(void)state;
	size_t len = audit_format(&r, line);
	assert_int_equal(audit_line_parse_plain(line, len - 1, &space, &entry),
			 AUDIT_LINE_OK);
	assert_int_equal(entry.ts_ms, 1764547200123);
	assert_true(entry.seq == UINT64_MAX && entry.bytes_down == UINT64_MAX);
	assert_int_equal(entry.conn, 2);
	assert_int_equal(entry.event, AUDIT_CLOSE);
	assert_true(entry.verdict == VERDICT_ALLOW &&
		    entry.would == VERDICT_DENY);
	assert_true(audit_words_are(entry.run, "r1"));
	assert_true(audit_words_are(entry.reason, "not_tls"));
	assert_true(audit_words_are(entry.rule, "--allow a.test"));
	assert_true(audit_words_are(entry.via, "socks5"));
	assert_true(audit_words_are(entry.host, host));
	assert_int_equal(entry.port, 65535);
	assert_true(entry.ech);
	assert_int_equal(entry.pid, 77);
	assert_int_equal(entry.exit_code, -3);
	assert_true(audit_words_are(entry.exe, "/usr/bin/curl"));
	assert_null(entry.server_name.at);
}

static void takes_the_verdict_for_what_enforce_says(void **state)
{
	(void)state;
	assert_int_equal(parse(HEAD "\"event\":\"decision\","
				    "\"verdict\":\"allow\"}"),
			 AUDIT_LINE_OK);
	assert_int_equal(entry.would, VERDICT_ALLOW);
}

static void refuses_what_is_no_record(void **state)
{
	static const char *const lines[] = {
		"{}",
		"[]",
		"null",
		"{\"ts\":\"2025-12-01T00:00:00.123Z\",\"seq\":7}",
		HEAD "\"event\":\"close\"",
		HEAD "\"event\":\"close\"}x",
		HEAD "\"event\":\"close\"}{}",
		HEAD "\"event\":\"close\",}",
		HEAD "\"event\":7}",
		HEAD "\"event\":\"close\",\"seq\":8}",
		HEAD "\"event\":\"close\",\"port\":0}",
		HEAD "\"event\":\"close\",\"port\":65536}",
		HEAD "\"event\":\"close\",\"port\":\"443\"}",
		HEAD "\"event\":\"close\",\"bytes_up\":-1}",
		HEAD "\"event\":\"close\",\"bytes_up\":1.5}",
		HEAD "\"event\":\"close\",\"host\":null}",
		HEAD "\"event\":\"close\",\"host\":{}}",
		HEAD "\"event\":\"close\",\"host\":\"a\tb\"}",
		HEAD "\"event\":\"close\",\"host\":\"\\x\"}",
		HEAD "\"event\":\"close\",\"verdict\":\"maybe\"}",
		"{\"ts\":\"2025-02-29T00:00:00.123Z\",\"seq\":7,"
		"\"event\":\"close\"}",
		"{\"ts\":\"2025-12-01 00:00:00.123Z\",\"seq\":7,"
		"\"event\":\"close\"}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (parse(lines[i]) != AUDIT_LINE_BAD)
			fail_msg("taken: %s", lines[i]);
}

static void passes_over_keys_of_a_later_version(void **state)
{
	(void)state;
	assert_int_equal(parse(HEAD "\"new\":true,\"newer\":\"x\\n\","
				    "\"event\":\"close\",\"port\":1}"),
			 AUDIT_LINE_OK);
	assert_int_equal(entry.port, 1);
	assert_int_equal(parse(HEAD "\"new\":{\"a\":[1,{}]},"
				    "\"event\":\"close\",\"port\":2}"),
			 AUDIT_LINE_OK);
	assert_int_equal(entry.port, 2);
}

static void says_when_an_event_is_not_known(void **state)
{
	(void)state;
	assert_int_equal(parse(HEAD "\"event\":\"teleport\"}"),
			 AUDIT_LINE_UNKNOWN);
	assert_int_equal(parse(HEAD " \"event\":\"teleport\"}"),
			 AUDIT_LINE_UNKNOWN);
}

static void reads_json_that_others_have_written(void **state)
{
	(void)state;
	assert_int_equal(
		parse(" { \"event\" : \"close\", \"seq\":3, "
		      "\"ts\" : \"2025-12-01T00:00:00.123Z\", "
		      "\"host\": \"\\u00e4\\ud83d\\ude00\", \"pid\":null } \r"),
		AUDIT_LINE_OK);
	assert_int_equal(entry.seq, 3);
	assert_true(audit_words_are(entry.host, "\xc3\xa4\xf0\x9f\x98\x80"));
	assert_int_equal(entry.pid, 0);
}

static void understands_times_as_people_write_them(void **state)
{
	static const struct {
		const char *text;
		uint64_t ms;
	} rows[] = {
		{"90s",                      1000000000000 - 90000    },
		{"2h",		       1000000000000 - 7200000  },
		{"7d",		       1000000000000 - 604800000},
		{"1970-01-02T00:00Z",        86400000                 },
		{"2025-12-01T00:00:00Z",     1764547200000            },
		{"2025-12-01T00:00:00.123Z", 1764547200123            },
		{"2024-02-29Z",              1709164800000            },
	};

	static const char *const bad[] = {
		"",
		"2",
		"h",
		"-1h",
		"1w",
		"2025-02-29Z",
		"2025-",
		"2025-12-01T25:00",
		"2025-12-01T1",
		"2025-12-01T10:30:00,5",
	};
	uint64_t ms;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(audit_time_parse_since(rows[i].text, 1000000000000,
						   &ms));
		assert_int_equal(ms, rows[i].ms);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(audit_time_parse_since(bad[i], 0, &ms));
}

static void writes_a_time_as_it_reads_it(void **state)
{
	char text[AUDIT_TIME_BYTES];
	uint64_t ms;

	(void)state;
	for (uint64_t day = 0; day < 40000; day += 13) {
		audit_time_format(day * 86400000 + day, text);
		assert_true(audit_time_parse(text, strlen(text), &ms));
		assert_int_equal(ms, day * 86400000 + day);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_back_every_field_that_is_written),
		cmocka_unit_test(takes_the_verdict_for_what_enforce_says),
		cmocka_unit_test(refuses_what_is_no_record),
		cmocka_unit_test(passes_over_keys_of_a_later_version),
		cmocka_unit_test(says_when_an_event_is_not_known),
		cmocka_unit_test(reads_json_that_others_have_written),
		cmocka_unit_test(understands_times_as_people_write_them),
		cmocka_unit_test(writes_a_time_as_it_reads_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
