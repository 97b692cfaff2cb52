/* SPDX-License-Identifier: MIT */
/* DNS questions and answers, byte by byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dns_wire.h"

/* Header of a query: id, flags, counts. */
#define HEADER(flags, questions, additional) \
	"\x12\x34" flags "\0" questions "\0\0\0\0\0" additional
#define SITE   "\4site\4test\0"
#define TYPE_A "\0\1\0\1"
#define OPT    "\0\0\x29\x04\xd0\0\0\0\0\0\0"

#define READ(bytes, query) \
	dns_query_read((const uint8_t *)(bytes), sizeof(bytes) - 1, (query))

static void reads_a_plain_question(void **state)
{
	struct dns_query query;

	(void)state;
	assert_true(READ(HEADER("\1\0", "\1", "\0") SITE TYPE_A, &query));
	assert_int_equal(query.code, DNS_OK);
	assert_int_equal(query.id, 0x1234);
	assert_int_equal(query.type, DNS_TYPE_A);
	assert_string_equal(query.text, "site.test");
	assert_int_equal(query.text_len, 9);
	assert_int_equal(query.question_len, 15);
	assert_false(query.has_edns);
}

static void sees_edns_behind_other_records(void **state)
{
	struct dns_query query;

	(void)state;
	assert_true(READ(HEADER("\1\0", "\1", "\1") SITE TYPE_A OPT, &query));
	assert_true(query.has_edns);
	assert_true(READ(HEADER("\1\0", "\1", "\2") SITE TYPE_A
			 "\xc0\x0c\0\1\0\1\0\0\0\0\0\2xx" OPT,
			 &query));
	assert_true(query.has_edns);
	assert_true(READ(HEADER("\1\0", "\1", "\1") SITE TYPE_A "\0\0\x29",
			 &query));
	assert_false(query.has_edns);
}

static void spells_odd_bytes_out(void **state)
{
	struct dns_query query;

	(void)state;
	assert_true(
		READ(HEADER("\1\0", "\1", "\0") "\6a.b\\c\n\2\xc3\xa9\0" TYPE_A,
		     &query));
	assert_string_equal(query.text, "a\\.b\\\\c\\010.\\195\\169");
	assert_true(READ(HEADER("\1\0", "\1", "\0") "\0" TYPE_A, &query));
	assert_string_equal(query.text, "");
	assert_int_equal(query.code, DNS_OK);
}

static void answers_what_is_wrong_with_a_code(void **state)
{
	struct dns_query query;

	(void)state;
	assert_true(READ(HEADER("\1\0", "\2", "\0") SITE TYPE_A, &query));
	assert_int_equal(query.code, DNS_FORMERR);
	assert_int_equal(query.question_len, 0);
	assert_true(READ(HEADER("\1\0", "\0", "\0"), &query));
	assert_int_equal(query.code, DNS_FORMERR);
	assert_true(READ(HEADER("\x28\0", "\1", "\0") SITE TYPE_A, &query));
	assert_int_equal(query.code, DNS_NOTIMP);
	assert_true(READ(HEADER("\1\0", "\1", "\0") SITE "\0\x10\0\3", &query));
	assert_int_equal(query.code, DNS_REFUSED);
	/* a pointer, a label too long, an end too early */
	assert_true(READ(HEADER("\1\0", "\1", "\0") "\xc0\x0c" TYPE_A, &query));
	assert_int_equal(query.code, DNS_FORMERR);
	assert_true(READ(HEADER("\1\0", "\1", "\0") "\x40" TYPE_A, &query));
	assert_int_equal(query.code, DNS_FORMERR);
	assert_true(READ(HEADER("\1\0", "\1", "\0") "\4site\4test\0\0\1\0",
			 &query));
	assert_int_equal(query.code, DNS_FORMERR);
}

static void says_nothing_to_what_is_no_question(void **state)
{
	struct dns_query query;

	(void)state;
	assert_false(READ(HEADER("\x81\0", "\1", "\0") SITE TYPE_A, &query));
	assert_false(READ("\x12\x34\1\0\0\1\0\0\0\0\0", &query));
	assert_false(READ("", &query));
}

static void refuses_names_over_255_bytes(void **state)
{
	uint8_t data[400] = {0x12, 0x34, 1, 0, 0, 1};
	struct dns_query query;
	size_t at = 12;

	(void)state;
	for (int i = 0; i < 4; i++, at += 64)
		data[at] = 63;
	assert_true(dns_query_read(data, at + 5, &query));
	assert_int_equal(query.code, DNS_FORMERR);
	data[at + 2] = 1;       /* the class */
	data[12 + 3 * 64] = 61; /* 3 * 64 + 62 + 1 = 255 */
	assert_true(dns_query_read(data, at - 2 + 5, &query));
	assert_int_equal(query.code, DNS_OK);
}

