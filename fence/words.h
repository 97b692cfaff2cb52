/* SPDX-License-Identifier: MIT */
/* words: any bytes as one printable word, and back. Pure. */
#ifndef WORDS_H
#define WORDS_H

#include "arena.h"
#include "bytes.h"

/** word_write() - append @s with space, backslash and everything that is not
 * printable ASCII as \xNN */
void word_write(struct bytes *out, const char *s);

/** word_write_line() - the same, but spaces stay */
void word_write_line(struct bytes *out, const char *s);

/**
 * word_read() - undo word_write()
 * Return: in @arena; NULL: out of memory, a bad escape, or a NUL in it.
 */
char *word_read(struct arena *arena, const char *word, size_t len);

#endif
