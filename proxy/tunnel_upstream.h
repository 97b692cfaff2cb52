/* SPDX-License-Identifier: MIT */
/*
 * tunnel_upstream: an allowed destination is reached through another proxy.
 *
 * How it works: after the decision, and instead of resolving the name, the
 * other proxy is dialled and asked for the destination by CONNECT, whatever the
 * client speaks; from there on everything is as without it. Its own address is
 * the operator's word: it is not judged, but for one thing, that it is not us.
 * Whatever goes wrong with it is 502 or 504: a refusal of its is not one of the
 * policy.
 */
#ifndef TUNNEL_UPSTREAM_H
#define TUNNEL_UPSTREAM_H

#include <stdbool.h>

struct tunnel;

/** tunnel_goes_upstream() - the destination is reached through another proxy
 */
bool tunnel_goes_upstream(const struct tunnel *tunnel);
/** tunnel_find_upstream() - dial that proxy */
void tunnel_find_upstream(struct tunnel *tunnel);
/** tunnel_ask_upstream() - it is connected: ask it for the destination */
void tunnel_ask_upstream(struct tunnel *tunnel, int fd_own);

#endif