static size_t answer(const struct dns_answer *what, bool edns, uint8_t *out)
{
	struct dns_query query;

	assert_true(
		edns ? READ(HEADER("\1\0", "\1", "\1") SITE TYPE_A OPT, &query)
		     : READ(HEADER("\1\0", "\1", "\0") SITE TYPE_A, &query));
	return dns_answer_write(&query, what, out);
}

static void answers_with_an_address(void **state)
{
	static const struct netaddr addr = {
		AF_INET, {198, 18, 0, 1}
        };
	static const char wanted[] =
		"\x12\x34\x81\x80\0\1\0\1\0\0\0\0" SITE TYPE_A
		"\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\xc6\x12\0\1";
	uint8_t out[DNS_ANSWER_MAX_BYTES];

	(void)state;
	size_t len = answer(&(struct dns_answer){.address = &addr}, false, out);
	assert_int_equal(len, sizeof(wanted) - 1);
	assert_memory_equal(out, wanted, len);
}

static void answers_edns_with_edns(void **state)
{
	static const char wanted[] =
		"\x12\x34\x81\x83\0\1\0\0\0\0\0\1" SITE TYPE_A OPT;
	uint8_t out[DNS_ANSWER_MAX_BYTES];

	(void)state;
	size_t len =
		answer(&(struct dns_answer){.code = DNS_NXDOMAIN}, true, out);
	assert_int_equal(len, sizeof(wanted) - 1);
	assert_memory_equal(out, wanted, len);
}

static void answers_with_a_name(void **state)
{
	static const struct hostname name = {"a.bc.test", 9};
	static const char wanted[] =
		"\xc0\x0c\0\x0c\0\1\0\0\0\x3c\0\x0b\1a\2bc\4test\0";
	uint8_t out[DNS_ANSWER_MAX_BYTES];
	const size_t tail = sizeof(wanted) - 1;

	(void)state;
	size_t len = answer(&(struct dns_answer){.name = &name}, false, out);
	assert_memory_equal(out + len - tail, wanted, tail);
}

/* NULL: it is no such name. */
static void check_reverse(const char *text, const char *address)
{
	char found[NETADDR_TEXT_BYTES];
	struct hostname name;
	struct netaddr addr;

	assert_int_equal(hostname_parse(text, strlen(text), &name),
			 HOSTNAME_OK);
	assert_true(dns_reverse_read(&name, &addr) == (address != NULL));
	if (address == NULL)
		return;
	netaddr_format(&addr, found);
	assert_string_equal(found, address);
}

static void reads_reverse_names(void **state)
{
	(void)state;
	check_reverse("1.0.18.198.in-addr.arpa", "198.18.0.1");
	check_reverse("255.2.0.192.in-addr.arpa", "192.0.2.255");
	check_reverse("0.18.198.in-addr.arpa", NULL);
	check_reverse("1.1.0.18.198.in-addr.arpa", NULL);
	check_reverse("256.0.18.198.in-addr.arpa", NULL);
	check_reverse("01.0.18.198.in-addr.arpa", NULL);
	check_reverse("x.0.18.198.in-addr.arpa", NULL);
	check_reverse("in-addr.arpa", NULL);
	check_reverse("1.0.18.198.in-addr.arpa.test", NULL);
}

#define HOST_DIGITS "0.0.0.0.0.0.0.0.0.0.0.0.0.0.0."
#define PREFIX      "4.7.0.0.1.6.5.6.8.7.5.6.0.0.d."

static void reads_reverse_names_of_ipv6(void **state)
{
	(void)state;
	check_reverse("1." HOST_DIGITS PREFIX "f.ip6.arpa",
		      "fd00:6578:6561:74::1");
	check_reverse(HOST_DIGITS PREFIX "f.ip6.arpa", NULL);
	check_reverse("1." HOST_DIGITS PREFIX "g.ip6.arpa", NULL);
	check_reverse("1-" HOST_DIGITS PREFIX "f.ip6.arpa", NULL);
	check_reverse("ip6.arpa", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_a_plain_question),
		cmocka_unit_test(sees_edns_behind_other_records),
		cmocka_unit_test(spells_odd_bytes_out),
		cmocka_unit_test(answers_what_is_wrong_with_a_code),
		cmocka_unit_test(says_nothing_to_what_is_no_question),
		cmocka_unit_test(refuses_names_over_255_bytes),
		cmocka_unit_test(answers_with_an_address),
		cmocka_unit_test(answers_edns_with_edns),
		cmocka_unit_test(answers_with_a_name),
		cmocka_unit_test(reads_reverse_names),
		cmocka_unit_test(reads_reverse_names_of_ipv6),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
