/* SPDX-License-Identifier: MIT */
/* head_cuts: a request head parsed in every way to cut it. */
#ifndef HEAD_CUTS_H
#define HEAD_CUTS_H

#include <stddef.h>

#include "request_head.h"

struct outcome {
	enum request_head_result result;
	struct request_head head;
};

/** head_cut_at() - in two reads, the first of @cut bytes (0: in one) */
struct outcome head_cut_at(const char *data, size_t len, size_t cut);

/** head_byte_by_byte() - in reads of one byte */
struct outcome head_byte_by_byte(const char *data, size_t len);

/** head_expect_same() - fails the test where two ways differ */
void head_expect_same(const struct outcome *a, const struct outcome *b);

/** head_parse() - whole, after having seen that no cut makes a difference */
struct outcome head_parse(const char *data, size_t len);

#endif
