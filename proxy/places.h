/* SPDX-License-Identifier: MIT */
/* places: the sockets that a daemon accepts on, one set for each worker. */
#ifndef PLACES_H
#define PLACES_H

#include <stddef.h>
#include <stdio.h>

struct server;

#define PLACES_MAX 64

/**
 * struct places - @count places for each of @worker_count workers
 * @where:	as it was written (borrowed)
 * @fds:	of worker w at place p: fds[w * count + p]; -1: given away
 */
struct places {
	const char *where[PLACES_MAX];
	size_t count;
	size_t worker_count;
	int *fds;
};

/**
 * places_open() - listen everywhere
 * @where:	@count of them, at most PLACES_MAX
 *
 * With several workers every TCP place has a socket for each of them, among
 * which the kernel spreads the clients (SO_REUSEPORT); a Unix place has one
 * socket that all of them accept on.
 *
 * Return: 0, or -1 with a message in the log; nothing is open then.
 */
int places_open(struct places *places, const char *const *where, size_t count,
		size_t worker_count) __attribute__((warn_unused_result));

/** places_serve() - give the sockets of @worker to @server and close those of
 * the others. Return: 0 or -errno. */
int places_serve(struct places *places, size_t worker, struct server *server)
	__attribute__((warn_unused_result));

/** places_announce() - say that connections are taken at each place */
void places_announce(const struct places *places, FILE *out);

/** places_close() - all that were not given away */
void places_close(struct places *places);

#endif
