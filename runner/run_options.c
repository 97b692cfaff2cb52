/* SPDX-License-Identifier: MIT */
/* run_options: the command line of `exeat run`. */
#include "run_options.h"

#include <string.h>

/** struct words - what is left of the command line; @used of it are taken */
struct words {
	int argc;
	char **argv;
	int used;
};

/* Is it "--name VALUE" or "--name=VALUE"? *value_out is NULL where it has no
 * value. */
static bool take_flag(struct words *words, const char *name, char **value_out)
{
	size_t len = strlen(name);
	char *word = words->argv[0];

	if (strncmp(word, name, len) != 0 ||
	    (word[len] != '\0' && word[len] != '='))
		return false;
	words->used = word[len] == '=' ? 1 : 2;
	*value_out = word[len] == '='  ? word + len + 1
		     : words->argc > 1 ? words->argv[1]
				       : NULL;
	return true;
}

static bool take_switch(struct words *words, const char *name, bool *is_set)
{
	if (strcmp(words->argv[0], name) != 0)
		return false;
	*is_set = true;
	words->used = 1;
	return true;
}

static int set_backend(const char *value, struct diag *diag)
{
	if (value != NULL &&
	    (strcmp(value, "auto") == 0 || strcmp(value, "bwrap") == 0))
		return 0;
	diag_set(diag, "--backend %s: this build has auto and bwrap",
		 value != NULL ? value : "");
	return -1;
}

static int set_word(char **to, char *value, const char *message,
		    struct diag *diag)
{
	if (value == NULL || value[0] == '\0') {
		diag_set(diag, "%s", message);
		return -1;
	}
	*to = value;
	return 0;
}

/* One flag of the runner's own; @used stays 0 when it is none. */
static int take_own(struct run_options *options, struct words *words,
		    struct diag *diag)
{
	char *value;

	if (take_switch(words, "--help", &options->wants_help) ||
	    take_switch(words, "-h", &options->wants_help) ||
	    take_switch(words, "--verbose", &options->is_verbose) ||
	    take_switch(words, "--quiet", &options->is_quiet) ||
	    take_switch(words, "--dry-run", &options->is_dry_run))
		return 0;
	if (take_flag(words, "--backend", &value))
		return set_backend(value, diag);
	if (take_flag(words, "--script", &value))
		return set_word(&options->script, value,
				"--script needs a file, or - for standard "
				"input",
				diag);
	if (take_flag(words, "--interpreter", &value))
		return set_word(&options->interpreter, value,
				"--interpreter needs a program", diag);
	return 0;
}

static int take(struct run_options *options, struct words *words,
		struct diag *diag)
{
	words->used = 0;
	if (take_own(options, words, diag) != 0)
		return -1;
	if (words->used > 0)
		return 0;
	switch (policy_args_take(&options->policy, words->argc, words->argv,
				 &words->used, diag)) {
	case POLICY_ARGS_TAKEN:
		return 0;
	case POLICY_ARGS_NOT_OURS:
		diag_set(diag,
			 "%s: no such flag (exeat run --help lists them; "
			 "put -- before a command that starts with -)",
			 words->argv[0]);
		return -1;
	case POLICY_ARGS_BAD:
		break;
	}
	return -1;
}

static int check_command(const struct run_options *options, struct diag *diag)
{
	if (options->interpreter != NULL && options->script == NULL) {
		diag_set(diag, "--interpreter is for --script FILE");
		return -1;
	}
	if (options->script != NULL ||
	    (options->command[0] != NULL && options->command[0][0] != '\0'))
		return 0;
	diag_set(diag, "no command to run: exeat run [FLAGS] -- COMMAND "
		       "(exeat run --help)");
	return -1;
}

int run_options_parse(struct run_options *options, int argc, char *argv[],
		      struct diag *diag)
{
	struct words words = {.argc = argc, .argv = argv};

	*options = (struct run_options){.command = NULL};
	if (policy_args_init(&options->policy, argc, diag) != 0)
		return -1;
	while (words.argc > 0 && words.argv[0][0] == '-' &&
	       words.argv[0][1] != '\0') {
		bool is_end = strcmp(words.argv[0], "--") == 0;

		words.used = 1;
		if (!is_end && take(options, &words, diag) != 0)
			return -1;
		words.argc -= words.used;
		words.argv += words.used;
		if (is_end)
			break;
	}
	options->command = words.argv;
	return options->wants_help ? 0 : check_command(options, diag);
}

void run_options_clear(struct run_options *options)
{
	policy_args_clear(&options->policy);
}
