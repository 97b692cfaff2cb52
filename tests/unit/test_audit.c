/* SPDX-License-Identifier: MIT */
/* test_audit: one record is one line, whatever a client puts into it. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "audit.h"

static char line[AUDIT_LINE_MAX_BYTES + 1];

static const char *format(const struct audit_record *record)
{
	size_t len = audit_format(record, line);

	line[len] = '\0';
	return line;
}

static void writes_what_is_known_and_no_more(void **state)
{
	struct netaddr address;
	struct audit_record r = {
		.event = AUDIT_DECISION,
		.ts_ms = 1764547200123,
		.seq = 3,
		.run = "r1",
		.conn = 2,
		.has_verdict = true,
		.verdict = VERDICT_ALLOW,
		.would = VERDICT_ALLOW,
		.rule = "policy.cfg:12",
		.via = AUDIT_VIA_CONNECT,
		.host = "a.test",
		.host_len = 6,
		.port = 443,
		.address = &address,
	};

	(void)state;
	assert_true(netaddr_parse("::ffff:127.0.0.2", 16, &address));
	assert_string_equal(
		format(&r),
		"{\"ts\":\"2025-12-01T00:00:00.123Z\",\"run\":\"r1\","
		"\"seq\":3,\"conn\":2,\"event\":\"decision\","
		"\"verdict\":\"allow\",\"rule\":\"policy.cfg:12\","
		"\"via\":\"connect\",\"host\":\"a.test\",\"port\":443,"
		"\"address\":\"127.0.0.2\"}\n");
}

/* Every day of four centuries and a little, against the C library's calendar,
 * at a time of day that is another each day. */
static void knows_the_calendar(void **state)
{
	(void)state;
	for (uint64_t day = 0; day < 150000; day++) {
		struct audit_record r = {
			.ts_ms = day * 86400000 + day * 7919 % 86400 * 1000,
		};
		time_t seconds = (time_t)(r.ts_ms / 1000);
		struct tm utc;
		char want[64];

		assert_non_null(gmtime_r(&seconds, &utc));
		size_t len =
			strftime(want, sizeof(want),
				 "{\"ts\":\"%Y-%m-%dT%H:%M:%S.000Z\"", &utc);
		assert_memory_equal(format(&r), want, len);
	}
}

static void says_what_enforce_had_answered(void **state)
{
	struct audit_record r = {
		.event = AUDIT_DECISION,
		.has_verdict = true,
		.verdict = VERDICT_ALLOW,
		.would = VERDICT_DENY,
		.reason = REASON_HTTP_REQUEST_DENIED,
	};

	(void)state;
	assert_non_null(strstr(format(&r),
			       "\"verdict\":\"allow\",\"would\":\"deny\","
			       "\"reason\":\"http_request_denied\""));
}

static void counts_bytes_at_the_end(void **state)
{
	struct audit_record r = {
		.event = AUDIT_CLOSE,
		.has_bytes = true,
		.bytes_up = 5,
		.bytes_down = UINT64_MAX,
		.duration_ms = 7,
	};

	(void)state;
	assert_non_null(strstr(format(&r),
			       "\"bytes_up\":5,"
			       "\"bytes_down\":18446744073709551615,"
			       "\"duration_ms\":7"));
}

static void stays_one_line_whatever_comes(void **state)
{
	static const char hostile[] =
		"allowed.test\n{\"verdict\":\"allow\"}\x1b[2K\0\x7f\xff";
	struct audit_record r = {
		.event = AUDIT_DECISION,
		.host = hostile,
		.host_len = sizeof(hostile) - 1,
		.server_name = hostile,
		.server_name_len = sizeof(hostile) - 1,
		.exe = "a\nb",
	};

	(void)state;
	const char *text = format(&r);
	size_t len = audit_format(&r, line);
	for (size_t i = 0; i + 1 < len; i++)
		assert_true((unsigned char)text[i] >= 0x20 && text[i] != 0x7f);
	assert_int_equal(text[len - 1], '\n');
	assert_null(strstr(text, "{\"verdict\""));
}

