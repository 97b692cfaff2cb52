/* SPDX-License-Identifier: MIT */
/* hello_corpus: the recorded ClientHellos of tests/data/client_hello. */
#include "hello_corpus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define FIELDS 7

static int digit(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

uint8_t *hello_load(const char *name, size_t *len_out)
{
	char path[512];
	size_t size = 65536;
	size_t len = 0;

	(void)snprintf(path, sizeof(path), "%s/client_hello/%s.hex",
		       TEST_DATA_DIR, name);
	FILE *f = fopen(path, "r");
	if (f == NULL)
		fail_msg("%s cannot be read", path);
	uint8_t *whole = malloc(size);
	assert_non_null(whole);
	for (;;) {
		int high = digit(fgetc(f));
		int low = high < 0 ? -1 : digit(fgetc(f));

		if (low < 0)
			break;
		assert_true(len < size);
		whole[len++] = (uint8_t)(high << 4 | low);
	}
	(void)fclose(f);
	/* Of the exact size: a read past the end does not go unseen. */
	uint8_t *bytes = malloc(len > 0 ? len : 1);
	assert_non_null(bytes);
	memcpy(bytes, whole, len);
	free(whole);
	*len_out = len;
	return bytes;
}

static void copy(char *out, size_t size, const char *from)
{
	(void)snprintf(out, size, "%s", from);
}

static void run_row(char *line, void (*check)(const struct hello_row *row))
{
	struct hello_row row = {0};
	char *field[FIELDS];

	for (size_t i = 0; i < FIELDS; i++) {
		field[i] = strsep(&line, "\t");
		assert_non_null(field[i]);
	}
	copy(row.name, sizeof(row.name), field[0]);
	copy(row.expected, sizeof(row.expected), field[3]);
	row.is_allowed = strcmp(field[4], "allow") == 0;
	row.has_ech = strcmp(field[6], "yes") == 0;
	row.bytes = hello_load(row.name, &row.len);

	char size[16];
	(void)snprintf(size, sizeof(size), "%zu", row.len);
	assert_string_equal(size, field[2]);
	check(&row);
	free(row.bytes);
}

size_t hello_for_each(void (*check)(const struct hello_row *row))
{
	FILE *f = fopen(TEST_DATA_DIR "/client_hello/index.tsv", "r");
	char line[2048];
	size_t rows = 0;

	assert_non_null(f);
	assert_non_null(fgets(line, sizeof(line), f));
	while (fgets(line, sizeof(line), f) != NULL) {
		run_row(line, check);
		rows++;
	}
	(void)fclose(f);
	return rows;
}
