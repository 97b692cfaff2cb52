/* SPDX-License-Identifier: MIT */
/* hello_corpus: the recorded ClientHellos of tests/data/client_hello. */
#ifndef HELLO_CORPUS_H
#define HELLO_CORPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** struct hello_row - a line of index.tsv and the bytes that it speaks of */
struct hello_row {
	char name[64];
	char expected[64];
	bool is_allowed;
	bool has_ech;
	uint8_t *bytes;
	size_t len;
};

/** hello_load() - the bytes of NAME.hex; fails the test if there are none;
 * the caller frees them */
uint8_t *hello_load(const char *name, size_t *len_out);

/** hello_for_each() - call @check with every row. Return: how many */
size_t hello_for_each(void (*check)(const struct hello_row *row));

#endif
