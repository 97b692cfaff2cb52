/* SPDX-License-Identifier: MIT */
/*
 * relay_pipe: pipes that bytes wait in without being copied (splice(2)).
 *
 * How it works: a pool keeps idle pipes, because making one costs two
 * descriptors and some microseconds. A relay borrows one only while bytes pass
 * or wait. Where there is no splice(2) the pool is always empty and the relay
 * copies through memory.
 */
#ifndef RELAY_PIPE_H
#define RELAY_PIPE_H

#include <stddef.h>
#include <sys/types.h>

struct relay_pipe;

/** struct relay_pool - starts zeroed; @max: pipes made at most, in all */
struct relay_pool {
	struct relay_pipe *idle;
	size_t made;
	size_t max;
};

/** relay_pool_clear() - close idle pipes; borrowed ones must be back */
void relay_pool_clear(struct relay_pool *pool);

/** relay_pool_take() - borrow an empty pipe. Return: NULL: none to be had. */
struct relay_pipe *relay_pool_take(struct relay_pool *pool);

/** relay_pool_give() - return a pipe; one that holds bytes is closed.
 * NULL does nothing. */
void relay_pool_give(struct relay_pool *pool, struct relay_pipe *pipe,
		     size_t held);

/** relay_pipe_size() - bytes that fit at best */
size_t relay_pipe_size(const struct relay_pipe *pipe);

/** relay_pipe_fill() - move bytes from a socket into the empty pipe.
 * Return: as read(2), but -errno. */
ssize_t relay_pipe_fill(struct relay_pipe *pipe, int fd);

/** relay_pipe_drain() - move up to @len bytes on. Return: as write(2), but
 * -errno. */
ssize_t relay_pipe_drain(struct relay_pipe *pipe, int fd, size_t len);

#endif
