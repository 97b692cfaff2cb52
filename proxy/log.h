/* SPDX-License-Identifier: MIT */
/* log: one line a message for the operator, on standard error. */
#ifndef LOG_H
#define LOG_H

#include <stdbool.h>
#include <stdint.h>

/** struct log_limit - lets one message through per second; starts zeroed */
struct log_limit {
	int64_t next_ms;
};

/** log_warn() - "exeat-proxy: " and the message; foreign bytes are escaped by
 * the caller. One write(2), so lines of several processes do not mix. */
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** log_limit_pass() - may a repeating message be written now? */
bool log_limit_pass(struct log_limit *limit, int64_t now_ms);

#endif
