/* SPDX-License-Identifier: MIT */
/* shebang: the program that a script's first line asks for (execve(2)). Pure.
 */
#ifndef SHEBANG_H
#define SHEBANG_H

#include <stddef.h>

#include "arena.h"

/* What Linux reads of a file to find out. */
#define SHEBANG_MAX_BYTES 256

/**
 * shebang_program() - what runs a script
 * @text:	the file's first bytes, @len of them
 *
 * Of "#!/usr/bin/env [-S] [NAME=VALUE] PROGRAM" it is PROGRAM, which may be a
 * name to be looked for in PATH.
 *
 * Return: in @arena; NULL: no script, or out of memory.
 */
const char *shebang_program(struct arena *arena, const char *text, size_t len);

#endif
