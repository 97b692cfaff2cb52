/* SPDX-License-Identifier: MIT */
/* relay_pipe: on splice(2). */
#include "relay_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Larger pipes mean fewer calls, until the bytes no longer stay in the cache.
 * An ordinary user may have 64 MiB of pipes; refused growth is no error. */
#define PIPE_WANTED_BYTES (256 * 1024)
#define PIPE_USUAL_BYTES  65536

struct relay_pipe {
	struct relay_pipe *next;
	size_t size;
	int read_fd;
	int write_fd;
};

static void close_pipe(struct relay_pool *pool, struct relay_pipe *pipe)
{
	(void)close(pipe->read_fd);
	(void)close(pipe->write_fd);
	free(pipe);
	pool->made--;
}

void relay_pool_clear(struct relay_pool *pool)
{
	while (pool->idle != NULL) {
		struct relay_pipe *pipe = pool->idle;

		pool->idle = pipe->next;
		close_pipe(pool, pipe);
	}
}

static struct relay_pipe *make_pipe(struct relay_pool *pool)
{
	struct relay_pipe *pipe = malloc(sizeof(*pipe));
	int fds[2];

	if (pipe == NULL)
		return NULL;
	if (pipe2(fds, O_NONBLOCK | O_CLOEXEC) != 0) {
		free(pipe);
		return NULL;
	}
	int size = fcntl(fds[1], F_SETPIPE_SZ, PIPE_WANTED_BYTES);
	pipe->size = size > 0 ? (size_t)size : PIPE_USUAL_BYTES;
	pipe->read_fd = fds[0];
	pipe->write_fd = fds[1];
	pool->made++;
	return pipe;
}

struct relay_pipe *relay_pool_take(struct relay_pool *pool)
{
	struct relay_pipe *pipe = pool->idle;

	if (pipe != NULL) {
		pool->idle = pipe->next;
		return pipe;
	}
	return pool->made < pool->max ? make_pipe(pool) : NULL;
}

void relay_pool_give(struct relay_pool *pool, struct relay_pipe *pipe,
		     size_t held)
{
	if (pipe == NULL)
		return;
	if (held > 0) {
		close_pipe(pool, pipe);
		return;
	}
	pipe->next = pool->idle;
	pool->idle = pipe;
}

size_t relay_pipe_size(const struct relay_pipe *pipe)
{
	return pipe->size;
}

static ssize_t move(int from, int to, size_t len)
{
	ssize_t n;

	do
		n = splice(from, NULL, to, NULL, len,
			   SPLICE_F_MOVE | SPLICE_F_NONBLOCK);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

ssize_t relay_pipe_fill(struct relay_pipe *pipe, int fd)
{
	return move(fd, pipe->write_fd, pipe->size);
}

ssize_t relay_pipe_drain(struct relay_pipe *pipe, int fd, size_t len)
{
	return move(pipe->read_fd, fd, len);
}
