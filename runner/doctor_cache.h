/* SPDX-License-Identifier: MIT */
/* doctor_cache: what a group of probes said, for a few seconds. */
#ifndef DOCTOR_CACHE_H
#define DOCTOR_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "probe.h"

#define DOCTOR_CACHE_SECONDS 20

/**
 * doctor_cache_get() - what @group said at most DOCTOR_CACHE_SECONDS before
 * @now by the wall clock
 * @results_out: @count of them; untouched on failure
 *
 * Not used: what another version of exeat, another user or another PATH wrote.
 */
bool doctor_cache_get(enum probe_group group, time_t now,
		      struct probe_result *results_out, size_t count);

/** doctor_cache_put() - keep it; where that fails nothing is kept */
void doctor_cache_put(enum probe_group group, time_t now,
		      const struct probe_result *results, size_t count);

#endif
