/* SPDX-License-Identifier: MIT */
/* audit_time: times of records, in ms since 1970, and how people write them. */
#ifndef AUDIT_TIME_H
#define AUDIT_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AUDIT_TIME_BYTES 32

/** audit_time_parse() - "2025-12-01T00:00:00.123Z", exactly (RFC 3339, UTC) */
bool audit_time_parse(const char *s, size_t len, uint64_t *ms_out)
	__attribute__((warn_unused_result));

/**
 * audit_time_parse_since() - what people say: "90s", "15m", "2h", "7d" before
 * @now_ms, a day "2025-12-01" or a time "2025-12-01T10:30[:00[.123]]", both UTC
 * where Z follows and else local
 */
bool audit_time_parse_since(const char *text, uint64_t now_ms, uint64_t *ms_out)
	__attribute__((warn_unused_result));

/** audit_time_format() - as in records */
void audit_time_format(uint64_t ms, char text_out[static AUDIT_TIME_BYTES]);

/** audit_time_format_local() - "12-01 10:30:00", for tables */
void audit_time_format_local(uint64_t ms,
			     char text_out[static AUDIT_TIME_BYTES]);

/** audit_time_now() - wall clock */
uint64_t audit_time_now(void);

#endif
