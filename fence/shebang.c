/* SPDX-License-Identifier: MIT */
/* shebang: the program that a script's first line asks for. */
#include "shebang.h"

#include <stdbool.h>
#include <string.h>

#include "paths.h"

/* What is left of the line. */
struct rest {
	const char *at;
	const char *end;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The next word; NULL: there is none. */
static const char *next_word(struct arena *arena, struct rest *rest)
{
	while (rest->at < rest->end && is_blank(*rest->at))
		rest->at++;
	const char *start = rest->at;
	while (rest->at < rest->end && !is_blank(*rest->at))
		rest->at++;
	if (rest->at == start)
		return NULL;
	return arena_strndup(arena, start, (size_t)(rest->at - start));
}

/* env(1) takes options and variables first. */
static const char *behind_env(struct arena *arena, struct rest *rest)
{
	const char *word = next_word(arena, rest);

	while (word != NULL && (word[0] == '-' || strchr(word, '=') != NULL))
		word = next_word(arena, rest);
	return word;
}

const char *shebang_program(struct arena *arena, const char *text, size_t len)
{
	if (len < 3 || text[0] != '#' || text[1] != '!')
		return NULL;
	const char *line = text + 2;
	const char *end = memchr(line, '\n', len - 2);
	/* A line that does not end might name something else. */
	if (end == NULL || memchr(line, '\0', (size_t)(end - line)) != NULL)
		return NULL;
	struct rest rest = {line, end};
	const char *program = next_word(arena, &rest);
	if (program != NULL && strcmp(path_base(program), "env") == 0)
		return behind_env(arena, &rest);
	return program;
}
