/* SPDX-License-Identifier: MIT */
/* test_tls_guard: what passes before the server has answered, and after. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "guard_run.h"

static const uint8_t retry[] = {0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11,
				0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
				0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e,
				0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c};

static const uint8_t other_random[32] = {1, 2, 3};

static const size_t steps[] = {STREAM_BYTES, 1, 2, 3, 5, 7, 64, 300};

/* Expects one outcome however the bytes are cut; frees the run. */
static void expect(struct guard_run *run, enum tls_guard_result result,
		   enum reason reason, size_t passed_early)
{
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		guard_play(run, "s_base_tls13", steps[i]);
		assert_int_equal(run->result, result);
		assert_int_equal(run->reason, reason);
		if (result == TLS_GUARD_DENY)
			continue;
		assert_int_equal(run->passed_early, passed_early);
		if (result == TLS_GUARD_DONE)
			assert_int_equal(run->passed,
					 run->before.len + run->after.len);
	}
	free(run);
}

static void passes_early_data_and_holds_handshakes(void **state)
{
	struct guard_run *run = guard_run_new();

	(void)state;
	stream_add_record(&run->before, 20, "\1", 1);
	stream_add_record(&run->before, 23, "0123456789", 10);
	stream_add_record(&run->before, 21, "\2\0", 2);
	stream_add_record(&run->before, 22, "held", 4);
	stream_add_record(&run->before, 23, "held behind it", 14);
	expect(run, TLS_GUARD_WATCH, REASON_NONE, 6 + 15 + 7);
}

static void is_done_after_a_server_hello(void **state)
{
	struct guard_run *run = guard_run_new();

	(void)state;
	stream_add_record(&run->before, 22, "finished", 8);
	stream_add_server_hello(&run->server, other_random, 82);
	stream_add(&run->after, "anything at all", 15);
	expect(run, TLS_GUARD_DONE, REASON_NONE, 0);
}

static void reads_a_server_hello_over_records(void **state)
{
	struct guard_run *run = guard_run_new();

	(void)state;
	stream_add_record(&run->before, 22, "finished", 8);
	stream_add_server_hello(&run->server, other_random, 1);
	expect(run, TLS_GUARD_DONE, REASON_NONE, 0);
	run = guard_run_new();
	stream_add_server_hello(&run->server, retry, 1);
	stream_add_hello(&run->after, "s_hrr_flight2_denied");
	expect(run, TLS_GUARD_DENY, REASON_SERVER_NAME_MISMATCH, 0);
}

static void denies_another_name_after_a_retry_request(void **state)
{
	struct guard_run *run = guard_run_new();

	(void)state;
	stream_add_server_hello(&run->server, retry, 82);
	stream_add_record(&run->after, 20, "\1", 1);
	stream_add_hello(&run->after, "s_hrr_flight2_denied");
	expect(run, TLS_GUARD_DENY, REASON_SERVER_NAME_MISMATCH, 0);
}

static void denies_another_name_sent_in_the_first_flight(void **state)
{
	struct guard_run *run = guard_run_new();

	(void)state;
	stream_add_record(&run->before, 23, "early", 5);
	stream_add_hello(&run->before, "s_hrr_flight2_denied");
	stream_add_server_hello(&run->server, retry, 82);
	expect(run, TLS_GUARD_DENY, REASON_SERVER_NAME_MISMATCH, 0);
}

static void passes_the_same_name_after_a_retry_request(void **state)
{
	struct guard_run *run = guard_run_new();

	(void)state;
	stream_add_server_hello(&run->server, retry, 82);
	stream_add_record(&run->after, 20, "\1", 1);
	stream_add_hello(&run->after, "s_snext_last");
	stream_add_record(&run->after, 23, "and on", 6);
	expect(run, TLS_GUARD_DONE, REASON_NONE, 0);
}

static void judges_a_second_hello_over_records(void **state)
{
	struct guard_run *run = guard_run_new();

	(void)state;
	stream_add_server_hello(&run->server, retry, 82);
	stream_add_hello_cut(&run->after, "s_base_denied", 1);
	expect(run, TLS_GUARD_DENY, REASON_SERVER_NAME_MISMATCH, 0);
	run = guard_run_new();
	stream_add_server_hello(&run->server, retry, 82);
	stream_add_hello_cut(&run->after, "s_base_tls13", 3);
	expect(run, TLS_GUARD_DONE, REASON_NONE, 0);
}

