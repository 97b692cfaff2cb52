/* SPDX-License-Identifier: MIT */
/* run_options: the command line of `exeat run`. */
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include <stdbool.h>

#include "diag.h"
#include "policy_args.h"

/**
 * struct run_options - what `exeat run` was asked to do
 * @policy:	files and flags
 * @command:	NULL-terminated, at least one word but where @script is set;
 *		points into argv
 * @script:	--script, or NULL; then @command holds its arguments
 * @interpreter: --interpreter, or NULL
 * @is_dry_run:	print what would be done, do nothing
 * @is_quiet:	what was denied is not said after the run
 * @is_verbose:	records name the processes above the one that connects
 */
struct run_options {
	struct policy_args policy;
	char **command;
	char *script;
	char *interpreter;
	bool is_dry_run;
	bool is_verbose;
	bool is_quiet;
	bool wants_help;
};

/**
 * run_options_parse() - read the words after `exeat run`
 * @argv:	NULL-terminated
 * Return: 0, or -1 with @diag set; run_options_clear() is due either way.
 */
int run_options_parse(struct run_options *options, int argc, char *argv[],
		      struct diag *diag) __attribute__((warn_unused_result));

void run_options_clear(struct run_options *options);

#endif
