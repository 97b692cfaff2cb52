/* SPDX-License-Identifier: MIT */
/* relay_pipe: where there is no splice(2): never a pipe. */
#include "relay_pipe.h"

#include <errno.h>

void relay_pool_clear(struct relay_pool *pool)
{
	(void)pool;
}

struct relay_pipe *relay_pool_take(struct relay_pool *pool)
{
	(void)pool;
	return NULL;
}

void relay_pool_give(struct relay_pool *pool, struct relay_pipe *pipe,
		     size_t held)
{
	(void)pool;
	(void)pipe;
	(void)held;
}

size_t relay_pipe_size(const struct relay_pipe *pipe)
{
	(void)pipe;
	return 0;
}

ssize_t relay_pipe_fill(struct relay_pipe *pipe, int fd)
{
	(void)pipe;
	(void)fd;
	return -ENOSYS;
}

ssize_t relay_pipe_drain(struct relay_pipe *pipe, int fd, size_t len)
{
	(void)pipe;
	(void)fd;
	(void)len;
	return -ENOSYS;
}
