/* SPDX-License-Identifier: MIT */
/* test_client_hello: every recorded hello, cut in every way, and the limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client_hello.h"
#include "hello_corpus.h"

struct outcome {
	enum client_hello_result result;
	struct client_hello hello;
};

static void feed(struct client_hello_state *state, struct outcome *outcome,
		 const uint8_t *data, size_t len)
{
	outcome->result = client_hello_feed(state, data, len, &outcome->hello);
}

static struct outcome cut_at(const uint8_t *data, size_t len, size_t cut)
{
	struct outcome outcome = {.result = CLIENT_HELLO_MORE};
	struct client_hello_state state;

	client_hello_init(&state);
	if (cut > 0)
		feed(&state, &outcome, data, cut);
	if (outcome.result == CLIENT_HELLO_MORE)
		feed(&state, &outcome, data + cut, len - cut);
	client_hello_clear(&state);
	return outcome;
}

static struct outcome byte_by_byte(const uint8_t *data, size_t len)
{
	struct outcome outcome = {.result = CLIENT_HELLO_MORE};
	struct client_hello_state state;

	client_hello_init(&state);
	for (size_t i = 0; i < len && outcome.result == CLIENT_HELLO_MORE; i++)
		feed(&state, &outcome, data + i, 1);
	client_hello_clear(&state);
	return outcome;
}

#define MANY_TYPES 4000

static void put_u16(uint8_t at[static 2], size_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

/* A hello with empty extensions of types over the whole range. Entry @repeated
 * has the type of the first one; 0: all differ. */
static enum client_hello_result read_many_types(size_t repeated)
{
	static uint8_t hello[5 + 4 + 43 + 4 * MANY_TYPES] = {
		22, 3, 1, 0, 0, 1, 0, 0, 0, 3, 3,
	};
	uint8_t *rest = hello + 11 + 32 + 1; /* random, session_id */

	put_u16(hello + 3, sizeof(hello) - 5);
	put_u16(hello + 7, sizeof(hello) - 9);
	put_u16(rest, 2); /* one cipher suite */
	rest[4] = 1;      /* one compression method, null */
	put_u16(rest + 6, 4 * MANY_TYPES);
	for (size_t i = 0; i < MANY_TYPES; i++) {
		size_t type = i > 0 && i == repeated ? 0 : i;

		put_u16(rest + 8 + 4 * i, type * 16 + 3);
	}
	return cut_at(hello, sizeof(hello), 0).result;
}

static void finds_a_repeated_extension_wherever_it_is(void **state)
{
	(void)state;
	assert_int_equal(read_many_types(0), CLIENT_HELLO_OK);
	for (size_t i = 1; i < MANY_TYPES; i += 61)
		assert_int_equal(read_many_types(i), CLIENT_HELLO_MALFORMED);
}

/* Rows where index.tsv leaves the choice, or where its words for what is found
 * are not ours. */
static const struct {
	const char *name;
	enum client_hello_result result;
} chosen[] = {
  /* not whole: the caller's deadline denies */
	{"s_nothing",                  CLIENT_HELLO_MORE          },
	{"s_truncated_5",              CLIENT_HELLO_MORE          },
	{"s_truncated_last_byte",      CLIENT_HELLO_MORE          },
	{"s_hs_len_long_then_nothing", CLIENT_HELLO_MORE          },
 /* literals and numbers are no host names (RFC 6066 s3) */
	{"c_openssl_sni_ipv4",         CLIENT_HELLO_NAME_MALFORMED},
	{"s_sni_ipv4_literal",         CLIENT_HELLO_NAME_MALFORMED},
	{"s_sni_ipv6_literal",         CLIENT_HELLO_NAME_MALFORMED},
	{"s_sni_decimal_ip",           CLIENT_HELLO_NAME_MALFORMED},
 /* an entry of unknown type has no known size */
	{"s_snlist_type1_then_host",   CLIENT_HELLO_NAME_MALFORMED},
 /* both names are told apart from other damage */
	{"s_snext_dup_same",           CLIENT_HELLO_NAME_MALFORMED},
	{"s_snlist_two_identical",     CLIENT_HELLO_NAME_MALFORMED},
	{"s_sni_nul_suffix",           CLIENT_HELLO_NAME_MALFORMED},
	{"s_snname_zero",              CLIENT_HELLO_NAME_MALFORMED},
	{"s_snlist_empty",             CLIENT_HELLO_NAME_MALFORMED},
	{"s_ext_dup_other",            CLIENT_HELLO_MALFORMED     },
	{"s_rec_ver_0200",             CLIENT_HELLO_MALFORMED     },
	{"s_rec_zero_flood",           CLIENT_HELLO_MALFORMED     },
	{"s_rec_ccs_first",            CLIENT_HELLO_NOT_TLS       },
	{"s_http_get",                 CLIENT_HELLO_NOT_TLS       },
	{"s_sslv2_v2only",             CLIENT_HELLO_NOT_TLS       },
	{"s_ssh_banner",               CLIENT_HELLO_NOT_TLS       },
};