/* Field by field: escapes of a terminal, a forged record, text that runs
 * backwards, and a line separator that some readers take for an end of line. */
static void shows_hostile_hosts_as_they_were(void **state)
{
	static const struct {
		const char *sent, *written;
	} rows[] = {
		{"evil\x1b[2K\x07.test",  "evil\\u001b[2K\\u0007.test"},
		{"a\nverdict=allow.test", "a\\u000averdict=allow.test"},
		{"a\"b\\c",               "a\\\"b\\\\c"               },
		{"\xe2\x80\xae"
		 "txt",  "\\u202etxt"                },
		{"\xe2\x80\xa8"
		 "x",    "\\u2028x"                  },
		{"\xff\xfe",              "\\udcff\\udcfe"            },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct audit_record r = {
			.event = AUDIT_DECISION,
			.host = rows[i].sent,
			.host_len = strlen(rows[i].sent),
			.server_name = rows[i].sent,
			.server_name_len = strlen(rows[i].sent),
			.argv0 = rows[i].sent,
			.exe = rows[i].sent,
			.detail = rows[i].sent,
		};
		const char *at = format(&r);
		for (int k = 0; k < 5; k++) {
			at = strstr(at, rows[i].written);
			assert_non_null(at);
			at++;
		}
	}
}

static void fits_with_every_field_at_its_worst(void **state)
{
	static char bad[70000];
	struct netaddr address = {.family = 0};

	(void)state;
	memset(bad, 0x01, sizeof(bad) - 1);
	struct audit_record r = {
		.event = AUDIT_DECISION,
		.ts_ms = UINT64_MAX / 2,
		.seq = UINT64_MAX,
		.conn = UINT64_MAX,
		.run = bad,
		.has_verdict = true,
		.verdict = VERDICT_DENY,
		.would = VERDICT_ALLOW,
		.reason = REASON_DESTINATION_IP_PROHIBITED,
		.rule = bad,
		.via = AUDIT_VIA_CONNECT,
		.transport = "tcp",
		.host = bad,
		.host_len = 65536,
		.port = 65535,
		.server_name = bad,
		.server_name_len = 65536,
		.alpn = bad,
		.alpn_len = 255,
		.has_ech = true,
		.address = &address,
		.has_bytes = true,
		.bytes_up = UINT64_MAX,
		.bytes_down = UINT64_MAX,
		.duration_ms = UINT64_MAX,
		.pid = INT64_MAX,
		.exe = bad,
		.argv0 = bad,
		.process = "hidden",
		.detail = bad,
		.has_exit_code = true,
		.exit_code = -1,
	};
	const char *text = format(&r);
	assert_int_equal(text[strlen(text) - 2], '}');
	assert_int_equal(text[strlen(text) - 1], '\n');
	assert_non_null(strstr(text, "\xe2\x80\xa6\""));
}

static void says_that_the_process_was_gone(void **state)
{
	struct audit_record r = {.event = AUDIT_DECISION, .process = "gone"};

	(void)state;
	assert_non_null(
		strstr(format(&r), "\"pid\":null,\"process\":\"gone\""));
	r = (struct audit_record){.event = AUDIT_DECISION};
	assert_null(strstr(format(&r), "pid"));
}

static void lists_the_processes_above(void **state)
{
	char lines[1200];
	struct audit_record r = {.event = AUDIT_DECISION, .pid = 3};

	(void)state;
	r.parents = "2 s\"h\n1 init";
	assert_non_null(
		strstr(format(&r), "\"parents\":[\"2 s\\\"h\",\"1 init\"]"));
	memset(lines, '\x01', sizeof(lines));
	lines[sizeof(lines) - 1] = '\0';
	r.parents = lines;
	assert_non_null(strstr(format(&r), "\\u0001\"]}\n"));
}

static const char *schema(void)
{
	static char text[16384];
	FILE *f = fopen(AUDIT_SCHEMA, "r");

	assert_non_null(f);
	size_t n = fread(text, 1, sizeof(text) - 1, f);
	(void)fclose(f);
	text[n] = '\0';
	return text;
}

