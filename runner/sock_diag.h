/* SPDX-License-Identifier: MIT */
/* sock_diag: asks the kernel about one socket of a network namespace. */
#ifndef SOCK_DIAG_H
#define SOCK_DIAG_H

#include <stdint.h>

#include "service.h"

/** sock_diag_open() - of the network namespace that we are in, for good
 * Return: a descriptor or -errno. */
int sock_diag_open(void) __attribute__((warn_unused_result));

/**
 * sock_diag_inode() - the inode of the socket with these ends (sock_diag(7))
 *
 * One exact look-up, no list of all. (The uid that the kernel would tell too
 * says nothing here: every process inside has the same.)
 *
 * Return: 0; -ENOENT: no such socket, or nobody holds it; another -errno.
 */
int sock_diag_inode(int fd, const struct service_flow *flow,
		    uint32_t *inode_out) __attribute__((warn_unused_result));

#endif
