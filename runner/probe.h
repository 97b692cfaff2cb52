/* SPDX-License-Identifier: MIT */
/* probe: one question to this machine, and its answer. */
#ifndef PROBE_H
#define PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text.h"

enum probe_state {
	PROBE_OK = 0,
	PROBE_LIMITED, /* there, with less than it could give */
	PROBE_ABSENT,  /* not there */
	PROBE_BROKEN,  /* there, and does not work */
	PROBE_HANGS,   /* no answer within the time limit */
	PROBE_STATES
};

/* Whose results are cached together. */
enum probe_group {
	PROBE_FOR_BWRAP = 0,
	PROBE_FOR_SEATBELT,
	PROBE_FOR_DOCKER,
	PROBE_FOR_ALL, /* the machine, whatever the back end */
	PROBE_GROUPS
};

/**
 * struct probe_result - small enough for one atomic write to a pipe
 * @state:	enum probe_state
 * @found:	what was seen: one line
 * @meaning:	which guarantees that touches (DESIGN.md section 2)
 * @remedy:	what to do, exactly; may have several lines; empty where
 *		there is nothing to mend
 */
struct probe_result {
	uint32_t state;
	char found[256];
	char meaning[384];
	char remedy[1024];
};

/**
 * struct probe - a question
 * @is_needed:	without it the back end keeps less than it claims
 * @measure:	in a child of its own: may block, crash or leak
 * @lost:	what it means when there is no answer at all
 * @mend:	and the remedy
 */
struct probe {
	const char *name;
	enum probe_group group;
	bool is_needed;
	void (*measure)(struct probe_result *result);
	const char *lost;
	const char *mend;
};

/** probe_table - all of them, in the order they are shown; ends with a NULL
 * name */
extern const struct probe probe_table[];

#define PROBE_MAX 24

/** probe_say() - fill a result; NULL: empty */
void probe_say(struct probe_result *result, enum probe_state state,
	       const char *meaning, const char *remedy);

/** probe_found() - printf into what was seen */
void probe_found(struct probe_result *result, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * probe_execute() - run a program to its end; no input, all output to @output
 * @argv:	[0] is its path, or a name to be found on PATH
 * Return: its exit code, 128+N for a signal, or -errno where it did not start.
 */
int probe_execute(char *const argv[], struct text *output)
	__attribute__((warn_unused_result));

/**
 * probe_user_namespace() - unshare @flags beside a user namespace in which the
 * caller stays who it is
 * Return: 0 or -errno.
 */
int probe_user_namespace(int flags) __attribute__((warn_unused_result));

/* The questions themselves. */
void probe_programs(struct probe_result *result);
void probe_bwrap(struct probe_result *result);
void probe_fence(struct probe_result *result);
void probe_docker(struct probe_result *result);
void probe_seatbelt(struct probe_result *result);
void probe_userns(struct probe_result *result);
void probe_proc(struct probe_result *result);
void probe_seccomp(struct probe_result *result);
void probe_landlock(struct probe_result *result);
void probe_nf_tables(struct probe_result *result);
void probe_cgroup(struct probe_result *result);
void probe_resolver(struct probe_result *result);
void probe_clock(struct probe_result *result);

#endif
