/* SPDX-License-Identifier: MIT */
/* head_scan: finds the end of an HTTP/1.x head, each byte looked at once. */
#ifndef HEAD_SCAN_H
#define HEAD_SCAN_H

#include <stdbool.h>
#include <stddef.h>

struct head_limits {
	size_t bytes;
	unsigned int fields;
};

/** struct head_scan - progress; starts zeroed, holds no memory */
struct head_scan {
	size_t offset;       /* bytes looked at */
	size_t line_start;   /* of the line that is not complete yet */
	unsigned int fields; /* field lines so far */
	bool has_line;       /* the first line is complete */
	const char *bad;     /* a line is wrong: why, in fixed text */
};

enum head_scan_result {
	HEAD_SCAN_END = 0, /* the empty line is there: @offset is behind it */
	HEAD_SCAN_MORE,
	HEAD_SCAN_BAD, /* see @bad */
	HEAD_SCAN_TOO_LARGE,
};

/**
 * head_scan_lines() - go on where the last call ended
 * @data:	the head from its first byte; may have moved between calls
 *
 * Refuses what http_byte_error() refuses. A wrong line is read to its end
 * first, for the record. The result does not depend on how the bytes came.
 */
enum head_scan_result head_scan_lines(struct head_scan *scan,
				      const struct head_limits *limits,
				      const char *data, size_t len)
	__attribute__((warn_unused_result));

#endif
