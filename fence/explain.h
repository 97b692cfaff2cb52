/* SPDX-License-Identifier: MIT */
/* explain: the guarantees of DESIGN.md section 1, and what a back end makes of
 * each. Pure. */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include "bytes.h"

struct backend;
struct fence_plan;

enum guarantee {
	G1 = 1,
	G2,
	G3,
	G4,
	G5,
	G6,
	G7,
	G8,
	G9,
	G10,
	G11,
	G12,
	G13,
	GUARANTEE_END
};

enum explain_state {
	EXPLAIN_ENFORCED = 0,
	EXPLAIN_PARTLY,
	EXPLAIN_NOT,
};

/** struct explanation - @why is NULL where it is enforced; static */
struct explanation {
	enum explain_state state;
	const char *why;
};

/** explain_write() - append one line per guarantee: "G1  partly: ..." */
void explain_write(const struct backend *backend, const struct fence_plan *plan,
		   struct bytes *out);

#endif
