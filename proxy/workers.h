/* SPDX-License-Identifier: MIT */
/*
 * workers: several processes that serve the same places.
 *
 * How it works: the parent opens every socket, makes a process for each worker
 * and then only waits: it reads no byte of a client's. Signals that it gets go
 * to all workers. Nothing is shared but the audit file, so a worker cannot
 * disturb another. A worker that ends without being told to takes all others
 * with it: who starts the daemon starts all of it again.
 */
#ifndef WORKERS_H
#define WORKERS_H

#include <stddef.h>

/**
 * struct workers_settings - what to start
 * @serve:	the work of one, in a process of its own: calls
 *		workers_say_ready() and returns the exit code
 * @ready:	called in the parent when all of them are
 */
struct workers_settings {
	size_t count;
	int (*serve)(void *arg, size_t worker, int ready_fd);
	void (*ready)(void *arg);
	void *arg;
};

/** workers_run() - start them and wait for all. Return: the exit code; in a
 * worker what @serve returned. */
int workers_run(const struct workers_settings *settings);

/** workers_say_ready() - clients are served from now on; closes @ready_fd */
void workers_say_ready(int ready_fd);

#endif
