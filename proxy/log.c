/* SPDX-License-Identifier: MIT */
/* log: one line a message for the operator, on standard error. */
#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "text.h"

#define LOG_LINE_BYTES  1024
#define LOG_INTERVAL_MS 1000

void log_warn(const char *format, ...)
{
	char message[LOG_LINE_BYTES];
	char line[LOG_LINE_BYTES + sizeof("exeat-proxy: \n")];
	struct text t;
	va_list args;

	va_start(args, format);
	(void)vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	text_init(&t, line, sizeof(line));
	text_addf(&t, "exeat-proxy: %s\n", message);
	(void)!write(STDERR_FILENO, t.buf, t.len);
}

bool log_limit_pass(struct log_limit *limit, int64_t now_ms)
{
	if (now_ms < limit->next_ms)
		return false;
	limit->next_ms = now_ms + LOG_INTERVAL_MS;
	return true;
}
