/* SPDX-License-Identifier: MIT */
/* doctor_report: the probes' answers as text or JSON. */
#ifndef DOCTOR_REPORT_H
#define DOCTOR_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "probe.h"

/** doctor_is_healthy() - every needed probe found what it wants */
bool doctor_is_healthy(const struct probe *const *probes,
		       const struct probe_result *results, size_t count);

/** doctor_report_text() - one line a probe, and beside what is not well what
 * it means and how to mend it */
void doctor_report_text(FILE *to, const struct probe *const *probes,
			const struct probe_result *results, size_t count);

/** doctor_report_json() - the same as one JSON object */
void doctor_report_json(FILE *to, const struct probe *const *probes,
			const struct probe_result *results, size_t count);

#endif
