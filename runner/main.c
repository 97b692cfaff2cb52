/* SPDX-License-Identifier: MIT */
/* exeat: run a program that can connect only where the policy says. */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "handoff.h"
#include "help.h"
#include "programs.h"
#include "run.h"
#include "std_streams.h"

static int print_version(void)
{
	printf("exeat %s\n", EXEAT_VERSION);
	return fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
}

/* A verb is a word: nothing in it may lead out of exeat's own folder. */
static bool is_word(const char *verb)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";

	return verb[0] != '\0' && verb[0] != '-' &&
	       verb[strspn(verb, letters)] == '\0';
}

/* As git does: `exeat audit` may be a program of its own, exeat-audit. */
static int run_other(char *argv[])
{
	char name[NAME_MAX];
	const char *verb = argv[0];

	if (is_word(verb) && strlen(verb) < sizeof(name) - sizeof("exeat-")) {
		char path[PATH_MAX];

		(void)snprintf(name, sizeof(name), "exeat-%s", verb);
		if (programs_find_own(name, path) == 0) {
			(void)execv(path, argv);
			(void)fprintf(stderr, "exeat: %s: %s\n", path,
				      strerror(errno));
			return EXIT_OWN_FAILURE;
		}
	}
	(void)fprintf(
		stderr,
		"exeat: '%s' is not a command of exeat. To run a program: "
		"exeat run [FLAGS] -- COMMAND (exeat --help)\n",
		verb);
	return EXIT_OWN_FAILURE;
}

int main(int argc, char *argv[])
{
	const char *verb = argc > 1 ? argv[1] : "";

	if (std_streams_fill() != 0)
		return EXIT_OWN_FAILURE;
	if (strcmp(verb, "run") == 0)
		return run_main(argc - 2, argv + 2);
	if (strcmp(verb, "check") == 0)
		return check_main(argc - 2, argv + 2);
	if (strcmp(verb, "--version") == 0 || strcmp(verb, "version") == 0)
		return print_version();
	if (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0 ||
	    strcmp(verb, "help") == 0)
		return help_print(HELP_EXEAT);
	if (verb[0] == '\0') {
		(void)fputs("exeat: say what to do, for instance: exeat run "
			    "--allow example.com -- curl https://example.com/ "
			    "(exeat --help)\n",
			    stderr);
		return EXIT_OWN_FAILURE;
	}
	return run_other(argv + 1);
}