static void holds_a_second_hello_until_it_is_whole(void **state)
{
	struct guard_run *run = guard_run_new();

	(void)state;
	stream_add_server_hello(&run->server, retry, 82);
	stream_add_hello(&run->after, "s_base_tls13");
	run->after.len--;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		guard_play(run, "s_base_tls13", steps[i]);
		assert_int_equal(run->result, TLS_GUARD_WATCH);
		assert_int_equal(run->passed, 0);
	}
	free(run);
}

static void denies_a_second_hello_of_another_kind(void **state)
{
	static const struct {
		const char *name;
		enum reason reason;
	} rows[] = {
		{"s_no_sni",            REASON_SERVER_NAME_ABSENT   },
		{"s_sni_nul_suffix",    REASON_SERVER_NAME_MALFORMED},
		{"s_snext_dup_same",    REASON_SERVER_NAME_MALFORMED},
		{"s_sni_sub",           REASON_SERVER_NAME_MISMATCH },
		{"s_cipher_empty",      REASON_TLS_PROTOCOL_ERROR   },
		{"s_hs_type_2",         REASON_TLS_PROTOCOL_ERROR   },
		{"s_rec_alert_between", REASON_TLS_PROTOCOL_ERROR   },
		{"c_nss_ech_grease",    REASON_SERVER_NAME_ENCRYPTED},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct guard_run *run = guard_run_new();

		stream_add_server_hello(&run->server, retry, 82);
		stream_add_hello(&run->after, rows[i].name);
		expect(run, TLS_GUARD_DENY, rows[i].reason, 0);
	}
}

static void shows_the_second_hello_for_the_record(void **state)
{
	struct tls_guard *guard = guard_after("s_base_tls13");
	struct guard_run *run = guard_run_new();
	size_t pass;

	(void)state;
	assert_null(tls_guard_second(guard));
	stream_add_server_hello(&run->server, retry, 82);
	stream_add_hello(&run->after, "s_base_denied");
	assert_int_equal(
		tls_guard_server(guard, run->server.bytes, run->server.len),
		TLS_GUARD_WATCH);
	assert_int_equal(tls_guard_client(guard, run->after.bytes,
					  run->after.len, &pass),
			 TLS_GUARD_DENY);
	assert_non_null(tls_guard_second(guard));
	assert_string_equal(tls_guard_second(guard)->server_name.text,
			    "denied.test");
	/* A denial is final. */
	assert_int_equal(tls_guard_client(guard, run->after.bytes, 0, &pass),
			 TLS_GUARD_DENY);
	assert_int_equal(tls_guard_server(guard, run->server.bytes, 1),
			 TLS_GUARD_DENY);
	tls_guard_free(guard);
	free(run);
}

static void waits_through_alerts_of_the_server(void **state)
{
	struct guard_run *run = guard_run_new();

	(void)state;
	stream_add_record(&run->before, 22, "finished", 8);
	stream_add_record(&run->server, 21, "\1\x70",
			  2); /* unrecognized_name */
	expect(run, TLS_GUARD_WATCH, REASON_NONE, 0);
	run = guard_run_new();
	stream_add_record(&run->server, 21, "\1\x70", 2);
	stream_add_record(&run->server, 20, "\1", 1);
	stream_add_server_hello(&run->server, retry, 82);
	stream_add_hello(&run->after, "s_base_denied");
	expect(run, TLS_GUARD_DENY, REASON_SERVER_NAME_MISMATCH, 0);
}

static void waits_through_hello_requests(void **state)
{
	struct guard_run *run = guard_run_new();

	(void)state;
	stream_add_record(&run->server, 22, "\0\0\0\0\0\0\0", 7);
	stream_add_record(&run->server, 22, "\0", 1);
	stream_add_server_hello(&run->server, retry, 5);
	stream_add_hello(&run->after, "s_base_denied");
	expect(run, TLS_GUARD_DENY, REASON_SERVER_NAME_MISMATCH, 0);
}

static void never_opens_for_records_that_no_server_begins_with(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
	} rows[] = {
		{"\x17\3\3\0\5hello",                  10},
		{"\x16\3\3\0\0\x16\3\3\0\4\2\0\0\x26", 14},
		{"\x16\3\3\x41\1\2",                   6 },
		{"\x16\3\3\0\4\1\0\0\x26",             9 },
		{"\x16\3\3\0\4\2\0\0\x10",             9 },
		{"\x16\3\3\0\4\0\0\0\1",               9 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct guard_run *run = guard_run_new();

		stream_add(&run->server, rows[i].bytes, rows[i].len);
		stream_add_record(&run->after, 23, "data", 4);
		expect(run, TLS_GUARD_WATCH, REASON_NONE, 0);
		run = guard_run_new();
		stream_add(&run->server, rows[i].bytes, rows[i].len);
		stream_add_hello(&run->after, "s_base_tls13");
		expect(run, TLS_GUARD_DENY, REASON_TLS_PROTOCOL_ERROR, 0);
	}
}

