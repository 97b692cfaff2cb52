/* SPDX-License-Identifier: MIT */
/* connect_tunnel: standard input to a socket, and the socket to standard
 * output, until both have ended. */
#ifndef CONNECT_TUNNEL_H
#define CONNECT_TUNNEL_H

#include <stddef.h>

/**
 * connect_tunnel_run() - copy both ways
 * @first:	@first_len bytes that came from the socket already
 *
 * The end of each way is passed on by itself: end of standard input shuts the
 * socket for sending only (RFC 9293 s3.6), the socket's end closes standard
 * output. Whether the descriptors block does not matter.
 *
 * Return: 0, or the errno that broke the connection.
 */
int connect_tunnel_run(int socket_fd, const char *first, size_t first_len)
	__attribute__((warn_unused_result));

#endif