static void expect_refused(const struct hello_row *row,
			   const struct outcome *outcome)
{
	switch (outcome->result) {
	case CLIENT_HELLO_NOT_TLS:
	case CLIENT_HELLO_MALFORMED:
	case CLIENT_HELLO_NAME_MALFORMED:
		return;
	case CLIENT_HELLO_OK:
	case CLIENT_HELLO_MORE:
	case CLIENT_HELLO_NO_MEMORY:
		fail_msg("%s: %d", row->name, (int)outcome->result);
	}
}

static void expect_read(const struct hello_row *row,
			const struct outcome *outcome)
{
	const struct client_hello *hello = &outcome->hello;

	if (outcome->result != CLIENT_HELLO_OK)
		fail_msg("%s: %d", row->name, (int)outcome->result);
	assert_int_equal(hello->has_ech, row->has_ech);
	assert_true(hello->wire_bytes <= row->len);
	if (strcmp(row->expected, "none") == 0)
		assert_false(hello->has_server_name);
	else if (strcmp(row->expected, "253 bytes") == 0)
		assert_int_equal(hello->server_name.len, 253);
	else
		assert_string_equal(hello->server_name.text, row->expected);
}

static void expect(const struct hello_row *row, const struct outcome *outcome)
{
	bool is_allowed =
		outcome->result == CLIENT_HELLO_OK &&
		outcome->hello.has_server_name &&
		strcmp(outcome->hello.server_name.text, "allowed.test") == 0;

	/* What index.tsv allows and so do we; there is no row the other way. */
	if (strcmp(row->name, "s_snlist_type1_then_host") != 0)
		assert_int_equal(is_allowed, row->is_allowed);
	for (size_t i = 0; i < sizeof(chosen) / sizeof(chosen[0]); i++) {
		if (strcmp(chosen[i].name, row->name) != 0)
			continue;
		if (outcome->result != chosen[i].result)
			fail_msg("%s: %d", row->name, (int)outcome->result);
		return;
	}
	if (strcmp(row->expected, "malformed") == 0 ||
	    strcmp(row->expected, "not-tls") == 0)
		expect_refused(row, outcome);
	else
		expect_read(row, outcome);
}

static void expect_same(const struct hello_row *row, const struct outcome *a,
			const struct outcome *b)
{
	if (a->result != b->result)
		fail_msg("%s: %d and %d", row->name, (int)a->result,
			 (int)b->result);
	assert_int_equal(a->hello.wire_bytes, b->hello.wire_bytes);
	assert_int_equal(a->hello.has_ech, b->hello.has_ech);
	assert_int_equal(a->hello.alpn_len, b->hello.alpn_len);
	assert_memory_equal(a->hello.alpn, b->hello.alpn, a->hello.alpn_len);
	assert_true(
		hostname_equal(&a->hello.server_name, &b->hello.server_name));
	assert_int_equal(a->hello.raw_name_len, b->hello.raw_name_len);
	assert_memory_equal(a->hello.raw_name, b->hello.raw_name,
			    a->hello.raw_name_len);
}

static void check_row(const struct hello_row *row)
{
	struct outcome whole = cut_at(row->bytes, row->len, 0);
	struct outcome bytes = byte_by_byte(row->bytes, row->len);

	expect(row, &whole);
	expect_same(row, &whole, &bytes);
	for (size_t cut = 1; cut < row->len; cut++) {
		struct outcome two = cut_at(row->bytes, row->len, cut);

		expect_same(row, &whole, &two);
	}
}

static void judges_every_recorded_hello(void **state)
{
	(void)state;
	assert_int_equal(hello_for_each(check_row), 114);
}

static struct outcome whole_of(const char *name)
{
	size_t len;
	uint8_t *bytes = hello_load(name, &len);
	struct outcome outcome = cut_at(bytes, len, 0);

	free(bytes);
	return outcome;
}

static void reads_alpn_and_encryption(void **state)
{
	struct outcome chromium = whole_of("c_chromium156");
	struct outcome go = whole_of("c_go119_grpc_h2");
	struct outcome esni = whole_of("s_esni_legacy_no_sni");
	struct outcome base = whole_of("s_base_tls13");

	(void)state;
	assert_true(chromium.hello.has_ech);
	assert_int_equal(go.hello.alpn_len, 2);
	assert_memory_equal(go.hello.alpn, "h2", 2);
	assert_true(esni.hello.has_esni);
	assert_false(base.hello.has_ech);
	assert_false(base.hello.has_esni);
	assert_int_equal(base.hello.alpn_len, 0);
	assert_int_equal(base.hello.wire_bytes, 211);
}

