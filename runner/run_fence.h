/* SPDX-License-Identifier: MIT */
/* run_fence: from the policy and this machine to what bubblewrap is given. */
#ifndef RUN_FENCE_H
#define RUN_FENCE_H

#include <stddef.h>
#include <stdint.h>

#include "diag.h"
#include "fence_plan.h"
#include "policy.h"

/**
 * struct run_fence_settings - all borrowed; @policy as long as the fence
 * @init_path:	exeat-init on the host
 * @command:	the program that is run, for the fence to show
 * @script:	a file that the command gets, or NULL
 * @protect:	NULL-terminated paths that must not be written to from inside
 * @init_fd:	what it is in bubblewrap
 */
struct run_fence_settings {
	const struct policy *policy;
	const char *init_path;
	const char *command;
	const struct plan_file *script;
	const char *const *protect;
	int init_fd;
};

/**
 * struct run_fence - the plan and its form for bubblewrap
 * @args, @args_len: options for --args
 */
struct run_fence {
	struct fence_facts *facts;
	struct fence_plan *plan;
	char *args;
	size_t args_len;
};

/** run_fence_init() - nothing is made yet */
void run_fence_init(struct run_fence *fence);

/**
 * run_fence_make() - look at the machine, plan, write
 * Return: 0, or -1 with @diag set; run_fence_clear() is due either way.
 */
int run_fence_make(struct run_fence *fence,
		   const struct run_fence_settings *settings, struct diag *diag)
	__attribute__((warn_unused_result));

void run_fence_clear(struct run_fence *fence);

/** run_fence_proxy_port() - a port for the proxy inside that the policy has no
 * other use for */
uint16_t run_fence_proxy_port(const struct policy *policy);

/** run_fence_capture_port() - the same for the listener of connections that
 * ignore the proxy; 0: they are not captured */
uint16_t run_fence_capture_port(const struct policy *policy);

/** run_fence_check_ports() - no port is wanted for two things inside.
 * Return: 0, or -1 with @diag set. */
int run_fence_check_ports(const struct policy *policy, struct diag *diag)
	__attribute__((warn_unused_result));

#endif
