/* SPDX-License-Identifier: MIT */
/* budget: how many tunnels the descriptors of this process allow. */
#include "budget.h"

#include <sys/resource.h>

#define FDS_DEFAULT    1024
#define FDS_RESERVED   24  /* standard, audit, pairs, resolver, listeners */
#define PIPES_MAX      256 /* of two descriptors each */
#define PIPES_SHARE    16  /* one pipe for this many descriptors */
#define REFUSALS_EXTRA 64  /* served above max_tunnels, to be told no */

static size_t raise_limit(void)
{
	struct rlimit limit = {.rlim_cur = 0};

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return FDS_DEFAULT;
	if (limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
		(void)getrlimit(RLIMIT_NOFILE, &limit);
	}
	return limit.rlim_cur < SIZE_MAX ? (size_t)limit.rlim_cur : SIZE_MAX;
}

size_t budget_share(uint64_t limit, size_t shares)
{
	return ((size_t)limit + shares - 1) / shares;
}

struct budget budget_plan(uint64_t max_tunnels, size_t shares)
{
	size_t fds = raise_limit();
	size_t pipes =
		fds / PIPES_SHARE < PIPES_MAX ? fds / PIPES_SHARE : PIPES_MAX;
	size_t used = FDS_RESERVED + 2 * pipes;
	size_t capacity = fds > used + 2 ? (fds - used) / 2 : 1;
	size_t tunnels = budget_share(max_tunnels, shares);
	size_t wanted = tunnels + REFUSALS_EXTRA;

	return (struct budget){
		.pipes = pipes,
		.tunnels = tunnels,
		.connections = capacity < wanted ? capacity : wanted,
	};
}
