/* SPDX-License-Identifier: MIT */
/* ticks: the two clocks, in milliseconds. */
#ifndef TICKS_H
#define TICKS_H

#include <stdint.h>
#include <sys/time.h>
#include <time.h>

/** ticks_now_ms() - monotonic; some ms coarse, and cheap for it */
static inline int64_t ticks_now_ms(void)
{
	struct timespec now;

#ifdef CLOCK_MONOTONIC_COARSE
	(void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
#else
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
#endif
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/** ticks_wall_ms() - since 1970, for records */
static inline uint64_t ticks_wall_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)(now.tv_nsec / 1000000);
}

/** ticks_timeval() - @ms as libevent wants it; negative is 0 */
static inline struct timeval ticks_timeval(int64_t ms)
{
	if (ms < 0)
		ms = 0;
	return (struct timeval){.tv_sec = (time_t)(ms / 1000),
				.tv_usec = (suseconds_t)(ms % 1000) * 1000};
}

#endif
