/* SPDX-License-Identifier: MIT */
/*
 * script: a program given as text, from its file to the words that run it.
 *
 * How it works: the text goes through no command line, whose quoting it would
 * have to survive. It becomes a read-only file inside, and the interpreter is
 * pointed at it, so messages have the script's own line numbers. With a first
 * line of #! the kernel finds the interpreter. Without one it is for a shell,
 * and a shell reads it from standard input (sh -s).
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "diag.h"

#define SCRIPT_MAX_BYTES ((size_t)16 << 20)

/* Where it stands inside. */
#define SCRIPT_FOLDER "/run/exeat/script/"

/**
 * struct script_request - all borrowed
 * @file:	a path, or "-": standard input
 * @interpreter: a program, or NULL
 * @words:	the script's arguments, NULL-terminated
 */
struct script_request {
	const char *file;
	char *interpreter;
	char **words;
};

/**
 * struct script - what came of it; script_clear() is due
 * @text, @len:	its bytes, whatever they are
 * @path:	inside; "": it is not a file there
 * @command:	what is to be run, NULL-terminated
 * @tool:	the program that reads it, for the fence to show
 * @was_input:	it was read from our standard input, which is used up
 * @is_input:	it becomes the command's standard input
 */
struct script {
	char *text;
	size_t len;
	char path[sizeof(SCRIPT_FOLDER) + NAME_MAX];
	char **command;
	char *tool;
	bool was_input;
	bool is_input;
};

void script_init(struct script *script);
void script_clear(struct script *script);

/** script_load() - read it, and work out how to run it. Return: 0, or -1 with
 * @diag set. */
int script_load(struct script *script, const struct script_request *request,
		struct diag *diag) __attribute__((warn_unused_result));

/** script_place_input() - make descriptor 0 what the command shall read.
 * Return: 0 or -errno. */
int script_place_input(const struct script *script)
	__attribute__((warn_unused_result));

#endif