/* Nobody reads a hello where the answer is plain text. */
static void is_done_when_the_server_speaks_plain_text(void **state)
{
	static const char *const rows[] = {"HTTP/1.1 400 Bad Request", "x",
					   "\x16\2", "\x17HTTP", "\x80"};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct guard_run *run = guard_run_new();

		stream_add_record(&run->before, 23, "early", 5);
		stream_add(&run->server, rows[i], strlen(rows[i]));
		stream_add(&run->after, "and on", 6);
		expect(run, TLS_GUARD_DONE, REASON_NONE, 10);
	}
}

/* Bytes that are no record end a TLS connection; where there is none they are
 * simply bytes, and wait for nobody (field case 3). */
static void is_done_when_the_client_leaves_tls(void **state)
{
	static const char *const rows[] = {"x", "GET / HTTP/1.1\r\n",
					   "\x80\x2e", "\x1b", "\x13\3\3"};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct guard_run *run = guard_run_new();

		stream_add_record(&run->before, 23, "early", 5);
		stream_add(&run->before, rows[i], strlen(rows[i]));
		expect(run, TLS_GUARD_DONE, REASON_NONE, 10 + strlen(rows[i]));
	}
}

static void holds_a_handshake_of_any_version_and_size(void **state)
{
	static const char *const rows[] = {"\x16", "\x16\2", "\x16\3\3\x7f",
					   "\x16\xff\xff\xff\xff"};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct guard_run *run = guard_run_new();

		stream_add_record(&run->before, 24, "beat", 4);
		stream_add(&run->before, rows[i], strlen(rows[i]));
		expect(run, TLS_GUARD_WATCH, REASON_NONE, 9);
	}
}

static void passes_a_record_as_its_bytes_come(void **state)
{
	struct tls_guard *guard = guard_after("s_base_tls13");
	static const uint8_t record[] = {23, 3, 3, 0, 2, 'a', 'b'};

	(void)state;
	for (size_t i = 0; i < sizeof(record); i++) {
		size_t pass = 0;

		assert_int_equal(tls_guard_client(guard, record + i, 1, &pass),
				 TLS_GUARD_WATCH);
		assert_int_equal(pass, 1);
	}
	tls_guard_free(guard);
}

static void compares_with_a_first_hello_without_a_name(void **state)
{
	struct guard_run *run = guard_run_new();

	(void)state;
	stream_add_server_hello(&run->server, retry, 82);
	stream_add_hello(&run->after, "s_base_tls13");
	guard_play(run, "s_no_sni", STREAM_BYTES);
	assert_int_equal(run->result, TLS_GUARD_DENY);
	assert_int_equal(run->reason, REASON_SERVER_NAME_MISMATCH);
	run->after.len = 0;
	stream_add_hello(&run->after, "s_no_sni");
	guard_play(run, "s_no_sni", STREAM_BYTES);
	assert_int_equal(run->result, TLS_GUARD_DONE);
	free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(passes_early_data_and_holds_handshakes),
		cmocka_unit_test(is_done_after_a_server_hello),
		cmocka_unit_test(reads_a_server_hello_over_records),
		cmocka_unit_test(denies_another_name_after_a_retry_request),
		cmocka_unit_test(denies_another_name_sent_in_the_first_flight),
		cmocka_unit_test(passes_the_same_name_after_a_retry_request),
		cmocka_unit_test(judges_a_second_hello_over_records),
		cmocka_unit_test(holds_a_second_hello_until_it_is_whole),
		cmocka_unit_test(denies_a_second_hello_of_another_kind),
		cmocka_unit_test(shows_the_second_hello_for_the_record),
		cmocka_unit_test(waits_through_alerts_of_the_server),
		cmocka_unit_test(waits_through_hello_requests),
		cmocka_unit_test(
			never_opens_for_records_that_no_server_begins_with),
		cmocka_unit_test(is_done_when_the_server_speaks_plain_text),
		cmocka_unit_test(is_done_when_the_client_leaves_tls),
		cmocka_unit_test(holds_a_handshake_of_any_version_and_size),
		cmocka_unit_test(passes_a_record_as_its_bytes_come),
		cmocka_unit_test(compares_with_a_first_hello_without_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
