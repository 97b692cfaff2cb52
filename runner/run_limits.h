/* SPDX-License-Identifier: MIT */
/*
 * run_limits: how much memory and how many processes a run may use.
 *
 * How it works: where a control group can be made, the command is put into one
 * before it goes, and the limits hold for all of the run together. Elsewhere
 * resource limits of the command are set from outside: those count memory per
 * process, and processes in the sandbox's user namespace, but not root's. What
 * cannot be held is refused, and what holds it is said.
 */
#ifndef RUN_LIMITS_H
#define RUN_LIMITS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "cgroup.h"
#include "diag.h"
#include "policy.h"

enum limit_kind {
	LIMIT_MEMORY = 0,
	LIMIT_PROCESSES,
	LIMIT_KINDS
};

/**
 * struct run_limits - what holds them; run_limits_clear() is due once nobody is
 * left in the groups
 * @groups:	folders that we made; "": none
 * @how:	"memory by cgroup 2, processes by rlimit"; "" without limits
 */
struct run_limits {
	char groups[LIMIT_KINDS][PATH_MAX];
	bool is_v2;
	char how[128];
};

void run_limits_init(struct run_limits *limits);

/**
 * run_limits_apply() - put process @pid, which has not started anything yet,
 * under the policy's limits Return: 0, or -1 with @diag set; run_limits_clear()
 * is due either way.
 */
int run_limits_apply(struct run_limits *limits, const struct policy *policy,
		     pid_t pid, struct diag *diag)
	__attribute__((warn_unused_result));

/** run_limits_killed() - the memory limit has killed something */
bool run_limits_killed(const struct run_limits *limits);

void run_limits_clear(struct run_limits *limits);

#endif
