/* SPDX-License-Identifier: MIT */
/* inner_domain: the Landlock domain that the command runs in. */
#include "inner_domain.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "policy.h"

/* Debian 12's headers know ABI 2; what a kernel knows is asked of it. */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
#ifndef SYS_landlock_add_rule
#define SYS_landlock_add_rule 445
#endif

#define ASK_ABI             1U
#define RULE_NET_PORT       2
#define BIND_TCP            1U
#define SCOPE_ABSTRACT_UNIX 1U
#define SCOPE_SIGNAL        2U
#define ABI_NET             4
#define ABI_SCOPE           6

struct ruleset {
	uint64_t fs;
	uint64_t net;
	uint64_t scoped;
};

struct port_rule {
	uint64_t allowed;
	uint64_t port;
};

static int add_port(int fd, uint16_t port)
{
	const struct port_rule rule = {.allowed = BIND_TCP, .port = port};

	return syscall(SYS_landlock_add_rule, fd, RULE_NET_PORT, &rule, 0) == 0
		       ? 0
		       : -errno;
}

static int add_ports(int fd, const struct policy *policy)
{
	int rc = add_port(fd, 0);

	for (size_t i = 0; i < policy->ports.listen_count && rc == 0; i++)
		rc = add_port(fd, policy->ports.listen[i].port);
	return rc;
}

int inner_domain_open(const struct policy *policy, const char **note_out)
{
	bool binds = !policy->ports.private_loopback;
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, ASK_ABI);
	struct ruleset ruleset = {.fs = 0};
	size_t size = abi >= ABI_SCOPE ? sizeof(ruleset)
				       : offsetof(struct ruleset, scoped);

	*note_out = NULL;
	if (binds && abi < ABI_NET)
		*note_out = "ports.private_loopback = false: not enforced, "
			    "since the kernel's Landlock cannot refuse binds "
			    "(ABI 4, Linux 6.7)";
	if (binds && abi >= ABI_NET)
		ruleset.net = BIND_TCP;
	if (abi >= ABI_SCOPE)
		ruleset.scoped = SCOPE_ABSTRACT_UNIX | SCOPE_SIGNAL;
	if (ruleset.net == 0 && ruleset.scoped == 0)
		return -ENOSYS;
	int fd = (int)syscall(SYS_landlock_create_ruleset, &ruleset, size, 0);
	if (fd < 0)
		return -errno;
	int rc = ruleset.net != 0 ? add_ports(fd, policy) : 0;
	if (rc == 0)
		return fd;
	(void)close(fd);
	return rc;
}
