/* SPDX-License-Identifier: MIT */
/*
 * proxy_floor: the least that a recording CONNECT proxy can do, as a measure
 * of what the kernel alone costs; for proxy_bench.py.
 *
 * How it works: one epoll(7) loop, edge-triggered, each socket added once and
 * never touched again. It makes the system calls that a tunnel cannot do
 * without (accept, read the request, connect, record, 200, hello, answer, both
 * FINs, record, close) and nothing else: no parsing, no policy, no timeouts, no
 * care for a full socket. Bulk goes through one pipe by splice(2). It is no
 * proxy: whatever is asked for, it connects to 127.0.0.2:PORT, PORT being the
 * number behind the first colon.
 *
 *   proxy_floor PORT AUDITFILE
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "text.h"

#define BATCH        256
#define READ_BYTES   32768
#define PIPE_BYTES   (256 * 1024)
#define RECORD_BYTES 330 /* as long as exeat-proxy's own are */

/* @is_ended: FIN came from there; @is_bulk: its last read filled the buffer */
struct side {
	struct tunnel *tunnel;
	struct side *other;
	int fd;
	bool is_ended;
	bool is_bulk;
};

struct tunnel {
	struct tunnel *next;
	struct side client;
	struct side origin;
};

struct floor {
	int poller;
	int listener;
	int audit;
	int pipe[2];
	struct tunnel *unused;
	struct tunnel *dead;
	char record[RECORD_BYTES];
	char buf[READ_BYTES];
};

