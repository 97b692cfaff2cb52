/* SPDX-License-Identifier: MIT */
/* plan_case: a plan from flags and facts in text, for tests. */
#ifndef PLAN_CASE_H
#define PLAN_CASE_H

#include "diag.h"
#include "fence_plan.h"

/* A user with a home, a project in it and a system; more facts may follow. */
#define PLAN_CASE_FACTS               \
	"user ada 1000\n"             \
	"group ada 1000\n"            \
	"home /home/ada\n"            \
	"account-home /home/ada\n"    \
	"cwd /home/ada/app\n"         \
	"path folder /home/ada/app\n" \
	"path folder /usr\n"          \
	"path folder /bin /usr/bin\n" \
	"path folder /tmp\n"

/**
 * struct plan_case - what is asked, and what comes of it
 * @facts_text:	as facts_text.h reads it
 * @flags:	policy flags, NULL-terminated, or NULL
 * @request:	query is filled in
 */
struct plan_case {
	const char *facts_text;
	const char *const *flags;
	const char *search_path;
	const char *command;
	const char *const *protect;
	struct fence_request request;
	struct diag diag;
	struct policy *policy;
	struct fence_facts *facts;
	struct fence_query query;
	struct fence_plan *plan;
};

/** plan_case_make() - fails the test where policy or facts cannot be read; plan
 * is NULL where it was refused, and diag says why */
void plan_case_make(struct plan_case *c);

void plan_case_clear(struct plan_case *c);

/** plan_case_find() - the entry for @path, or NULL */
const struct plan_entry *plan_case_find(const struct plan_case *c,
					const char *path);

#endif
