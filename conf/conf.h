/* SPDX-License-Identifier: MIT */
/*
 * conf: builds a policy from files, presets and flags.
 *
 * How it works: every key of the file format and every flag is a row of one
 * table (conf_keys.c) with a type, a range and a setter, so both say the same
 * thing in the same words. Errors go to a diag and name the file and line (or
 * the flag), the key, and what is accepted.
 */
#ifndef CONF_H
#define CONF_H

#include <stddef.h>

#include "diag.h"
#include "policy.h"

struct conf;

enum conf_flag {
	CONF_FLAG_TAKEN = 0, /* *used_out words were a policy flag */
	CONF_FLAG_UNKNOWN,   /* not a policy flag: the caller's to judge */
	CONF_FLAG_BAD,       /* a policy flag with a bad value: see diag */
};

/**
 * conf_new() - an empty policy to be
 * @cwd:	absolute; relative paths in flags are below it (copied)
 * @home:	absolute; replaces a leading ~ (copied), or NULL: ~ is an error
 *
 * Return: NULL when out of memory.
 */
struct conf *conf_new(const char *cwd, const char *home);

/** conf_free() - NULL does nothing */
void conf_free(struct conf *conf);

/**
 * conf_add_file() - take a policy file's text
 * @name:	for messages and for paths relative to its folder
 * @text:	the file's bytes, any value (borrowed)
 * Return: 0, or -1 with @diag set.
 */
int conf_add_file(struct conf *conf, const char *name, const char *text,
		  size_t len, struct diag *diag)
	__attribute__((warn_unused_result));

/**
 * conf_add_flag() - try argv[0] as a policy flag ("--allow R", "--allow=R")
 * @argc:	words left, at least 1
 * @used_out:	words taken, 1 or 2
 *
 * --policy is not among them: reading files is the caller's.
 */
enum conf_flag conf_add_flag(struct conf *conf, int argc, char *const argv[],
			     int *used_out, struct diag *diag)
	__attribute__((warn_unused_result));

/**
 * conf_build() - check what only the whole can show, and freeze it
 * @conf:	gives all it holds to the policy; still the caller's to free
 * Return: a policy that owns everything it points to, or NULL with @diag set.
 */
struct policy *conf_build(struct conf *conf, struct diag *diag)
	__attribute__((warn_unused_result));

#define CONF_HELP_MAX_BYTES 8192

/** conf_flags_help() - write one line per policy flag, for --help */
void conf_flags_help(char *buf, size_t size);

#endif
