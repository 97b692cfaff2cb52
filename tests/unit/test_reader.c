/* SPDX-License-Identifier: MIT */
/* test_reader: a cursor never leaves its range and takes all or nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reader.h"

static const uint8_t bytes[] = {1, 2, 3, 0, 2, 0xaa, 0xbb, 3, 0xcc};

static void fetches_big_endian_in_order(void **state)
{
	struct reader r = reader_over(bytes, sizeof(bytes));
	uint16_t u16 = 0;
	uint8_t u8 = 0;

	(void)state;
	assert_true(reader_u8(&r, &u8));
	assert_int_equal(u8, 1);
	assert_true(reader_u16(&r, &u16));
	assert_int_equal(u16, 0x0203);
	r = reader_over(bytes, sizeof(bytes));
	uint32_t u24 = 0;
	assert_true(reader_u24(&r, &u24));
	assert_int_equal(u24, 0x010203);
	assert_int_equal(r.left, sizeof(bytes) - 3);
}

static void takes_nothing_that_does_not_fit(void **state)
{
	struct reader r = reader_over(bytes, 1);
	struct reader range = {0};
	uint16_t u16 = 7;
	uint32_t u24 = 7;
	uint8_t u8 = 7;

	(void)state;
	assert_false(reader_u16(&r, &u16));
	assert_false(reader_u24(&r, &u24));
	assert_false(reader_take(&r, 2, &range));
	assert_int_equal(u16, 7);
	assert_int_equal(u24, 7);
	assert_null(range.at);
	assert_int_equal(r.left, 1);
	assert_true(reader_u8(&r, &u8));
	assert_false(reader_u8(&r, &u8));
	assert_int_equal(u8, 1);
}

static void takes_up_to_what_is_left(void **state)
{
	struct reader r = reader_over(bytes, 3);

	(void)state;
	assert_int_equal(reader_take_up_to(&r, 2).left, 2);
	struct reader rest = reader_take_up_to(&r, 2);
	assert_int_equal(rest.left, 1);
	assert_int_equal(rest.at[0], 3);
	assert_int_equal(reader_take_up_to(&r, 2).left, 0);
}

static void splits_vectors_by_their_size(void **state)
{
	struct reader r = reader_over(bytes + 3, sizeof(bytes) - 3);
	struct reader range;

	(void)state;
	assert_true(reader_vector16(&r, &range));
	assert_int_equal(range.left, 2);
	assert_int_equal(range.at[0], 0xaa);
	/* Says three, has one: the size is not taken either. */
	assert_false(reader_vector8(&r, &range));
	assert_int_equal(r.left, 2);
	assert_int_equal(range.left, 2);
	r = reader_over(bytes + 3, 3);
	assert_false(reader_vector16(&r, &range));
	assert_int_equal(r.left, 3);
	r = reader_over(bytes + 3, 1);
	assert_true(reader_vector8(&r, &range));
	assert_int_equal(range.left, 0);
}

static void reads_nothing_from_nothing(void **state)
{
	struct reader r = reader_over(NULL, 0);
	struct reader range;
	uint8_t u8;

	(void)state;
	assert_false(reader_u8(&r, &u8));
	assert_true(reader_take(&r, 0, &range));
	assert_int_equal(range.left, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fetches_big_endian_in_order),
		cmocka_unit_test(takes_nothing_that_does_not_fit),
		cmocka_unit_test(takes_up_to_what_is_left),
		cmocka_unit_test(splits_vectors_by_their_size),
		cmocka_unit_test(reads_nothing_from_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
