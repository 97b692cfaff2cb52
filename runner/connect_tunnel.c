/* SPDX-License-Identifier: MIT */
/* connect_tunnel: standard input to a socket, and the socket to standard
 * output, until both have ended. */
#include "connect_tunnel.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define WAY_BYTES 65536

/**
 * struct way - one direction
 * @to_socket:	@to is the socket: sent without waiting, its end is a shutdown
 * @is_over:	the end was passed on, or nobody reads any more
 * @at, @end:	bytes of @buf that wait to be written
 */
struct way {
	int from;
	int to;
	bool to_socket;
	bool is_over;
	size_t at;
	size_t end;
	char buf[WAY_BYTES];
};

static bool is_passing(int error)
{
	return error == EINTR || error == EAGAIN;
}

static void end_way(struct way *way)
{
	way->is_over = true;
	if (way->to_socket)
		(void)shutdown(way->to, SHUT_WR);
	else
		(void)close(way->to);
}

static void read_some(struct way *way)
{
	ssize_t n = read(way->from, way->buf, sizeof(way->buf));

	if (n > 0) {
		way->at = 0;
		way->end = (size_t)n;
	} else if (n == 0 || !is_passing(errno)) {
		end_way(way);
	}
}

/* A pipe that is ready takes PIPE_BUF bytes without blocking (pipe(7)), and
 * whoever gave it to us may not want it to be non-blocking. */
static void write_some(struct way *way)
{
	const char *bytes = way->buf + way->at;
	size_t len = way->end - way->at;
	ssize_t n;

	if (way->to_socket)
		n = send(way->to, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);
	else
		n = write(way->to, bytes, len < PIPE_BUF ? len : PIPE_BUF);
	if (n >= 0)
		way->at += (size_t)n;
	else if (!is_passing(errno))
		end_way(way);
}

static void step(struct way *way, const struct pollfd *ready)
{
	if (way->is_over || ready->revents == 0)
		return;
	if (way->at < way->end)
		write_some(way);
	else
		read_some(way);
}

static struct pollfd wish(const struct way *way)
{
	if (way->is_over)
		return (struct pollfd){.fd = -1};
	if (way->at < way->end)
		return (struct pollfd){.fd = way->to, .events = POLLOUT};
	return (struct pollfd){.fd = way->from, .events = POLLIN};
}

static void init_way(struct way *way, int from, int to)
{
	way->from = from;
	way->to = to;
	way->to_socket = false;
	way->is_over = false;
	way->at = 0;
	way->end = 0;
}

static int socket_error(int fd)
{
	int error = 0;
	socklen_t len = sizeof(error);

	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) != 0)
		return errno;
	return error;
}

/* The origin has ended and a reset came, or nobody reads our output: what is
 * left to send has no receiver. */
static bool is_dead(const struct pollfd *watch)
{
	return (watch->revents & (POLLERR | POLLHUP)) != 0;
}

int connect_tunnel_run(int socket_fd, const char *first, size_t first_len)
{
	struct way up, down;

	init_way(&up, STDIN_FILENO, socket_fd);
	init_way(&down, socket_fd, STDOUT_FILENO);
	up.to_socket = true;
	if (first_len > sizeof(down.buf))
		return EMSGSIZE;
	memcpy(down.buf, first, first_len);
	down.end = first_len;
	while (!up.is_over || !down.is_over) {
		struct pollfd watch[] = {
			wish(&up),
			wish(&down),
			{.fd = down.is_over ? socket_fd : -1},
		};

		if (poll(watch, 3, -1) < 0) {
			if (errno == EINTR)
				continue;
			return errno;
		}
		step(&up, &watch[0]);
		step(&down, &watch[1]);
		if (is_dead(&watch[2]))
			break;
	}
	return socket_error(socket_fd);
}
