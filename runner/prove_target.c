/* SPDX-License-Identifier: MIT */
/* prove_target: what the attacker tries to reach, on this machine alone. */
#include "prove_target.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "child.h"
#include "netaddr.h"

#define DNS_HEAD_BYTES 12

/* How long a client may take to say its first byte. */
#define FIRST_BYTE_MS 2000

static int listen_inet(int family, int type, uint16_t *port_out)
{
	struct sockaddr_in6 six = {.sin6_family = AF_INET6,
				   .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	struct sockaddr_in four = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	const struct sockaddr *end = family == AF_INET
					     ? (const struct sockaddr *)&four
					     : (const struct sockaddr *)&six;
	socklen_t len = family == AF_INET ? sizeof(four) : sizeof(six);
	struct sockaddr_storage got = {.ss_family = 0};
	struct netaddr address;
	socklen_t size = sizeof(got);
	int fd = socket(family, type | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	if (bind(fd, end, len) != 0 ||
	    (type == SOCK_STREAM && listen(fd, 8) != 0) ||
	    getsockname(fd, (struct sockaddr *)&got, &size) != 0) {
		(void)close(fd);
		return -1;
	}
	if (netaddr_from_sockaddr((const struct sockaddr *)&got, &address,
				  port_out))
		return fd;
	(void)close(fd);
	return -1;
}

/* @path, or "@NAME". */
static int listen_unix(const char *path)
{
	struct sockaddr_un end = {.sun_family = AF_UNIX};
	size_t len = strlen(path);

	if (len >= sizeof(end.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(end.sun_path, path, len);
	if (path[0] == '@')
		end.sun_path[0] = '\0';
	socklen_t size =
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd >= 0 && (bind(fd, (const struct sockaddr *)&end, size) != 0 ||
			listen(fd, 8) != 0)) {
		(void)close(fd);
		return -1;
	}
	return fd;
}

static void answer_datagram(int fd)
{
	struct sockaddr_storage from;
	socklen_t len = sizeof(from);
	char c;

	if (recvfrom(fd, &c, 1, 0, (struct sockaddr *)&from, &len) >= 0)
		(void)sendto(fd, "e", 1, MSG_NOSIGNAL,
			     (const struct sockaddr *)&from, len);
}

/* "No such name" (RFC 1035 section 4.1.1), for whatever is asked. The names in
 * it are kept as text: labels, without the bytes between them. */
static void answer_query(int fd, int queries)
{
	struct sockaddr_storage from;
	socklen_t len = sizeof(from);
	unsigned char query[512];
	ssize_t n = recvfrom(fd, query, sizeof(query), 0,
			     (struct sockaddr *)&from, &len);

	if (n < DNS_HEAD_BYTES)
		return;
	for (ssize_t i = DNS_HEAD_BYTES; i < n; i++)
		if (query[i] >= 'a' && query[i] <= 'z')
			(void)!write(queries, &query[i], 1);
	(void)!write(queries, "\n", 1);
	query[2] |= 0x80;
	query[3] = (unsigned char)((query[3] & 0xf0) | 3);
	(void)sendto(fd, query, (size_t)n, MSG_NOSIGNAL,
		     (const struct sockaddr *)&from, len);
}

static void answer_stream(int listener, bool is_quiet)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char bytes[1024];

	if (fd < 0)
		return;
	if (!is_quiet || (poll(&p, 1, FIRST_BYTE_MS) == 1 &&
			  recv(fd, bytes, sizeof(bytes), 0) > 0))
		(void)send(fd, "e", 1, MSG_NOSIGNAL);
	(void)close(fd);
}

static void serve(const void *arg)
{
	const struct prove_target *target = arg;
	struct pollfd fds[PROVE_ENDS];

	for (int i = 0; i < PROVE_ENDS; i++)
		fds[i] =
			(struct pollfd){.fd = target->fds[i], .events = POLLIN};
	while (poll(fds, PROVE_ENDS, -1) > 0)
		for (int i = 0; i < PROVE_ENDS; i++) {
			if (fds[i].revents == 0)
				continue;
			if (i == PROVE_END_UDP)
				answer_datagram(fds[i].fd);
			else if (i == PROVE_END_NAMES)
				answer_query(fds[i].fd, target->queries);
			else
				answer_stream(fds[i].fd, i == PROVE_END_QUIET);
		}
}

int prove_target_start(struct prove_target *target, const char *far,
		       const char *near, const char *queries)
{
	uint16_t *ports = target->ports;
	int *fds = target->fds;

	*target = (struct prove_target){.pid = -1};
	(void)snprintf(target->abstract, sizeof(target->abstract),
		       "@exeat-prove-%ld", (long)getpid());
	fds[PROVE_END_TCP4] =
		listen_inet(AF_INET, SOCK_STREAM, &ports[PROVE_END_TCP4]);
	fds[PROVE_END_TCP6] =
		listen_inet(AF_INET6, SOCK_STREAM, &ports[PROVE_END_TCP6]);
	fds[PROVE_END_QUIET] =
		listen_inet(AF_INET, SOCK_STREAM, &ports[PROVE_END_QUIET]);
	fds[PROVE_END_UDP] =
		listen_inet(AF_INET, SOCK_DGRAM, &ports[PROVE_END_UDP]);
	fds[PROVE_END_NAMES] =
		listen_inet(AF_INET, SOCK_DGRAM, &ports[PROVE_END_NAMES]);
	target->queries =
		open(queries, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	fds[PROVE_END_ABSTRACT] = listen_unix(target->abstract);
	fds[PROVE_END_FAR] = listen_unix(far);
	fds[PROVE_END_NEAR] = listen_unix(near);
	for (int i = 0; i < PROVE_ENDS; i++)
		if ((fds[i] < 0 || target->queries < 0) && i != PROVE_END_TCP6)
			return -errno;
	target->pid = child_fork(serve, target);
	return target->pid < 0 ? (int)target->pid : 0;
}

void prove_target_stop(struct prove_target *target)
{
	child_kill(target->pid);
	if (target->queries > 0)
		(void)close(target->queries);
	for (int i = 0; i < PROVE_ENDS; i++)
		if (target->fds[i] > 0)
			(void)close(target->fds[i]);
}
