/* SPDX-License-Identifier: MIT */
/* test_hostname: one spelling for each name, and none for what is no name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hostname.h"

static struct hostname parse(const char *text)
{
	struct hostname name = {.len = 0};

	assert_int_equal(hostname_parse(text, strlen(text), &name),
			 HOSTNAME_OK);
	return name;
}

static void knows_one_spelling(void **state)
{
	static const struct {
		const char *from, *to;
	} rows[] = {
		{"allowed.test",          "allowed.test"         },
		{"ALLOWED.Test",          "allowed.test"         },
		{"allowed.test.",         "allowed.test"         },
		{"localhost",             "localhost"            },
		{"xn--bcher-kva.example", "xn--bcher-kva.example"},
		{"_dmarc.example.org",    "_dmarc.example.org"   },
		{"1.example.org",         "1.example.org"        },
		{"3com",                  "3com"                 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct hostname name = parse(rows[i].from);
		assert_string_equal(name.text, rows[i].to);
		assert_int_equal(name.len, strlen(rows[i].to));
	}
}

static void refuses_what_is_no_name(void **state)
{
	static const struct {
		const char *text;
		enum hostname_result rc;
	} rows[] = {
		{"",                   HOSTNAME_EMPTY    },
		{".",                  HOSTNAME_EMPTY    },
		{"..",                 HOSTNAME_BAD_LABEL},
		{"a..b",               HOSTNAME_BAD_LABEL},
		{".a.b",               HOSTNAME_BAD_LABEL},
		{"a.b..",              HOSTNAME_BAD_LABEL},
		{"-a.b",               HOSTNAME_BAD_LABEL},
		{"a-.b",               HOSTNAME_BAD_LABEL},
		{"a b.c",              HOSTNAME_BAD_BYTE },
		{"a\tb",               HOSTNAME_BAD_BYTE },
		{"a@b",                HOSTNAME_BAD_BYTE },
		{"a/b.c",              HOSTNAME_BAD_BYTE },
		{"a%2eb",              HOSTNAME_BAD_BYTE },
		{"*.a.b",              HOSTNAME_BAD_BYTE },
		{"[a.b]",              HOSTNAME_BAD_BYTE },
		{"::1",                HOSTNAME_BAD_BYTE },
		{"a\xe3\x80\x82"
		 "b", HOSTNAME_BAD_BYTE },
		{"127.0.0.1",          HOSTNAME_NUMERIC  },
		{"127.0.0.1.",         HOSTNAME_NUMERIC  },
		{"127.1",              HOSTNAME_NUMERIC  },
		{"2130706433",         HOSTNAME_NUMERIC  },
		{"0x7f000001",         HOSTNAME_NUMERIC  },
		{"0X7F.1",             HOSTNAME_NUMERIC  },
		{"a.0x7f",             HOSTNAME_NUMERIC  },
		{"0177.0.0.1",         HOSTNAME_NUMERIC  },
		{"example.123",        HOSTNAME_NUMERIC  },
	};
	struct hostname name = {.text = "untouched"};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum hostname_result rc = hostname_parse(
			rows[i].text, strlen(rows[i].text), &name);
		if (rc != rows[i].rc)
			fail_msg("%s: %s", rows[i].text,
				 hostname_result_text(rc));
	}
	assert_int_equal(hostname_parse("a\0.b", 4, &name), HOSTNAME_BAD_BYTE);
	assert_string_equal(name.text, "untouched");
}

static void keeps_the_limits_of_dns(void **state)
{
	char label[] =
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		"aaaaaaa";
	char text[300];
	struct hostname name;

	(void)state;
	assert_int_equal(strlen(label), 64);
	assert_int_equal(hostname_parse(label, 64, &name), HOSTNAME_BAD_LABEL);
	assert_int_equal(hostname_parse(label, 63, &name), HOSTNAME_OK);
	/* "a.a.a...": 253 bytes are 127 labels. */
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = i % 2 == 0 ? 'a' : '.';
	assert_int_equal(hostname_parse(text, 253, &name), HOSTNAME_OK);
	assert_int_equal(hostname_parse(text, 254, &name), HOSTNAME_OK);
	assert_int_equal(name.len, 253);
	assert_int_equal(hostname_parse(text, 255, &name), HOSTNAME_TOO_LONG);
}

static void compares_whole_labels(void **state)
{
	struct hostname parent = parse("example.com");
	struct hostname child = parse("a.b.example.com");
	struct hostname evil = parse("evilexample.com");
	struct hostname prefix = parse("example.com.evil.test");

	(void)state;
	assert_true(hostname_is_below(&child, &parent));
	assert_false(hostname_is_below(&parent, &parent));
	assert_false(hostname_is_below(&evil, &parent));
	assert_false(hostname_is_below(&prefix, &parent));
	assert_false(hostname_is_below(&parent, &child));
	assert_true(hostname_equal(&parent, &parent));
	assert_false(hostname_equal(&parent, &evil));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_one_spelling),
		cmocka_unit_test(refuses_what_is_no_name),
		cmocka_unit_test(keeps_the_limits_of_dns),
		cmocka_unit_test(compares_whole_labels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