static void keeps_the_raw_name_bounded(void **state)
{
	struct outcome nul = whole_of("s_sni_nul_suffix");
	struct outcome big = whole_of("s_sni_16k");
	struct outcome upper = whole_of("s_sni_upper");

	(void)state;
	assert_int_equal(nul.hello.raw_name_len, 25);
	assert_memory_equal(nul.hello.raw_name, "denied.test\0.allowed.test",
			    25);
	assert_int_equal(big.hello.raw_name_len, CLIENT_HELLO_RAW_NAME_BYTES);
	assert_memory_equal(upper.hello.raw_name, "ALLOWED.Test", 12);
}

static void leaves_what_follows_the_hello(void **state)
{
	struct outcome early = whole_of("s_hello_then_ccs_early");
	size_t len;
	uint8_t *bytes = hello_load("s_hello_then_ccs_early", &len);

	(void)state;
	assert_int_equal(early.result, CLIENT_HELLO_OK);
	assert_true(early.hello.wire_bytes < len);
	assert_int_equal(bytes[early.hello.wire_bytes], 20);
	free(bytes);
}

static void refuses_bytes_behind_the_hello_in_its_record(void **state)
{
	size_t len;
	uint8_t *hello = hello_load("s_base_tls13", &len);
	uint8_t *longer = malloc(len + 4);

	(void)state;
	assert_non_null(longer);
	memcpy(longer, hello, len);
	memset(longer + len, 0, 4);
	longer[4] = (uint8_t)(longer[4] + 4);
	for (size_t cut = 0; cut < len + 4; cut++)
		assert_int_equal(cut_at(longer, len + 4, cut).result,
				 CLIENT_HELLO_MALFORMED);
	free(longer);
	free(hello);
}

static void refuses_at_once_what_can_only_be_too_large(void **state)
{
	/* 0x010000 bytes announced; then 1-byte records that cost 6 each */
	static const uint8_t announced[] = {0x16, 3, 1, 0x40, 0, 1, 1, 0, 0};
	uint8_t record[] = {0x16, 3, 3, 0, 1, 0};
	struct outcome outcome = {.result = CLIENT_HELLO_MORE};
	struct client_hello_state hello;
	static const uint8_t header[] = {1, 0, 0xff, 0};
	size_t fed = 0;

	(void)state;
	assert_int_equal(cut_at(announced, sizeof(announced), 0).result,
			 CLIENT_HELLO_MALFORMED);
	client_hello_init(&hello);
	for (size_t i = 0; outcome.result == CLIENT_HELLO_MORE; i++) {
		record[5] = i < sizeof(header) ? header[i] : 0;
		feed(&hello, &outcome, record, sizeof(record));
		fed += sizeof(record);
		assert_true(fed <= CLIENT_HELLO_MAX_BYTES + sizeof(record));
	}
	assert_int_equal(outcome.result, CLIENT_HELLO_MALFORMED);
	client_hello_clear(&hello);
}

static void repeats_a_final_result(void **state)
{
	static const uint8_t text[] = "GET / HTTP/1.1\r\n";
	struct outcome outcome = {.result = CLIENT_HELLO_MORE};
	struct client_hello_state hello;
	size_t len;
	uint8_t *bytes = hello_load("s_base_tls13", &len);

	(void)state;
	client_hello_init(&hello);
	feed(&hello, &outcome, text, sizeof(text));
	assert_int_equal(outcome.result, CLIENT_HELLO_NOT_TLS);
	feed(&hello, &outcome, bytes, len);
	assert_int_equal(outcome.result, CLIENT_HELLO_NOT_TLS);
	client_hello_clear(&hello);
	free(bytes);
}

static void refuses_text_by_its_first_byte(void **state)
{
	static const uint8_t first[] = {0x00, 0x14, 0x15, 0x17, 0x80, 'S', 'G'};

	(void)state;
	for (size_t i = 0; i < sizeof(first); i++)
		assert_int_equal(cut_at(&first[i], 1, 0).result,
				 CLIENT_HELLO_NOT_TLS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(judges_every_recorded_hello),
		cmocka_unit_test(finds_a_repeated_extension_wherever_it_is),
		cmocka_unit_test(reads_alpn_and_encryption),
		cmocka_unit_test(keeps_the_raw_name_bounded),
		cmocka_unit_test(leaves_what_follows_the_hello),
		cmocka_unit_test(refuses_bytes_behind_the_hello_in_its_record),
		cmocka_unit_test(refuses_at_once_what_can_only_be_too_large),
		cmocka_unit_test(repeats_a_final_result),
		cmocka_unit_test(refuses_text_by_its_first_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
