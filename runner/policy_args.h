/* SPDX-License-Identifier: MIT */
/* policy_args: the policy part of a command line, kept to be passed on. */
#ifndef POLICY_ARGS_H
#define POLICY_ARGS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "conf.h"
#include "diag.h"
#include "policy.h"

/**
 * struct policy_args - what was said so far
 * @words:	the policy flags as given, for exeat-proxy's command line; they
 *		point into argv
 * @file:	--policy FILE as given, or NULL
 * @file_path:	the same, absolute; links stay in it
 * @file_text:	its bytes, read once: a second reader could see another policy
 */
struct policy_args {
	struct conf *conf;
	char **words;
	size_t word_count;
	char *file;
	char *file_path;
	char *file_text;
	size_t file_len;
	char cwd[PATH_MAX];
};

enum policy_args_result {
	POLICY_ARGS_TAKEN = 0,
	POLICY_ARGS_NOT_OURS,
	POLICY_ARGS_BAD, /* diag is set */
};

/**
 * policy_args_init() - start with nothing said
 * @argc:	words at most on the command line
 * Return: 0, or -1 with @diag set; policy_args_clear() is due either way.
 */
int policy_args_init(struct policy_args *args, int argc, struct diag *diag)
	__attribute__((warn_unused_result));

void policy_args_clear(struct policy_args *args);

/** policy_args_take() - try argv[0]; @used_out: words taken */
enum policy_args_result policy_args_take(struct policy_args *args, int argc,
					 char *argv[], int *used_out,
					 struct diag *diag)
	__attribute__((warn_unused_result));

/** policy_args_build() - the policy, the caller's; NULL with @diag set */
struct policy *policy_args_build(struct policy_args *args, struct diag *diag)
	__attribute__((warn_unused_result));

#endif
