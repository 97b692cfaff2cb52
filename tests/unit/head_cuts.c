/* SPDX-License-Identifier: MIT */
/* head_cuts: a request head parsed in every way to cut it. */
#include "head_cuts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void parse_to(struct request_head_scan *scan, struct outcome *outcome,
		     const char *data, size_t len)
{
	outcome->result = request_head_parse(scan, data, len, &outcome->head);
}

struct outcome head_cut_at(const char *data, size_t len, size_t cut)
{
	struct outcome outcome = {.result = REQUEST_HEAD_MORE};
	struct request_head_scan scan = {0};

	if (cut > 0)
		parse_to(&scan, &outcome, data, cut);
	if (outcome.result == REQUEST_HEAD_MORE)
		parse_to(&scan, &outcome, data, len);
	return outcome;
}

struct outcome head_byte_by_byte(const char *data, size_t len)
{
	struct outcome outcome = {.result = REQUEST_HEAD_MORE};
	struct request_head_scan scan = {0};

	for (size_t i = 1; i <= len && outcome.result == REQUEST_HEAD_MORE; i++)
		parse_to(&scan, &outcome, data, i);
	return outcome;
}

void head_expect_same(const struct outcome *a, const struct outcome *b)
{
	assert_int_equal(a->result, b->result);
	assert_ptr_equal(a->head.target.at, b->head.target.at);
	assert_int_equal(a->head.target.len, b->head.target.len);
	assert_int_equal(a->head.head_len, b->head.head_len);
	assert_ptr_equal(a->head.reason, b->head.reason);
}

struct outcome head_parse(const char *data, size_t len)
{
	struct outcome whole = head_cut_at(data, len, 0);
	struct outcome bytes = head_byte_by_byte(data, len);

	head_expect_same(&whole, &bytes);
	for (size_t cut = 1; cut < len; cut++) {
		struct outcome two = head_cut_at(data, len, cut);

		head_expect_same(&whole, &two);
	}
	return whole;
}
