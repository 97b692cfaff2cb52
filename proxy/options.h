/* SPDX-License-Identifier: MIT */
/* options: the command line of exeat-proxy, and the policy it makes. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "diag.h"

struct policy;

#define OPTIONS_LISTEN_MAX 64
#define OPTIONS_FILES_MAX  8

/**
 * struct options - what was asked for; strings borrowed from argv
 * @run:	run id: started by exeat (--handoff); NULL: on our own
 * @files:	policy files
 * @audit_stdout: records go to standard output
 * @is_verbose:	records say more (with --handoff)
 */
struct options {
	const char *run;
	const char *files[OPTIONS_FILES_MAX];
	size_t file_count;
	const char *listen[OPTIONS_LISTEN_MAX];
	size_t listen_count;
	bool audit_stdout;
	bool wants_help;
	bool wants_version;
	bool is_check;
	bool is_verbose;
};

/**
 * options_parse() - read flags and files
 * @options_out: on failure what was read so far, so that it is known whom to
 *		tell
 * @policy_out:	the policy, the caller's; untouched for --help and --version
 * Return: 0, or -1 with @diag set.
 */
int options_parse(int argc, char *argv[], struct options *options_out,
		  struct policy **policy_out, struct diag *diag)
	__attribute__((warn_unused_result));

/** options_build_policy() - read files and flags again, for a reload.
 * Return: NULL with @diag set. */
struct policy *options_build_policy(int argc, char *argv[], struct diag *diag);

#endif
