/* SPDX-License-Identifier: MIT */
/* tunnel_make: a tunnel before it is known what for; inside of tunnel. */
#ifndef TUNNEL_MAKE_H
#define TUNNEL_MAKE_H

struct context;
struct tunnel;

/** tunnel_make() - for a client that was accepted, in state HEAD
 * Return: NULL: @fd_own was closed. */
struct tunnel *tunnel_make(struct context *context, int fd_own);

#endif
