/* SPDX-License-Identifier: MIT */
/* prove_report: what the attempts prove, one line a guarantee. */
#ifndef PROVE_REPORT_H
#define PROVE_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "prove_stage.h"

/** struct prove_extra - what was tried in runs of their own: G5, G7, G11, G12
 * and G13, by number */
struct prove_extra {
	enum prove_verdict verdicts[PROVE_GUARANTEES + 1];
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
