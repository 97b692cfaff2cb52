/* SPDX-License-Identifier: MIT */
/* prove_report: what the attempts prove, one line a guarantee. */
#ifndef PROVE_REPORT_H
#define PROVE_REPORT_H

#include <stdbool.h>

#include "prove_stage.h"

/** struct prove_extra - what was tried from outside: G11, G12, G13 */
struct prove_extra {
	bool is_recorded;
	bool is_refused;
	bool is_ended;
};

/** enum prove_verdict - of one attempt */
enum prove_verdict {
	PROVE_HOLDS = 0,
	PROVE_FAILS,   /* the attacker got there */
	PROVE_BROKEN,  /* its control did not get there either */
	PROVE_NOTHING, /* cannot be tried on this machine */
};

/**
 * prove_judge() - what the attempt @at of @cases proves
 * @cases:	all of them, for twins
 */
enum prove_verdict prove_judge(const struct prove_case *cases, size_t count,
			       size_t at);

/** prove_report() - print; Return: 0 all that was tried holds, else 1 */
int prove_report(const struct prove_stage *stage,
		 const struct prove_extra *extra, bool is_verbose);

#endif