static _Noreturn void fail(const char *what)
{
	(void)fprintf(stderr, "proxy_floor: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint16_t port_of(const char *text)
{
	size_t len = strspn(text, "0123456789");
	uint16_t port = 0;

	if (!text_parse_port(text, len, &port))
		fail(text);
	return port;
}

static struct sockaddr_in loopback(uint16_t port, in_addr_t address)
{
	return (struct sockaddr_in){.sin_family = AF_INET,
				    .sin_port = htons(port),
				    .sin_addr = {htonl(address)}};
}

static void watch(struct floor *f, int fd, void *tag)
{
	struct epoll_event event = {
		.events = EPOLLIN | EPOLLRDHUP | EPOLLET,
		.data.ptr = tag,
	};

	if (epoll_ctl(f->poller, EPOLL_CTL_ADD, fd, &event) != 0)
		fail("epoll_ctl");
}

static void record(struct floor *f)
{
	if (write(f->audit, f->record, sizeof(f->record)) < 0)
		fail("write");
}

/* Events of this round may still name it. */
static void end(struct floor *f, struct tunnel *tunnel)
{
	if (tunnel->client.fd < 0)
		return;
	record(f);
	(void)close(tunnel->client.fd);
	(void)close(tunnel->origin.fd);
	tunnel->client.fd = -1;
	tunnel->next = f->dead;
	f->dead = tunnel;
}

static void take_client(struct floor *f)
{
	int fd = accept4(f->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	struct tunnel *tunnel = f->unused;

	if (fd < 0)
		return;
	if (tunnel != NULL)
		f->unused = tunnel->next;
	else
		tunnel = malloc(sizeof(*tunnel));
	if (tunnel == NULL)
		fail("malloc");
	*tunnel = (struct tunnel){
		.client = {.tunnel = tunnel,
			   .other = &tunnel->origin,
			   .fd = fd},
		.origin = {.tunnel = tunnel,
			   .other = &tunnel->client,
			   .fd = -1},
	};
	watch(f, fd, &tunnel->client);
}

static void dial(struct floor *f, struct tunnel *tunnel, size_t len)
{
	static const char ok[] = "HTTP/1.1 200 Connection established\r\n\r\n";
	int one = 1;

	f->buf[len] = '\0';
	const char *colon = strchr(f->buf, ':');
	if (colon == NULL) {
		end(f, tunnel);
		return;
	}
	struct sockaddr_in sa = loopback(port_of(colon + 1), 0x7f000002);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (connect(fd, (struct sockaddr *)&sa, sizeof(sa)) != 0 &&
	    errno != EINPROGRESS)
		fail("connect");
	tunnel->origin.fd = fd;
	watch(f, fd, &tunnel->origin);
	record(f);
	(void)!send(tunnel->client.fd, ok, sizeof(ok) - 1, MSG_NOSIGNAL);
}

static void open_pipe(struct floor *f)
{
	if (pipe2(f->pipe, O_NONBLOCK) != 0)
		fail("pipe");
	(void)fcntl(f->pipe[1], F_SETPIPE_SZ, PIPE_BYTES);
}

/* The receiver is gone, and what it did not take with it. */
static ssize_t give_up(struct floor *f)
{
	(void)close(f->pipe[0]);
	(void)close(f->pipe[1]);
	open_pipe(f);
	errno = EPIPE;
	return -1;
}

/* Moves @len bytes on, from the buffer or the pipe, before anything else is
 * done: this program has no other work that counts. */
static ssize_t pass_on(struct floor *f, int fd, size_t len, bool is_piped)
{
	struct pollfd room = {.fd = fd, .events = POLLOUT};
	size_t done = 0;

	while (done < len) {
		ssize_t n = is_piped ? splice(f->pipe[0], NULL, fd, NULL,
					      len - done,
					      SPLICE_F_MOVE | SPLICE_F_NONBLOCK)
				     : send(fd, f->buf + done, len - done,
					    MSG_NOSIGNAL);
		if (n > 0)
			done += (size_t)n;
		else if (n < 0 && errno == EAGAIN)
			(void)poll(&room, 1, -1);
		else
			return give_up(f);
	}
	return (ssize_t)len;
}

/* Return: as read(2). */
static ssize_t move(struct floor *f, struct side *from)
{
	bool is_piped = from->is_bulk;
	ssize_t n =
		is_piped ? splice(from->fd, NULL, f->pipe[1], NULL, PIPE_BYTES,
				  SPLICE_F_MOVE | SPLICE_F_NONBLOCK)
			 : recv(from->fd, f->buf, READ_BYTES, 0);

	from->is_bulk = is_piped || n == READ_BYTES;
	return n > 0 ? pass_on(f, from->other->fd, (size_t)n, is_piped) : n;
}

static void serve(struct floor *f, struct side *side, uint32_t what)
{
	struct tunnel *tunnel = side->tunnel;
	ssize_t n = 0;

	if (tunnel->client.fd < 0 || (what & (EPOLLIN | EPOLLRDHUP)) == 0)
		return;
	if (tunnel->origin.fd < 0) {
		n = recv(side->fd, f->buf, READ_BYTES - 1, 0);
		if (n > 0)
			dial(f, tunnel, (size_t)n);
		else if (n == 0)
			end(f, tunnel);
		return;
	}
	/* A short read has emptied the socket, but for a FIN. */
	do
		n = move(f, side);
	while (n > 0 && (side->is_bulk || (what & EPOLLRDHUP) != 0));
	if (n > 0 || (n < 0 && errno == EAGAIN))
		return;
	side->is_ended = true;
	if (side->other->is_ended || n < 0)
		end(f, tunnel);
	else
		(void)shutdown(side->other->fd, SHUT_WR);
}

static void turn(struct floor *f)
{
	struct epoll_event events[BATCH];
	int count = epoll_wait(f->poller, events, BATCH, -1);

	for (int i = 0; i < count; i++) {
		if (events[i].data.ptr == NULL)
			take_client(f);
		else
			serve(f, events[i].data.ptr, events[i].events);
	}
	while (f->dead != NULL) {
		struct tunnel *tunnel = f->dead;

		f->dead = tunnel->next;
		tunnel->next = f->unused;
		f->unused = tunnel;
	}
}

static void open_all(struct floor *f, const char *port, const char *path)
{
	struct sockaddr_in sa = loopback(port_of(port), INADDR_LOOPBACK);
	struct epoll_event event = {.events = EPOLLIN};
	int one = 1;

	f->poller = epoll_create1(0);
	f->audit = open(path, O_WRONLY | O_APPEND | O_CREAT, S_IRUSR | S_IWUSR);
	f->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	(void)setsockopt(f->listener, SOL_SOCKET, SO_REUSEADDR, &one,
			 sizeof(one));
	(void)setsockopt(f->listener, IPPROTO_TCP, TCP_NODELAY, &one,
			 sizeof(one));
	if (f->audit < 0 ||
	    bind(f->listener, (struct sockaddr *)&sa, sizeof(sa)) != 0 ||
	    listen(f->listener, 1024) != 0)
		fail("start");
	open_pipe(f);
	(void)epoll_ctl(f->poller, EPOLL_CTL_ADD, f->listener, &event);
	memset(f->record, 'x', sizeof(f->record));
	f->record[sizeof(f->record) - 1] = '\n';
}

int main(int argc, char *argv[])
{
	const struct sigaction ignored = {.sa_handler = SIG_IGN};
	static struct floor f;

	if (argc != 3) {
		(void)fprintf(stderr, "usage: proxy_floor PORT AUDITFILE\n");
		return 2;
	}
	(void)sigaction(SIGPIPE, &ignored, NULL);
	open_all(&f, argv[1], argv[2]);
	for (;;)
		turn(&f);
}
