/* SPDX-License-Identifier: MIT */
/*
 * tunnel: one client connection from its first byte to its last record.
 *
 * How it works: tunnel.c owns both sockets, their events, the timer and the
 * one function that applies a transition of tunnel_state.h. What a state does
 * stands in the file of that state: tunnel_request.c (head, decision by name),
 * tunnel_dial.c (addresses, dial, answer), tunnel_hello.c (ClientHello and the
 * guard behind it), tunnel_capture.c (clients that know nothing of a proxy),
 * tunnel_refuse.c (saying no). tunnel_record.c writes the
 * audit records. Events are edge-triggered and registered once per socket.
 */
#ifndef TUNNEL_H
#define TUNNEL_H

struct context;

/**
 * tunnel_start() - serve a client
 * @fd_own:	accepted, non-blocking; closed in every case
 *
 * Return: 0 or -ENOMEM: the connection was closed.
 */
int tunnel_start(struct context *context, int fd_own)
	__attribute__((warn_unused_result));

/** tunnel_start_inbound() - the same for one from the host to a server inside
 */
int tunnel_start_inbound(struct context *context, int fd_own)
	__attribute__((warn_unused_result));

/** tunnel_start_captured() - the same for one that was meant for the address
 * that it has on our side */
int tunnel_start_captured(struct context *context, int fd_own)
	__attribute__((warn_unused_result));

/** tunnel_close_all() - close every tunnel with its record */
void tunnel_close_all(struct context *context);

/**
 * tunnel_shed() - close the oldest tunnel without a whole request, if it is
 * older than @min_age_ms
 * Return: one was closed.
 */
_Bool tunnel_shed(struct context *context, long min_age_ms);

/** tunnel_tidy() - the work of context->tidy */
void tunnel_tidy(struct context *context);

#endif
