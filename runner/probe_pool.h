/* SPDX-License-Identifier: MIT */
/* probe_pool: runs probes side by side, each in a child, under a time limit. */
#ifndef PROBE_POOL_H
#define PROBE_POOL_H

#include <stddef.h>

#include "probe.h"

/* A probe that takes longer is killed with all that it started. */
#define PROBE_LIMIT_MS 4000

/**
 * probe_pool_run() - ask all of @probes at once
 * @results_out: @count of them, in the same order
 *
 * A probe that hangs is PROBE_HANGS, one that crashes PROBE_BROKEN. When this
 * returns, no process that a probe has started is left.
 */
void probe_pool_run(const struct probe *const *probes, size_t count,
		    unsigned int limit_ms, struct probe_result *results_out);

#endif
