/* SPDX-License-Identifier: MIT */
/* dns_server: port 53 of the sandbox, UDP and TCP. */
#include "dns_server.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include "context.h"
#include "dns_names.h"
#include "ticks.h"

#define QUERY_MAX_BYTES  4096
#define LENGTH_BYTES     2 /* before each message on TCP, RFC 1035 s4.2.2 */
#define QUERIES_PER_TURN 64
#define CLIENTS_MAX      64
#define CLIENT_IDLE_MS   10000

/* A TCP connection: what has come of its next query. */
struct client {
	LIST_ENTRY(client) link;
	struct dns_server *server;
	struct event event;
	int fd;
	size_t len;
	uint8_t buf[LENGTH_BYTES + QUERY_MAX_BYTES];
};

struct dns_server {
	struct dns_names names;
	struct event udp;
	int udp_fd;
	LIST_HEAD(, client) clients;
	size_t client_count;
};

union control {
	char bytes[CMSG_SPACE(sizeof(struct in6_pktinfo))];
	struct cmsghdr align;
};

struct dns_server *dns_server_new(struct context *context)
{
	struct dns_server *server = calloc(1, sizeof(*server));

	if (server == NULL)
		return NULL;
	server->names.context = context;
	server->udp_fd = -1;
	LIST_INIT(&server->clients);
	return server;
}

static void close_client(struct client *client)
{
	LIST_REMOVE(client, link);
	client->server->client_count--;
	(void)event_del(&client->event);
	(void)close(client->fd);
	free(client);
}

void dns_server_free(struct dns_server *server)
{
	if (server == NULL)
		return;
	/* What close_client() frees is in the list no more; the analyzer loses
	 * that. */
	while (!LIST_EMPTY(&server->clients))
		/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc) */
		close_client(LIST_FIRST(&server->clients));
	if (server->udp_fd >= 0) {
		(void)event_del(&server->udp);
		(void)close(server->udp_fd);
	}
	free(server);
}

/* Where the query went is where the answer comes from. The interface is left
 * open: there is only one, and the kernel may know it by another number. */
static void turn_around(struct msghdr *header)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(header); c != NULL;
	     c = CMSG_NXTHDR(header, c)) {
		if (c->cmsg_level == IPPROTO_IPV6 &&
		    c->cmsg_type == IPV6_PKTINFO) {
			struct in6_pktinfo info;
			memcpy(&info, CMSG_DATA(c), sizeof(info));
			info.ipi6_ifindex = 0;
			memcpy(CMSG_DATA(c), &info, sizeof(info));
		} else if (c->cmsg_level == IPPROTO_IP &&
			   c->cmsg_type == IP_PKTINFO) {
			struct in_pktinfo info;
			memcpy(&info, CMSG_DATA(c), sizeof(info));
			info.ipi_spec_dst = info.ipi_addr;
			info.ipi_ifindex = 0;
			memcpy(CMSG_DATA(c), &info, sizeof(info));
		}
	}
}

/* Return: false: nothing more is there. */
static bool answer_one(struct dns_server *server)
{
	struct sockaddr_storage from;
	uint8_t query[QUERY_MAX_BYTES];
	uint8_t answer[DNS_ANSWER_MAX_BYTES];
	union control control = {.bytes = {0}};
	struct iovec iov = {.iov_base = query, .iov_len = sizeof(query)};
	struct msghdr header = {
		.msg_name = &from,
		.msg_namelen = sizeof(from),
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};

	ssize_t n = recvmsg(server->udp_fd, &header, 0);
	if (n < 0)
		return errno == EINTR || errno == ECONNREFUSED;
	if ((header.msg_flags & MSG_TRUNC) != 0)
		return true;
	size_t len = dns_names_answer(&server->names, query, (size_t)n, "udp",
				      answer);
	if (len == 0)
		return true;
	struct iovec said = {.iov_base = answer, .iov_len = len};
	header.msg_iov = &said;
	turn_around(&header);
	/* One that cannot be told asks again. */
	(void)sendmsg(server->udp_fd, &header, MSG_NOSIGNAL);
	return true;
}

static void on_udp(evutil_socket_t fd, short what, void *arg)
{
	struct dns_server *server = arg;

	(void)fd;
	(void)what;
	for (int i = 0; i < QUERIES_PER_TURN && answer_one(server); i++) {
	}
}

int dns_server_take_udp(struct dns_server *server, int fd_own)
{
	struct sockaddr_storage sa = {.ss_family = AF_UNSPEC};
	socklen_t len = sizeof(sa);

	if (server->udp_fd >= 0 ||
	    getsockname(fd_own, (struct sockaddr *)&sa, &len) != 0) {
		(void)close(fd_own);
		return -EEXIST;
	}
	server->names.has_ipv6 = sa.ss_family == AF_INET6;
	server->udp_fd = fd_own;
	(void)event_assign(&server->udp, server->names.context->base, fd_own,
			   EV_READ | EV_PERSIST, on_udp, server);
	return event_add(&server->udp, NULL) == 0 ? 0 : -ENOMEM;
}

/* Answer the query that is whole at the start of the buffer. Return: false: the
 * client does not take it, or it makes no sense. */
static bool answer_first(struct client *client, size_t query_len)
{
	struct dns_server *server = client->server;
	uint8_t out[LENGTH_BYTES + DNS_ANSWER_MAX_BYTES];

	size_t len =
		dns_names_answer(&server->names, client->buf + LENGTH_BYTES,
				 query_len, "tcp", out + LENGTH_BYTES);
	if (len == 0)
		return false;
	out[0] = (uint8_t)(len >> 8);
	out[1] = (uint8_t)len;
	len += LENGTH_BYTES;
	if (send(client->fd, out, len, MSG_NOSIGNAL) != (ssize_t)len)
		return false;
	size_t used = LENGTH_BYTES + query_len;
	client->len -= used;
	memmove(client->buf, client->buf + used, client->len);
	return true;
}

/* Return: false: it is over. */
static bool answer_all(struct client *client)
{
	while (client->len >= LENGTH_BYTES) {
		size_t query_len = (size_t)client->buf[0] << 8 | client->buf[1];

		if (query_len > QUERY_MAX_BYTES)
			return false;
		if (client->len < LENGTH_BYTES + query_len)
			return true;
		if (!answer_first(client, query_len))
			return false;
	}
	return true;
}

static void on_client(evutil_socket_t fd, short what, void *arg)
{
	struct client *client = arg;

	if ((what & EV_TIMEOUT) != 0) {
		close_client(client);
		return;
	}
	ssize_t n = recv(fd, client->buf + client->len,
			 sizeof(client->buf) - client->len, 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		client->len += (size_t)n;
	if (n <= 0 || !answer_all(client))
		close_client(client);
}

void dns_server_take_client(struct dns_server *server, int fd_own)
{
	const struct timeval idle = ticks_timeval(CLIENT_IDLE_MS);
	struct client *client = server->client_count < CLIENTS_MAX
					? calloc(1, sizeof(*client))
					: NULL;

	if (client == NULL) {
		(void)close(fd_own);
		return;
	}
	client->server = server;
	client->fd = fd_own;
	(void)event_assign(&client->event, server->names.context->base, fd_own,
			   EV_READ | EV_PERSIST, on_client, client);
	LIST_INSERT_HEAD(&server->clients, client, link);
	server->client_count++;
	if (event_add(&client->event, &idle) != 0)
		close_client(client);
}
