/* SPDX-License-Identifier: MIT */
/* prove_net: the attacker's steps at sockets. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/vm_sockets.h>
#include <netinet/in.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "netaddr.h"
#include "prove_steps.h"
#include "text.h"

/* Not in the headers of older systems. */
#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif

/* Nothing here is far away: all of it is on this machine. */
#define WAIT_MS        2000
#define HEAD_MAX_BYTES 1024

static int read_some(int fd, char *bytes, size_t size)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};

	if (poll(&p, 1, WAIT_MS) != 1)
		return -ETIMEDOUT;
	ssize_t n = recv(fd, bytes, size, 0);
	return n < 0 ? -errno : (int)n;
}

/* "ADDRESS PORT" */
static bool parse_end(const char *value, struct sockaddr_storage *end,
		      socklen_t *len)
{
	const char *space = strchr(value, ' ');
	struct netaddr address;
	uint16_t port;

	if (space == NULL ||
	    !netaddr_parse(value, (size_t)(space - value), &address) ||
	    !text_parse_port(space + 1, strlen(space + 1), &port))
		return false;
	*len = netaddr_to_sockaddr(&address, port, end);
	return true;
}

static int open_to(const char *value, int type)
{
	struct sockaddr_storage end;
	socklen_t len;

	if (!parse_end(value, &end, &len))
		return -EINVAL;
	int fd = socket(end.ss_family, type | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)&end, len) == 0)
		return fd;
	int rc = -errno;
	(void)close(fd);
	return rc;
}

/* The listener greets whoever comes. */
static int hear(int fd)
{
	char c = '\0';
	int rc = fd < 0 ? fd : read_some(fd, &c, 1);

	if (fd >= 0)
		(void)close(fd);
	if (rc < 0)
		return rc;
	return rc == 1 && c == 'e' ? 0 : -ECONNRESET;
}

int step_tcp(const char *value)
{
	return hear(open_to(value, SOCK_STREAM));
}

int step_udp(const char *value)
{
	int fd = open_to(value, SOCK_DGRAM);

	if (fd >= 0 && send(fd, "?", 1, MSG_NOSIGNAL) != 1) {
		int rc = -errno;
		(void)close(fd);
		return rc;
	}
	return hear(fd);
}

int step_unix(const char *value)
{
	struct sockaddr_un end = {.sun_family = AF_UNIX};
	size_t len = strlen(value);

	if (len >= sizeof(end.sun_path))
		return -ENAMETOOLONG;
	memcpy(end.sun_path, value, len);
	if (value[0] == '@')
		end.sun_path[0] = '\0';
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	socklen_t size =
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + len);
	if (connect(fd, (const struct sockaddr *)&end, size) != 0) {
		int rc = -errno;
		(void)close(fd);
		return rc;
	}
	return hear(fd);
}

