/* SPDX-License-Identifier: MIT */
/* run_fence: from the policy and this machine to what bubblewrap is given. */
#include "run_fence.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bwrap_argv.h"
#include "fence_facts.h"
#include "fence_query.h"
#include "machine.h"

/* The command's loopback is its own, so any number would do; this one is not
 * the default of a server that one might want to start there. */
#define PROXY_FIRST_PORT 17080

void run_fence_init(struct run_fence *fence)
{
	*fence = (struct run_fence){.facts = NULL};
}

void run_fence_clear(struct run_fence *fence)
{
	for (size_t i = 0; i < fence->data_count; i++)
		(void)close(fence->data[i]);
	free(fence->init_argv);
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

uint16_t run_fence_proxy_port(const struct policy *policy)
{
	uint16_t port = PROXY_FIRST_PORT;

	while (is_declared(policy, port))
		port++;
	return port;
}

/* The bytes in memory, or the host's file that is copied. */
static int open_file(struct run_fence *fence, const struct plan_file *file)
{
	int fd = file->source != NULL
			 ? open(file->source, O_RDONLY | O_CLOEXEC | O_NOCTTY)
			 : memfd_create("file", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	fence->data[fence->data_count++] = fd;
	if (file->source != NULL)
		return 0;
	if (write(fd, file->bytes, file->len) != (ssize_t)file->len ||
	    lseek(fd, 0, SEEK_SET) != 0)
		return -EIO;
	return 0;
}

static int open_files(struct run_fence *fence, struct diag *diag)
{
	const struct fence_plan *plan = fence->plan;

	for (size_t i = 0; i < plan->file_count; i++) {
		int rc = fence->data_count < RUN_FENCE_MAX_FILES
				 ? open_file(fence, &plan->files[i])
				 : -E2BIG;
		if (rc == 0)
			continue;
		diag_set(diag, "%s: cannot be provided inside: %s",
			 plan->files[i].path, strerror(-rc));
		return -1;
	}
	return 0;
}

/* exeat-init inside, then the command as it was given. */
static int make_init_argv(struct run_fence *fence, char **command)
{
	size_t words = 0;

	while (command[words] != NULL)
		words++;
	fence->init_argv = calloc(words + 2, sizeof(*fence->init_argv));
	if (fence->init_argv == NULL)
		return -1;
	/* exec takes words that it does not write to. */
	memcpy(&fence->init_argv[0], &fence->plan->init_path, sizeof(char *));
	memcpy(fence->init_argv + 1, command, words * sizeof(*command));
	return 0;
}

int run_fence_make(struct run_fence *fence,
		   const struct run_fence_settings *settings, struct diag *diag)
{
	const struct fence_query query = {
		.policy = settings->policy,
		.home = getenv("HOME"),
		.search_path = getenv("PATH"),
		.command = settings->command[0],
		.protect = settings->protect,
	};
	const struct fence_request request = {
		.query = &query,
		.init_path = settings->init_path,
		.proxy_port = run_fence_proxy_port(settings->policy),
		.environ = (const char *const *)environ,
	};

	fence->proxy_port = request.proxy_port;
	if (machine_look(&query, &fence->facts, diag) != 0)
		return -1;
	fence->plan =
		fence_plan_new(settings->policy, fence->facts, &request, diag);
	if (fence->plan == NULL || open_files(fence, diag) != 0)
		return -1;
	if (make_init_argv(fence, settings->command) != 0 ||
	    bwrap_argv_write(fence->plan, settings->first_fd, &fence->args,
			     &fence->args_len) != 0) {
		diag_set(diag, "out of memory");
		return -1;
	}
	return 0;
}
