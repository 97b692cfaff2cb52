/* SPDX-License-Identifier: MIT */
/* explain: the guarantees, and what a back end makes of each. */
#include "explain.h"

#include "backend.h"

static const char *const summaries[GUARANTEE_END] = {
	[G1] = "only declared names, on declared ports",
	[G2] = "TLS shows the authorised name",
	[G3] = "the address checked is the address dialled",
	[G4] = "ignoring the proxy gains nothing",
	[G5] = "no name is resolved before it is allowed",
	[G6] = "host loopback is closed but for declared ports",
	[G7] = "declared listen ports, and no other",
	[G8] = "environment and descriptors are built",
	[G9] = "host sockets are out of reach",
	[G10] = "files: nothing else is written, secrets are not read",
	[G11] = "every attempt is recorded, with its process",
	[G12] = "no wall, no run",
	[G13] = "what dies takes the network with it",
};

void explain_write(const struct backend *backend, const struct fence_plan *plan,
		   struct bytes *out)
{
	static const char *const states[] = {
		[EXPLAIN_ENFORCED] = "enforced",
		[EXPLAIN_PARTLY] = "partly",
		[EXPLAIN_NOT] = "not enforceable",
	};

	for (enum guarantee g = G1; g < GUARANTEE_END; g++) {
		struct explanation e = backend->explain(plan, g);
		bytes_addf(out, "G%-2d %s: %s", (int)g, summaries[g],
			   states[e.state]);
		if (e.why != NULL)
			bytes_addf(out, ": %s", e.why);
		bytes_add_text(out, "\n");
	}
}
