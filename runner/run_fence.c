/* SPDX-License-Identifier: MIT */
/* run_fence: from the policy and this machine to what bubblewrap is given. */
#include "run_fence.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bwrap_argv.h"
#include "fence_facts.h"
#include "fence_query.h"
#include "machine.h"

/* The command's loopback is its own, so any number would do; this one is not
 * the default of a server that one might want to start there. */
#define PROXY_FIRST_PORT 17080
#define PORT_OF_DNS      53

void run_fence_init(struct run_fence *fence)
{
	*fence = (struct run_fence){.facts = NULL};
}

void run_fence_clear(struct run_fence *fence)
{
	free(fence->args);
	fence_plan_free(fence->plan);
	fence_facts_free(fence->facts);
	run_fence_init(fence);
}

static bool is_declared(const struct policy *policy, uint16_t port)
{
	for (size_t i = 0; i < policy->ports.listen_count; i++)
		if (policy->ports.listen[i].port == port)
			return true;
	for (size_t i = 0; i < policy->ports.loopback.count; i++)
		if (policy->ports.loopback.items[i] == port)
			return true;
	return false;
}

static uint16_t find_free(const struct policy *policy, uint16_t port)
{
	while (is_declared(policy, port))
		port++;
	return port;
}

uint16_t run_fence_proxy_port(const struct policy *policy)
{
	return find_free(policy, PROXY_FIRST_PORT);
}

uint16_t run_fence_capture_port(const struct policy *policy)
{
	uint16_t after = (uint16_t)(run_fence_proxy_port(policy) + 1);

	return policy->ports.capture ? find_free(policy, after) : 0;
}

int run_fence_check_ports(const struct policy *policy, struct diag *diag)
{
	if (!policy->ports.capture || !is_declared(policy, PORT_OF_DNS))
		return 0;
	diag_set(diag, "port 53 inside is where names are asked for: to have "
		       "it in ports.listen or ports.loopback, set "
		       "ports.capture = false in a policy file");
	return -1;
}

int run_fence_make(struct run_fence *fence,
		   const struct run_fence_settings *settings, struct diag *diag)
{
	const struct fence_query query = {
		.policy = settings->policy,
		.home = getenv("HOME"),
		.search_path = getenv("PATH"),
		.command = settings->command,
		.protect = settings->protect,
	};
	const struct fence_request request = {
		.query = &query,
		.init_path = settings->init_path,
		.proxy_port = run_fence_proxy_port(settings->policy),
		.script = settings->script,
		.has_capture = settings->policy->ports.capture,
		.environ = (const char *const *)environ,
	};

	if (machine_look(&query, &fence->facts, diag) != 0)
		return -1;
	fence->plan =
		fence_plan_new(settings->policy, fence->facts, &request, diag);
	if (fence->plan == NULL)
		return -1;
	if (bwrap_argv_write(fence->plan, BWRAP_GRAFTED, settings->init_fd,
			     &fence->args, &fence->args_len) != 0) {
		diag_set(diag, "out of memory");
		return -1;
	}
	return 0;
}
