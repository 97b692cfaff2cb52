/* SPDX-License-Identifier: MIT */
/* prove_target: what the attacker tries to reach, on this machine alone. */
#ifndef PROVE_TARGET_H
#define PROVE_TARGET_H

#include <stdint.h>
#include <sys/types.h>

enum prove_end {
	PROVE_END_TCP4 = 0, /* greets with one byte */
	PROVE_END_TCP6,
	PROVE_END_QUIET, /* answers the first byte with one */
	PROVE_END_UDP,   /* the same, by datagrams */
	PROVE_END_NAMES, /* a name server: knows nothing, keeps what it is asked
			  */
	PROVE_END_ABSTRACT,
	PROVE_END_FAR,  /* a path in the stage's folder */
	PROVE_END_NEAR, /* a path in the working directory */
	PROVE_ENDS,
};

/**
 * struct prove_target - what is listened on
 * @fds:	-1: could not be had
 * @ports:	of TCP and UDP
 * @abstract:	"@NAME"
 * @queries:	file that the names asked for are appended to
 * @pid:	who answers
 */
struct prove_target {
	int fds[PROVE_ENDS];
	uint16_t ports[PROVE_ENDS];
	char abstract[32];
	int queries;
	pid_t pid;
};

/**
 * prove_target_start() - listen, and answer in a child until this ends
 * @far, @near:	paths
 * @queries:	a file to be made
 * Return: 0 or -errno; prove_target_stop() is due either way.
 */
int prove_target_start(struct prove_target *target, const char *far,
		       const char *near, const char *queries)
	__attribute__((warn_unused_result));

void prove_target_stop(struct prove_target *target);

#endif
