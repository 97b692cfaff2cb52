/* SPDX-License-Identifier: MIT */
/* tunnel_dial: from a name to judged addresses, to a connection, to the 200. */
#ifndef TUNNEL_DIAL_H
#define TUNNEL_DIAL_H

#include <stddef.h>
#include <stdint.h>

struct netaddr;
struct tunnel;

void tunnel_find_addresses(struct tunnel *tunnel);
void tunnel_dial_literal(struct tunnel *tunnel);
/** tunnel_start_dial() - connect to one of @addrs, which were judged */
void tunnel_start_dial(struct tunnel *tunnel, const struct netaddr *addrs,
		       size_t count, uint16_t port);
/** tunnel_open_to() - bytes may flow to @fd_own, which leads to the origin */
void tunnel_open_to(struct tunnel *tunnel, int fd_own);

#endif
