/* SPDX-License-Identifier: MIT */
/* reader: a bounded cursor over bytes; the only way wire data is read. */
#ifndef READER_H
#define READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct reader - what is left of a range; borrowed, copied by value
 * @at:		next byte
 * @left:	bytes from @at to the end of the range
 *
 * Every fetch checks the range first. A fetch that does not fit returns false,
 * takes nothing and leaves its output untouched.
 */
struct reader {
	const uint8_t *at;
	size_t left;
};

/** reader_over() - a cursor at the start of @len bytes (NULL only with 0) */
struct reader reader_over(const void *bytes, size_t len);

bool reader_u8(struct reader *r, uint8_t *value_out)
	__attribute__((warn_unused_result));
/** reader_u16() - big-endian, as all of TLS and SOCKS */
bool reader_u16(struct reader *r, uint16_t *value_out)
	__attribute__((warn_unused_result));
bool reader_u24(struct reader *r, uint32_t *value_out)
	__attribute__((warn_unused_result));

/** reader_take() - the next @len bytes as a range of their own */
bool reader_take(struct reader *r, size_t len, struct reader *range_out)
	__attribute__((warn_unused_result));

/** reader_take_up_to() - the next @max bytes, or all that are left if fewer */
struct reader reader_take_up_to(struct reader *r, size_t max);

/** reader_vector8() - a range whose size stands before it in one byte */
bool reader_vector8(struct reader *r, struct reader *range_out)
	__attribute__((warn_unused_result));
/** reader_vector16() - the same with two bytes (RFC 8446 s3.4) */
bool reader_vector16(struct reader *r, struct reader *range_out)
	__attribute__((warn_unused_result));

#endif