static int open_family(int family, int type)
{
	int fd = socket(family, type | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	(void)close(fd);
	return 0;
}

static int open_inet(int type, int protocol)
{
	int fd = socket(AF_INET, type | SOCK_CLOEXEC, protocol);

	if (fd < 0)
		return -errno;
	(void)close(fd);
	return 0;
}

int step_vsock(const char *value)
{
	(void)value;
	return open_family(AF_VSOCK, SOCK_STREAM);
}

int step_packet(const char *value)
{
	(void)value;
	return open_family(AF_PACKET, SOCK_RAW);
}

static int open_proxy(void)
{
	const char *url = getenv("http_proxy");
	const char *colon = url == NULL ? NULL : strrchr(url, ':');
	char end[64];

	if (colon == NULL)
		return -ENOENT;
	(void)snprintf(end, sizeof(end), "127.0.0.1 %.8s", colon + 1);
	return open_to(end, SOCK_STREAM);
}

/* The head of the proxy's answer, byte by byte: what follows is the origin's.
 */
static int read_head(int fd)
{
	char head[HEAD_MAX_BYTES] = "";

	for (size_t len = 0; len + 1 < sizeof(head); len++) {
		int n = read_some(fd, head + len, 1);
		if (n != 1)
			return n < 0 ? n : -ECONNRESET;
		head[len + 1] = '\0';
		if (len >= 3 && strcmp(head + len - 3, "\r\n\r\n") == 0)
			return strncmp(head, "HTTP/1.1 200", 12) == 0 ? 0
								      : -EACCES;
	}
	return -EMSGSIZE;
}

/* A tunnel to "HOST:PORT", which @len bytes of @to say. */
static int open_tunnel(const char *to, size_t len)
{
	char head[HEAD_MAX_BYTES];
	int n = snprintf(head, sizeof(head),
			 "CONNECT %.*s HTTP/1.1\r\nHost: %.*s\r\n\r\n",
			 (int)len, to, (int)len, to);
	int fd = open_proxy();

	if (fd < 0)
		return fd;
	int rc = send(fd, head, (size_t)n, MSG_NOSIGNAL) == n ? read_head(fd)
							      : -EPIPE;
	if (rc == 0)
		return fd;
	(void)close(fd);
	return rc;
}

int step_proxy(const char *value)
{
	return hear(open_tunnel(value, strlen(value)));
}

/* A ClientHello of TLS 1.3 with one server_name (RFC 8446 section 4.1.2, RFC
 * 6066 section 3). Return: its size. */
static size_t make_hello(uint8_t hello[static 512], const char *name)
{
	static const uint8_t head[] = {0x16, 3, 1, 0, 0, 1, 0, 0, 0, 3, 3};
	static const uint8_t middle[] = {0, 0, 2, 0x13, 1, 1, 0};
	static const uint8_t versions[] = {0, 43, 0, 3, 2, 3, 4};
	size_t n = strlen(name);
	size_t extensions = 9 + n + sizeof(versions);
	uint8_t *at = hello;

	memcpy(at, head, sizeof(head));
	at += sizeof(head);
	memset(at, 0x5a, 32);
	at += 32;
	memcpy(at, middle, sizeof(middle));
	at += sizeof(middle);
	*at++ = (uint8_t)(extensions >> 8);
	*at++ = (uint8_t)extensions;
	const uint8_t server_name[] = {
		0, 0, 0,         (uint8_t)(n + 5), 0, (uint8_t)(n + 3),
		0, 0, (uint8_t)n};
	memcpy(at, server_name, sizeof(server_name));
	at += sizeof(server_name);
	memcpy(at, name, n);
	at += n;
	memcpy(at, versions, sizeof(versions));
	at += sizeof(versions);
	size_t size = (size_t)(at - hello);
	hello[3] = (uint8_t)((size - 5) >> 8);
	hello[4] = (uint8_t)(size - 5);
	hello[7] = (uint8_t)((size - 9) >> 8);
	hello[8] = (uint8_t)(size - 9);
	return size;
}

int step_hello(const char *value)
{
	uint8_t hello[512];
	const char *space = strchr(value, ' ');

	if (space == NULL || strlen(space + 1) > 100)
		return -EINVAL;
	int fd = open_tunnel(value, (size_t)(space - value));
	if (fd < 0)
		return fd;
	size_t len = make_hello(hello, space + 1);
	if (send(fd, hello, len, MSG_NOSIGNAL) != (ssize_t)len) {
		(void)close(fd);
		return -EPIPE;
	}
	return hear(fd);
}

int step_icmp(const char *value)
{
	(void)value;
	int rc = open_inet(SOCK_DGRAM, IPPROTO_ICMP);
	return rc == 0 ? 0 : open_inet(SOCK_RAW, IPPROTO_ICMP);
}

int step_mptcp(const char *value)
{
	(void)value;
	return open_inet(SOCK_STREAM, IPPROTO_MPTCP);
}
