/* SPDX-License-Identifier: MIT */
/* run_options: the command line of `exeat run`. */
#include "run_options.h"

#include <string.h>

/* The value of "--name VALUE" or "--name=VALUE", or NULL: not that flag, or
 * no value (then *is_flag is true). */
static const char *value_of(const char *name, int argc, char *argv[],
			    int *used_out, bool *is_flag)
{
	size_t len = strlen(name);

	*is_flag = strncmp(argv[0], name, len) == 0 &&
		   (argv[0][len] == '\0' || argv[0][len] == '=');
	if (!*is_flag)
		return NULL;
	if (argv[0][len] == '=') {
		*used_out = 1;
		return argv[0] + len + 1;
	}
	*used_out = 2;
	return argc > 1 ? argv[1] : NULL;
}

static int take_backend(const char *value, struct diag *diag)
{
	if (value != NULL &&
	    (strcmp(value, "auto") == 0 || strcmp(value, "bwrap") == 0))
		return 0;
	diag_set(diag, "--backend %s: this build has auto and bwrap",
		 value != NULL ? value : "");
	return -1;
}

/* One flag of the runner's own; *used_out stays 0 when it is none. */
static int take_own(struct run_options *options, int argc, char *argv[],
		    int *used_out, struct diag *diag)
{
	bool is_flag;

	if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
		options->wants_help = true;
		*used_out = 1;
		return 0;
	}
	if (strcmp(argv[0], "--dry-run") == 0) {
		options->is_dry_run = true;
		*used_out = 1;
		return 0;
	}
	const char *value =
		value_of("--backend", argc, argv, used_out, &is_flag);
	return is_flag ? take_backend(value, diag) : 0;
}

static int take(struct run_options *options, int argc, char *argv[],
		int *used_out, struct diag *diag)
{
	*used_out = 0;
	if (take_own(options, argc, argv, used_out, diag) != 0)
		return -1;
	if (*used_out > 0)
		return 0;
	switch (policy_args_take(&options->policy, argc, argv, used_out,
				 diag)) {
	case POLICY_ARGS_TAKEN:
		return 0;
	case POLICY_ARGS_NOT_OURS:
		diag_set(diag,
			 "%s: no such flag (exeat run --help lists them; "
			 "put -- before a command that starts with -)",
			 argv[0]);
		return -1;
	case POLICY_ARGS_BAD:
		break;
	}
	return -1;
}

int run_options_parse(struct run_options *options, int argc, char *argv[],
		      struct diag *diag)
{
	int i = 0;

	*options = (struct run_options){.command = NULL};
	if (policy_args_init(&options->policy, argc, diag) != 0)
		return -1;
	while (i < argc && argv[i][0] == '-' && argv[i][1] != '\0') {
		int used;

		if (strcmp(argv[i], "--") == 0) {
			i++;
			break;
		}
		if (take(options, argc - i, argv + i, &used, diag) != 0)
			return -1;
		i += used;
	}
	if (options->wants_help)
		return 0;
	if (i >= argc || argv[i][0] == '\0') {
		diag_set(diag, "no command to run: exeat run [FLAGS] -- "
			       "COMMAND (exeat run --help)");
		return -1;
	}
	options->command = argv + i;
	return 0;
}

void run_options_clear(struct run_options *options)
{
	policy_args_clear(&options->policy);
}
