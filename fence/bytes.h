/* SPDX-License-Identifier: MIT */
/* bytes: a growing output, for writers. */
#ifndef BYTES_H
#define BYTES_H

#include <stdbool.h>
#include <stddef.h>

/* A writer of ours never makes more; what would be is a bug or an attack. */
#define BYTES_MAX ((size_t)64 * 1024 * 1024)

/**
 * struct bytes - starts zeroed; NUL-terminated once something was added
 * @is_failed:	memory ran out; what is there is useless
 */
struct bytes {
	char *data;
	size_t len;
	size_t size;
	bool is_failed;
};

void bytes_add(struct bytes *b, const void *data, size_t len);
void bytes_add_text(struct bytes *b, const char *s);
void bytes_addf(struct bytes *b, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** bytes_take() - hand over the memory
 * Return: the caller's, freed with free(); NULL when memory ran out. */
char *bytes_take(struct bytes *b, size_t *len_out);

#endif
