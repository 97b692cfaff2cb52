/* SPDX-License-Identifier: MIT */
/* netns: join another process's namespaces and make sockets there. */
#include "netns.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/nsfs.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define LISTEN_BACKLOG 4096

static bool is_ours(int namespace, const char *ours_path)
{
	struct stat theirs, ours;

	return fstat(namespace, &theirs) == 0 && stat(ours_path, &ours) == 0 &&
	       theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino;
}

static int join_owner(int netns)
{
	int userns = ioctl(netns, NS_GET_USERNS);
	int rc = 0;

	if (userns < 0)
		return -errno;
	/* As root without a user namespace of its own the sandbox's network
	 * belongs to ours, and setns(2) into the namespace one is in already
	 * is an error. */
	if (!is_ours(userns, "/proc/self/ns/user") &&
	    setns(userns, CLONE_NEWUSER) != 0)
		rc = -errno;
	(void)close(userns);
	return rc;
}

int netns_join(pid_t pid)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%ld/ns/net", (long)pid);
	int netns = open(path, O_RDONLY | O_CLOEXEC);
	if (netns < 0)
		return -errno;
	/* A sandbox that shares our network is none: the proxy's port would be
	 * open on this machine, and the command could connect anywhere. */
	int rc = is_ours(netns, "/proc/self/ns/net") ? -EXDEV
						     : join_owner(netns);
	if (rc == 0 && setns(netns, CLONE_NEWNET) != 0)
		rc = -errno;
	(void)close(netns);
	return rc;
}

int mntns_join(pid_t pid)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%ld/ns/mnt", (long)pid);
	int mntns = open(path, O_RDONLY | O_CLOEXEC);
	if (mntns < 0)
		return -errno;
	int rc = is_ours(mntns, "/proc/self/ns/mnt") ? -EXDEV : 0;
	if (rc == 0 && setns(mntns, CLONE_NEWNS) != 0)
		rc = -errno;
	(void)close(mntns);
	return rc;
}

static bool loopback_is_up(int fd)
{
	struct ifreq request = {.ifr_name = "lo"};

	return ioctl(fd, SIOCGIFFLAGS, &request) == 0 &&
	       (request.ifr_flags & IFF_UP) != 0;
}

static int wait_link_event(int events, int watch, int timeout_ms)
{
	char ignored[4096];
	struct pollfd fds[] = {
		{.fd = events, .events = POLLIN},
		{.fd = watch,  .events = POLLIN},
	};
	int n;

	do
		n = poll(fds, 2, timeout_ms);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n == 0)
		return -ETIMEDOUT;
	if (fds[1].revents != 0)
		return -ECANCELED;
	/* Which link changed does not matter: the caller looks again. */
	if (recv(events, ignored, sizeof(ignored), MSG_DONTWAIT) < 0 &&
	    errno != EAGAIN && errno != ENOBUFS && errno != EINTR)
		return -errno;
	return 0;
}

int netns_wait_loopback(int watch, int timeout_ms)
{
	struct sockaddr_nl groups = {
		.nl_family = AF_NETLINK,
		.nl_groups = RTMGRP_LINK,
	};
	int rc = 0;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int events = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

	/* Subscribed before the first look, or the change could be missed. */
	if (fd < 0 || events < 0 ||
	    bind(events, (const struct sockaddr *)&groups, sizeof(groups)) != 0)
		rc = -errno;
	while (rc == 0 && !loopback_is_up(fd))
		rc = wait_link_event(events, watch, timeout_ms);
	if (fd >= 0)
		(void)close(fd);
	if (events >= 0)
		(void)close(events);
	return rc;
}

static int set(int fd, int level, int option)
{
	const int on = 1;

	return setsockopt(fd, level, option, &on, sizeof(on)) == 0 ? 0 : -errno;
}

/* FREEBIND: an answer may come from whatever address was asked. */
static int prepare(int fd, int family, const struct netns_socket *wanted)
{
	bool is_ipv6 = family == AF_INET6;
	int rc = 0;

	if (wanted->is_transparent)
		rc = is_ipv6 ? set(fd, IPPROTO_IPV6, IPV6_TRANSPARENT)
			     : set(fd, IPPROTO_IP, IP_TRANSPARENT);
	if (rc != 0 || wanted->type != SOCK_DGRAM)
		return rc;
	if (!is_ipv6)
		return set(fd, IPPROTO_IP, IP_PKTINFO);
	rc = set(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO);
	return rc != 0 ? rc : set(fd, IPPROTO_IPV6, IPV6_FREEBIND);
}

static int bind_to(int fd, int family, bool is_loopback, uint16_t port)
{
	const struct sockaddr_in6 ipv6 = {
		.sin6_family = AF_INET6,
		.sin6_port = htons(port),
		.sin6_addr.s6_addr[15] = is_loopback,
	};
	const struct sockaddr_in ipv4 = {
		.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(is_loopback ? INADDR_LOOPBACK : 0),
	};
	int rc = family == AF_INET6 ? bind(fd, (const struct sockaddr *)&ipv6,
					   sizeof(ipv6))
				    : bind(fd, (const struct sockaddr *)&ipv4,
					   sizeof(ipv4));

	return rc == 0 ? 0 : -errno;
}

static int start_listening(int fd)
{
	return listen(fd, LISTEN_BACKLOG) == 0 ? 0 : -errno;
}

int netns_listen_loopback(int family, uint16_t port)
{
	int fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -errno;
	/* FREEBIND: lo may be up a moment before its address is routed. */
	int rc = family == AF_INET6 ? set(fd, IPPROTO_IPV6, IPV6_FREEBIND)
				    : set(fd, IPPROTO_IP, IP_FREEBIND);
	if (rc == 0)
		rc = bind_to(fd, family, true, port);
	if (rc == 0)
		rc = start_listening(fd);
	if (rc == 0)
		return fd;
	(void)close(fd);
	return rc;
}

int netns_socket(const struct netns_socket *wanted)
{
	const int type = wanted->type | SOCK_CLOEXEC | SOCK_NONBLOCK;
	const int off = 0;
	int family = wanted->is_ipv4_only ? AF_INET : AF_INET6;
	int fd = socket(family, type, 0);

	if (fd < 0 && errno == EAFNOSUPPORT) {
		family = AF_INET;
		fd = socket(family, type, 0);
	}
	if (fd < 0)
		return -errno;
	/* Both families, whatever this machine's default is. */
	int rc = family == AF_INET6 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY,
						  &off, sizeof(off)) != 0
			 ? -errno
			 : 0;
	if (rc == 0)
		rc = prepare(fd, family, wanted);
	if (rc == 0)
		rc = bind_to(fd, family, false, wanted->port);
	if (rc == 0 && wanted->type == SOCK_STREAM)
		rc = start_listening(fd);
	if (rc == 0)
		return fd;
	(void)close(fd);
	return rc;
}

void netns_open_low_ports(void)
{
	/* The kernel means the namespace of whoever opens it. */
	int fd = open("/proc/sys/net/ipv4/ip_unprivileged_port_start",
		      O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)!write(fd, "0", 1);
	(void)close(fd);
}
