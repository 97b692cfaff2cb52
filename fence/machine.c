/* SPDX-License-Identifier: MIT */
/* machine: looks at this machine and fills in the fence's facts. */
#include "machine.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine_internal.h"

static int fill_place(struct fence_facts *facts,
		      const struct fence_query *query)
{
	char cwd[PATH_MAX];
	struct arena *a = &facts->arena;

	if (getcwd(cwd, sizeof(cwd)) == NULL)
		return -errno;
	/* A folder that was moved out of our root has no path (getcwd(3)). */
	if (cwd[0] != '/')
		return -ENOENT;
	facts->cwd = arena_strndup(a, cwd, strlen(cwd));
	int rc = machine_fill_account(facts);
	if (rc != 0)
		return rc;
	if (facts->account_home != NULL)
		facts->account_home = machine_real(a, facts->account_home);
	facts->home = query->home != NULL && query->home[0] == '/'
			      ? machine_real(a, query->home)
			      : facts->account_home;
	return facts->cwd == NULL ? -ENOMEM : 0;
}

/* First the program itself, then what stands where it leads. */
static int fill_interpreter(struct fence_facts *facts,
			    const struct fence_query *query)
{
	const char *const *asked;
	size_t count = 0;
	int rc = 0;

	machine_find_interpreter(facts, query);
	for (int i = 0; rc == 0 && i < 2; i++) {
		rc = fence_query_interpreter(facts, &facts->arena, &asked,
					     &count);
		if (rc == 0 && count > 0)
			rc = machine_fill_paths(facts, asked, count);
	}
	return rc;
}

static int fill(struct fence_facts *facts, const struct fence_query *query)
{
	const char *const *asked;
	size_t count;
	int rc = fill_place(facts, query);

	if (rc != 0)
		return rc;
	const struct fence_place place = {
		.home = facts->home,
		.account_home = facts->account_home,
		.cwd = facts->cwd,
	};
	rc = fence_query_paths(query, &place, &facts->arena, &asked, &count);
	if (rc == 0)
		rc = machine_fill_paths(facts, asked, count);
	if (rc == 0)
		rc = fence_query_more(query, facts, &facts->arena, &asked,
				      &count);
	if (rc == 0 && count > 0)
		rc = machine_fill_paths(facts, asked, count);
	if (rc == 0)
		rc = fill_interpreter(facts, query);
	if (rc == 0)
		rc = machine_fill_links(facts, query->protect);
	if (rc == 0)
		rc = machine_fill_sockets(facts, query->policy);
	if (rc == 0)
		rc = machine_fill_kernel(facts);
	return rc;
}

int machine_look(const struct fence_query *query,
		 struct fence_facts **facts_out, struct diag *diag)
{
	struct fence_facts *facts = calloc(1, sizeof(*facts));
	int rc = facts == NULL ? -ENOMEM : fill(facts, query);

	if (rc == 0) {
		*facts_out = facts;
		return 0;
	}
	fence_facts_free(facts);
	if (rc == -ENOENT)
		diag_set(diag, "the working directory does not exist any more: "
			       "change to one that does");
	else
		diag_set(diag, "cannot look at this machine: %s",
			 strerror(-rc));
	return -1;
}
