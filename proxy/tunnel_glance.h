/* SPDX-License-Identifier: MIT */
/*
 * tunnel_glance: where any bytes may pass, a name that is shown is still seen;
 * inside of tunnel.
 *
 * A rule for every name or for addresses says nothing of the name in a
 * ClientHello, but a deny rule does, and it beats them (G1). So such a tunnel
 * waits, in state HELLO, for what comes first: a ClientHello, other bytes, or
 * the server's; only the first is judged, and nothing else is asked of it.
 */
#ifndef TUNNEL_GLANCE_H
#define TUNNEL_GLANCE_H

#include <stdbool.h>

struct tunnel;

/** tunnel_wants_glance() - the rule that allows it does not name the host */
bool tunnel_wants_glance(const struct tunnel *tunnel);

/** tunnel_start_glance() - there is an origin */
void tunnel_start_glance(struct tunnel *tunnel);

/** tunnel_glance() - a socket has something to say */
void tunnel_glance(struct tunnel *tunnel);

/** tunnel_end_glance() - nothing was seen: all may pass */
void tunnel_end_glance(struct tunnel *tunnel);

#endif
