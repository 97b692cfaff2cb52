/* SPDX-License-Identifier: MIT */
/* reader: a bounded cursor over bytes; the only way wire data is read. */
#include "reader.h"

struct reader reader_over(const void *bytes, size_t len)
{
	return (struct reader){.at = bytes, .left = len};
}

bool reader_take(struct reader *r, size_t len, struct reader *range_out)
{
	if (len > r->left)
		return false;
	*range_out = (struct reader){.at = r->at, .left = len};
	if (len > 0)
		r->at += len;
	r->left -= len;
	return true;
}

struct reader reader_take_up_to(struct reader *r, size_t max)
{
	struct reader range = *r;

	if (range.left > max)
		range.left = max;
	if (range.left > 0)
		r->at += range.left;
	r->left -= range.left;
	return range;
}

bool reader_u8(struct reader *r, uint8_t *value_out)
{
	struct reader b;

	if (!reader_take(r, 1, &b))
		return false;
	*value_out = b.at[0];
	return true;
}

bool reader_u16(struct reader *r, uint16_t *value_out)
{
	struct reader b;

	if (!reader_take(r, 2, &b))
		return false;
	*value_out = (uint16_t)(b.at[0] << 8 | b.at[1]);
	return true;
}

bool reader_u24(struct reader *r, uint32_t *value_out)
{
	struct reader b;

	if (!reader_take(r, 3, &b))
		return false;
	*value_out = (uint32_t)b.at[0] << 16 | (uint32_t)b.at[1] << 8 | b.at[2];
	return true;
}

bool reader_vector8(struct reader *r, struct reader *range_out)
{
	struct reader whole = *r;
	uint8_t len;

	if (!reader_u8(&whole, &len) || !reader_take(&whole, len, range_out))
		return false;
	*r = whole;
	return true;
}

bool reader_vector16(struct reader *r, struct reader *range_out)
{
	struct reader whole = *r;
	uint16_t len;

	if (!reader_u16(&whole, &len) || !reader_take(&whole, len, range_out))
		return false;
	*r = whole;
	return true;
}
