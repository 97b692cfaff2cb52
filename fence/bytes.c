/* SPDX-License-Identifier: MIT */
/* bytes: a growing output, for writers. */
#include "bytes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 4096

static bool reserve(struct bytes *b, size_t more)
{
	size_t size = b->size == 0 ? FIRST_SIZE : b->size;

	if (b->is_failed || more > BYTES_MAX - b->len) {
		b->is_failed = true;
		return false;
	}
	while (size - b->len <= more)
		size *= 2;
	if (size == b->size)
		return true;
	char *data = realloc(b->data, size);
	if (data == NULL) {
		b->is_failed = true;
		return false;
	}
	b->data = data;
	b->size = size;
	return true;
}

void bytes_add(struct bytes *b, const void *data, size_t len)
{
	if (!reserve(b, len))
		return;
	if (len > 0)
		memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void bytes_add_text(struct bytes *b, const char *s)
{
	bytes_add(b, s, strlen(s));
}

void bytes_addf(struct bytes *b, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int n = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (n < 0 || !reserve(b, (size_t)n))
		return;
	va_start(args, format);
	(void)vsnprintf(b->data + b->len, b->size - b->len, format, args);
	va_end(args);
	b->len += (size_t)n;
}

char *bytes_take(struct bytes *b, size_t *len_out)
{
	char *data = b->data;

	if (!reserve(b, 0)) {
		free(data);
		*b = (struct bytes){NULL, 0, 0, false};
		return NULL;
	}
	data = b->data;
	*len_out = b->len;
	*b = (struct bytes){NULL, 0, 0, false};
	return data;
}
