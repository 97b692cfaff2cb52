/* SPDX-License-Identifier: MIT */
/* test_text: bounded texts, escapes, strict numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "text.h"

static void cuts_at_the_end_of_the_buffer(void **state)
{
	char buf[8];
	struct text t;

	(void)state;
	text_init(&t, buf, sizeof(buf));
	text_add(&t, "1234");
	text_addf(&t, "%d", 567);
	assert_string_equal(buf, "1234567");
	assert_false(t.is_cut);
	text_addf(&t, "%d", 8);
	assert_true(t.is_cut);
	assert_string_equal(buf, "1234567");
	text_add(&t, "9");
	assert_string_equal(buf, "1234567");
	assert_int_equal(t.len, 7);
}

static const char *json(const char *bytes, size_t len)
{
	static char buf[512];
	struct text t;

	text_init(&t, buf, sizeof(buf));
	text_add_json(&t, bytes, len);
	return buf;
}

static void keeps_json_on_one_harmless_line(void **state)
{
	(void)state;
	assert_string_equal(json("a\"b\\c", 5), "\"a\\\"b\\\\c\"");
	assert_string_equal(json("a\n\x1b[2K\x7f", 7),
			    "\"a\\u000a\\u001b[2K\\u007f\"");
	assert_string_equal(json("\0", 1), "\"\\u0000\"");
	assert_string_equal(json("b\xc3\xbc"
				 "cher",
				 7),
			    "\"b\xc3\xbc"
			    "cher\"");
	assert_string_equal(json("\xf0\x9f\x98\x80", 4),
			    "\"\xf0\x9f\x98\x80\"");
	/* U+2028, U+202E, U+200B, U+009B */
	assert_string_equal(
		json("\xe2\x80\xa8\xe2\x80\xae\xe2\x80\x8b\xc2\x9b", 11),
		"\"\\u2028\\u202e\\u200b\\u009b\"");
	/* bad byte, over-long form, surrogate, cut sequence */
	assert_string_equal(json("\xff", 1), "\"\\udcff\"");
	assert_string_equal(json("\xc0\xaf", 2), "\"\\udcc0\\udcaf\"");
	assert_string_equal(json("\xed\xa0\x80", 3),
			    "\"\\udced\\udca0\\udc80\"");
	assert_string_equal(json("\xe2\x82", 2), "\"\\udce2\\udc82\"");
}

/* Plain bytes are taken eight at a time: none that is not may hide among
 * them, wherever it stands. */
static void escapes_every_byte_at_every_place(void **state)
{
	(void)state;
	for (unsigned int c = 0; c < 0x80; c++) {
		bool is_plain = c >= 0x20 && c < 0x7f && c != '"' && c != '\\';

		for (size_t at = 0; at < 17; at++) {
			char bytes[17];

			memset(bytes, 'a' + (int)(at % 26), sizeof(bytes));
			bytes[at] = (char)c;
			const char *got = json(bytes, sizeof(bytes));
			bool is_copied = strlen(got) == sizeof(bytes) + 2;

			assert_int_equal(is_copied, is_plain);
			assert_memory_equal(got + 1, bytes, at);
		}
	}
}

static void shows_bytes_that_would_steer_a_terminal(void **state)
{
	char buf[64];
	struct text t;

	(void)state;
	text_init(&t, buf, sizeof(buf));
	text_add_printable(&t, "a\\\x1b\xc3z", 5);
	assert_string_equal(buf, "a\\x5c\\x1b\\xc3z");
}

static void reads_strict_decimals_only(void **state)
{
	static const char *const bad[] = {
		"",   "+1",  "-1",  " 1",    "1 ",
		"01", "0x1", "1e3", "65536", "18446744073709551617",
		"1\n"};
	uint64_t value = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_false(text_parse_decimal(bad[i], strlen(bad[i]), 65535,
						&value));
	assert_int_equal(value, 7);
	assert_true(text_parse_decimal("0", 1, 65535, &value));
	assert_int_equal(value, 0);
	assert_true(text_parse_decimal("65535", 5, 65535, &value));
	assert_true(text_parse_decimal("18446744073709551615", 20, UINT64_MAX,
				       &value));
	assert_true(value == UINT64_MAX);
	assert_false(text_parse_decimal("18446744073709551616", 20, UINT64_MAX,
					&value));
}

static void knows_ports(void **state)
{
	uint16_t port = 0;

	(void)state;
	assert_true(text_parse_port("443", 3, &port));
	assert_int_equal(port, 443);
	assert_false(text_parse_port("0", 1, &port));
	assert_false(text_parse_port("65979", 5, &port));
	assert_true(text_parse_port("65535", 5, &port));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cuts_at_the_end_of_the_buffer),
		cmocka_unit_test(keeps_json_on_one_harmless_line),
		cmocka_unit_test(escapes_every_byte_at_every_place),
		cmocka_unit_test(shows_bytes_that_would_steer_a_terminal),
		cmocka_unit_test(reads_strict_decimals_only),
		cmocka_unit_test(knows_ports),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
