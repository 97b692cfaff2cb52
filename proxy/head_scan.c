/* SPDX-License-Identifier: MIT */
/* head_scan: finds the end of an HTTP/1.x head, each byte looked at once. */
#include "head_scan.h"

#include "http_text.h"

/* A line ended at scan->offset, which is behind its LF. */
static enum head_scan_result on_line(struct head_scan *scan,
				     const struct head_limits *limits)
{
	size_t len = scan->offset - scan->line_start;

	if (scan->bad != NULL)
		return HEAD_SCAN_BAD;
	scan->line_start = scan->offset;
	if (len == 2) {
		if (scan->has_line)
			return HEAD_SCAN_END;
		scan->bad = "empty line before the message";
		return HEAD_SCAN_BAD;
	}
	if (!scan->has_line)
		scan->has_line = true;
	else if (++scan->fields > limits->fields)
		return HEAD_SCAN_TOO_LARGE;
	return HEAD_SCAN_MORE;
}

enum head_scan_result head_scan_lines(struct head_scan *scan,
				      const struct head_limits *limits,
				      const char *data, size_t len)
{
	size_t end = len;

	if (end > limits->bytes)
		end = limits->bytes;
	while (scan->offset < end) {
		if (scan->bad == NULL)
			scan->bad = http_byte_error(data, scan->line_start,
						    scan->offset);
		if (data[scan->offset++] != '\n')
			continue;
		enum head_scan_result result = on_line(scan, limits);
		if (result != HEAD_SCAN_MORE)
			return result;
	}
	return end == limits->bytes ? HEAD_SCAN_TOO_LARGE : HEAD_SCAN_MORE;
}