static void expect_in_schema(const char *word, const char *after)
{
	char quoted[64];

	(void)snprintf(quoted, sizeof(quoted), "\"%s\"%s", word, after);
	if (strstr(schema(), quoted) == NULL)
		fail_msg("%s is not in the schema", quoted);
}

/* Every key that a record can have, and every word that stands for itself. */
static void writes_what_the_schema_has(void **state)
{
	struct netaddr address = {.family = AF_INET};
	struct audit_record r = {
		.run = "r",
		.conn = 1,
		.has_verdict = true,
		.would = VERDICT_ALLOW,
		.rule = "r",
		.transport = "tcp",
		.host = "h",
		.host_len = 1,
		.port = 1,
		.server_name = "s",
		.server_name_len = 1,
		.alpn = "a",
		.alpn_len = 1,
		.has_ech = true,
		.address = &address,
		.has_bytes = true,
		.pid = 1,
		.exe = "e",
		.argv0 = "a",
		.process = "gone",
		.parents = "1 p",
		.detail = "d",
		.has_exit_code = true,
	};
	static const char *const keys[] = {
		"ts",        "run",         "seq",        "conn",
		"event",     "verdict",     "would",      "reason",
		"rule",      "via",         "transport",  "host",
		"port",      "server_name", "alpn",       "ech",
		"address",   "bytes_up",    "bytes_down", "duration_ms",
		"pid",       "exe",         "argv0",      "process",
		"exit_code", "detail",      "parents"};

	(void)state;
	for (int reason = 1; reason < REASON_COUNT; reason++) {
		r.reason = (enum reason)reason;
		r.event = (enum audit_event)(reason % (AUDIT_RUN_EXIT + 1));
		r.via = (enum audit_via)(reason % AUDIT_VIA_TAP + 1);
		const char *text = format(&r);
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			char key[32];
			(void)snprintf(key, sizeof(key), "\"%s\":", keys[i]);
			if (strstr(text, key) == NULL)
				fail_msg("%s is not in %s", key, text);
			expect_in_schema(keys[i], ":");
		}
		expect_in_schema(reason_text(r.reason), "");
	}
}

static void says_that_the_disk_is_full(void **state)
{
	struct audit_record r = {.event = AUDIT_DECISION};

	(void)state;
	assert_int_equal(audit_write(-1, &r), -EBADF);
#ifdef __linux__
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	assert_true(full >= 0);
	assert_int_equal(audit_write(full, &r), -ENOSPC);
	(void)close(full);
#endif
}

/* A file that may grow to so many bytes cuts the record in two. */
static void says_that_a_record_was_cut(void **state)
{
	struct audit_record r = {.event = AUDIT_DECISION};
	char path[] = "/tmp/exeat-test-audit-XXXXXX";
	int fd = mkostemp(path, O_CLOEXEC);
	struct rlimit before, small;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	small = before;
	small.rlim_cur = 10;
	struct sigaction ignore = {.sa_handler = SIG_IGN}, old;
	assert_int_equal(sigaction(SIGXFSZ, &ignore, &old), 0);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	int rc = audit_write(fd, &r);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(sigaction(SIGXFSZ, &old, NULL), 0);
	(void)close(fd);
	assert_int_equal(rc, -ENOSPC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_what_is_known_and_no_more),
		cmocka_unit_test(knows_the_calendar),
		cmocka_unit_test(says_what_enforce_had_answered),
		cmocka_unit_test(counts_bytes_at_the_end),
		cmocka_unit_test(stays_one_line_whatever_comes),
		cmocka_unit_test(shows_hostile_hosts_as_they_were),
		cmocka_unit_test(fits_with_every_field_at_its_worst),
		cmocka_unit_test(says_that_the_process_was_gone),
		cmocka_unit_test(lists_the_processes_above),
		cmocka_unit_test(writes_what_the_schema_has),
		cmocka_unit_test(says_that_the_disk_is_full),
		cmocka_unit_test(says_that_a_record_was_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
