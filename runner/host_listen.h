/* SPDX-License-Identifier: MIT */
/* host_listen: the host's side of ports.listen, opened before anything runs. */
#ifndef HOST_LISTEN_H
#define HOST_LISTEN_H

#include <stddef.h>

#include "diag.h"

struct policy;

/** struct host_listen - sockets that listen; zeroed: none */
struct host_listen {
	int *fds;
	size_t count;
};

/**
 * host_listen_open() - one socket for each entry of ports.listen
 *
 * A port that is in use is an error that names who uses it, where that can be
 * seen: whoever else listens would get what was meant for the command.
 *
 * Return: 0, or -1 with @diag set; host_listen_clear() is due either way.
 */
int host_listen_open(struct host_listen *listen, const struct policy *policy,
		     struct diag *diag) __attribute__((warn_unused_result));

/** host_listen_hand_over() - all to exeat-proxy, by @pair; they are closed
 * here. Return: 0 or -errno. */
int host_listen_hand_over(struct host_listen *listen, int pair)
	__attribute__((warn_unused_result));

void host_listen_clear(struct host_listen *listen);

#endif
