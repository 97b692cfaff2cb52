/* SPDX-License-Identifier: MIT */
/* sbpl_explain: what Seatbelt, with the proxy, makes of each guarantee. */
#include "sbpl.h"

static const struct explanation enforced = {EXPLAIN_ENFORCED, NULL};

static struct explanation partly(const char *why)
{
	return (struct explanation){EXPLAIN_PARTLY, why};
}

static struct explanation explain_connect(const struct fence_plan *plan,
					  const char *why)
{
	return plan->policy->ports.connect.count > 0 ? partly(why) : enforced;
}

static struct explanation explain_files(const struct fence_plan *plan)
{
	if (plan->policy->files.protect == POLICY_PROTECT_LIST)
		return partly("files that others execute later can be written "
			      "in the working directory: files.protect is "
			      "\"list\"");
	return partly("rules are about names: what another process of yours "
		      "links or moves into a readable folder is read");
}

struct explanation sbpl_explain(const struct fence_plan *plan,
				enum guarantee guarantee)
{
	switch (guarantee) {
	case G1:
	case G2:
	case G3:
		return explain_connect(plan, "a port of ports.connect is open "
					     "to every host; no name is "
					     "checked there");
	case G4:
		return explain_connect(plan, "a port of ports.connect is "
					     "reached without the proxy");
	case G5:
		return explain_connect(plan, "the system's resolver is open "
					     "where ports.connect is used");
	case G6:
		return explain_connect(plan, "a port of ports.connect is also "
					     "reached on this machine as "
					     "::ffff:127.0.0.1");
	case G7:
		return partly("a listen port is bound on the host itself, and "
			      "Seatbelt cannot limit who connects to it");
	case G9:
		return plan->policy->unix_sockets.count > 0
			       ? partly("the sockets given with unix act for "
					"the command")
			       : enforced;
	case G10:
		return explain_files(plan);
	case G11:
		return partly("what the profile refuses is in the system's log "
			      "only");
	case G8:
	case G12:
	case G13:
	case GUARANTEE_END:
		break;
	}
	return enforced;
}
