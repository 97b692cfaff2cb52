/* SPDX-License-Identifier: MIT */
/* host_listen: the host's side of ports.listen, opened before anything runs. */
#include "host_listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "handoff.h"
#include "policy.h"
#include "proc_owner.h"
#include "sock_diag.h"
#include "text.h"

#define BACKLOG 1024

/* Whoever listens there now. Return: nothing was found out. */
static bool find_owner(const struct policy_listen *entry,
		       struct service_answer *answer)
{
	const struct service_flow flow = {
		.protocol = IPPROTO_TCP,
		.inner = entry->host_address,
		.inner_port = entry->host_port,
		.outer = {.family = entry->host_address.family},
	};
	int diag = sock_diag_open();
	int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	uint32_t inode = 0;
	pid_t pid = 0;

	if (diag >= 0 && proc >= 0 && sock_diag_inode(diag, &flow, &inode) == 0)
		pid = proc_owner_find(proc, inode, 0);
	if (pid > 0)
		proc_owner_describe(proc, pid, false, answer);
	if (proc >= 0)
		(void)close(proc);
	if (diag >= 0)
		(void)close(diag);
	return pid > 0;
}

static void explain(const struct policy_listen *entry, int error,
		    struct diag *diag)
{
	struct service_answer owner = {.pid = 0};
	char address[NETADDR_TEXT_BYTES];
	char words[512];
	struct text t;

	netaddr_format(&entry->host_address, address);
	text_init(&t, words, sizeof(words));
	text_addf(&t, "port %u of %s cannot be opened: %s", entry->host_port,
		  address, strerror(error));
	if (error == EADDRINUSE && find_owner(entry, &owner)) {
		text_addf(&t, ", by pid %u (", owner.pid);
		text_add_printable(&t, owner.argv0, strlen(owner.argv0));
		text_add(&t, ")");
	}
	if (error == EADDRINUSE)
		text_addf(&t,
			  "; another port of the host is taken with "
			  "--listen %u:HOSTPORT",
			  entry->port);
	diag_set(diag, "%s", words);
}

static int open_one(const struct policy_listen *entry)
{
	struct sockaddr_storage sa;
	socklen_t len = netaddr_to_sockaddr(&entry->host_address,
					    entry->host_port, &sa);
	int one = 1;
	int fd = socket(entry->host_address.family,
			SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -errno;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) == 0 &&
	    (entry->host_address.family != AF_INET6 ||
	     setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one)) ==
		     0) &&
	    bind(fd, (const struct sockaddr *)&sa, len) == 0 &&
	    listen(fd, BACKLOG) == 0)
		return fd;
	int rc = -errno;
	(void)close(fd);
	return rc;
}

int host_listen_open(struct host_listen *listen, const struct policy *policy,
		     struct diag *diag)
{
	size_t count = policy->ports.listen_count;

	*listen = (struct host_listen){.fds = NULL};
	if (count == 0)
		return 0;
	listen->fds = calloc(count, sizeof(*listen->fds));
	if (listen->fds == NULL) {
		diag_set(diag, "out of memory");
		return -1;
	}
	for (; listen->count < count; listen->count++) {
		const struct policy_listen *entry =
			&policy->ports.listen[listen->count];
		int fd = open_one(entry);

		if (fd < 0) {
			explain(entry, -fd, diag);
			return -1;
		}
		listen->fds[listen->count] = fd;
	}
	return 0;
}

int host_listen_hand_over(struct host_listen *listen, int pair)
{
	const struct handoff_message message = {
		.type = HANDOFF_LISTENER,
		.number = HANDOFF_LISTENER_INBOUND,
	};
	int rc = 0;

	for (size_t i = 0; i < listen->count && rc == 0; i++)
		rc = handoff_send(pair, &message, listen->fds[i]);
	/* With a second copy the port would stay open after the proxy. */
	host_listen_clear(listen);
	return rc;
}

void host_listen_clear(struct host_listen *listen)
{
	for (size_t i = 0; i < listen->count; i++)
		(void)close(listen->fds[i]);
	free(listen->fds);
	*listen = (struct host_listen){.fds = NULL};
}
