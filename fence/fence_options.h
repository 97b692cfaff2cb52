/* SPDX-License-Identifier: MIT */
/* fence_options: the command line of exeat-fence. */
#ifndef FENCE_OPTIONS_H
#define FENCE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "conf.h"
#include "diag.h"
#include "fence_facts.h"
#include "fence_plan.h"

enum fence_verb {
	FENCE_WRITE = 0, /* the back end's output */
	FENCE_EXPLAIN,
	FENCE_FACTS,
	FENCE_HELP,
	FENCE_VERSION,
};

/**
 * struct fence_options - what was said; words point into argv
 * @facts_file:	facts to use instead of looking at this machine, or NULL
 * @policy_file: or NULL
 */
struct fence_options {
	enum fence_verb verb;
	const char *backend;
	bool has_nul_form;
	const char *facts_file;
	const char *policy_file;
	const char *init_path;
	const char *tmp_dir;
	unsigned int openings;
	uint16_t proxy_port;
	const char *command;
	char **policy_words;
	int policy_word_count;
};

/**
 * fence_options_read() - read the words after the program's name
 * @options_out: policy_words is the caller's, freed with free(), also on
 *		failure
 *
 * Words that are not exeat-fence's own are kept as policy flags.
 *
 * Return: 0, or -1 with @diag set.
 */
int fence_options_read(int argc, char *argv[],
		       struct fence_options *options_out, struct diag *diag)
	__attribute__((warn_unused_result));

#endif
