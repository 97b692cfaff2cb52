/* SPDX-License-Identifier: MIT */
/* conf_build: a policy from a text or from flags, for tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conf_build.h"

struct policy *conf_build_text(const char *text, struct diag *diag)
{
	struct conf *conf = conf_new("/work", "/home/u");
	struct policy *policy = NULL;

	assert_non_null(conf);
	diag->text[0] = '\0';
	if (conf_add_file(conf, "etc/p.cfg", text, strlen(text), diag) == 0)
		policy = conf_build(conf, diag);
	conf_free(conf);
	return policy;
}

struct policy *conf_build_flags(const char *const *words, struct diag *diag)
{
	struct conf *conf = conf_new("/work", "/home/u");
	struct policy *policy = NULL;
	char *argv[16];
	int argc = 0, at = 0, used;

	assert_non_null(conf);
	diag->text[0] = '\0';
	for (; words[argc] != NULL; argc++)
		argv[argc] = strdup(words[argc]);
	while (at < argc && conf_add_flag(conf, argc - at, argv + at, &used,
					  diag) == CONF_FLAG_TAKEN)
		at += used;
	if (at == argc)
		policy = conf_build(conf, diag);
	while (argc > 0)
		free(argv[--argc]);
	conf_free(conf);
	return policy;
}
