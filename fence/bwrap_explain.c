/* SPDX-License-Identifier: MIT */
/* bwrap_explain: what bubblewrap, raised by exeat, makes of each guarantee. */
#include "bwrap_argv.h"

static const struct explanation enforced = {EXPLAIN_ENFORCED, NULL};

static struct explanation partly(const char *why)
{
	return (struct explanation){EXPLAIN_PARTLY, why};
}

static struct explanation explain_addresses(const struct fence_plan *plan)
{
	if (plan->policy->upstream.url != NULL)
		return partly("the upstream proxy resolves names");
	return enforced;
}

static struct explanation explain_sockets(const struct fence_plan *plan)
{
	if (plan->policy->unix_sockets.count > 0)
		return partly("the sockets given with unix act for the "
			      "command");
	if (plan->policy->files.mode == POLICY_FILES_OPEN)
		return partly("a socket that another network namespace made "
			      "is not seen, so not masked, outside /run and "
			      "/tmp");
	return enforced;
}

static struct explanation explain_files(const struct fence_plan *plan)
{
	if (plan->policy->files.protect == POLICY_PROTECT_LIST)
		return partly("files that others execute later can be written "
			      "in the working directory: files.protect is "
			      "\"list\"");
	if (plan->unprotected_count > 0)
		return partly("files that others execute later and that do not "
			      "exist yet can be made in writable folders; they "
			      "are listed after the run");
	return enforced;
}

struct explanation bwrap_explain(const struct fence_plan *plan,
				 enum guarantee guarantee)
{
	switch (guarantee) {
	case G3:
		return explain_addresses(plan);
	case G9:
		return explain_sockets(plan);
	case G10:
		return explain_files(plan);
	case G1:
	case G2:
	case G4:
	case G5:
	case G6:
	case G7:
	case G8:
	case G11:
	case G12:
	case G13:
	case GUARANTEE_END:
		break;
	}
	return enforced;
}
