/* SPDX-License-Identifier: MIT */
/* dry_run: what `exeat run` would do, as text. */
#include "dry_run.h"

#include <stdio.h>
#include <string.h>

#include "handoff.h"

/* A word as a shell would read it back. */
static void print_word(const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789_-+=:,./@%";

	if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
		(void)fputs(word, stdout);
		return;
	}
	(void)fputc('\'', stdout);
	for (; *word != '\0'; word++)
		if (*word == '\'')
			(void)fputs("'\\''", stdout);
		else
			(void)fputc(*word, stdout);
	(void)fputc('\'', stdout);
}

int dry_run_print(const struct run_fence *fence, char *const *command)
{
	const char *word = fence->args;
	const char *end = fence->args + fence->args_len;

	printf("backend bwrap\n");
	printf("proxy 127.0.0.1:%u\n", fence->plan->proxy_port);
	printf("arguments");
	for (; word < end; word += strlen(word) + 1) {
		/* One option a line, its values beside it. */
		(void)fputs(strncmp(word, "--", 2) == 0 ? "\n  " : " ", stdout);
		print_word(word);
	}
	printf("\ncommand");
	for (; *command != NULL; command++) {
		(void)fputc(' ', stdout);
		print_word(*command);
	}
	printf("\n");
	return fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
}
