/* SPDX-License-Identifier: MIT */
/* conf_build: a policy from a text or from flags, for tests. */
#ifndef CONF_BUILD_H
#define CONF_BUILD_H

#include "conf.h"

/* The file is /work/etc/p.cfg, the home folder /home/u. Return: NULL with
 * @diag set; freed by policy_free(). */
struct policy *conf_build_text(const char *text, struct diag *diag);

/* At most 16 words, in /work. */
struct policy *conf_build_flags(const char *const *words, struct diag *diag);

#define FLAGS(...)                \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

#endif
