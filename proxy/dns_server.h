/* SPDX-License-Identifier: MIT */
/*
 * dns_server: port 53 of the sandbox, UDP and TCP.
 *
 * How it works: the gate made both sockets inside, on every address. An answer
 * leaves from the address that was asked (PKTINFO), whichever that is: a
 * program with a resolver of its own choice gets the same answers.
 */
#ifndef DNS_SERVER_H
#define DNS_SERVER_H

struct context;
struct dns_server;

/** dns_server_new() - nothing is served yet. Return: NULL: out of memory. */
struct dns_server *dns_server_new(struct context *context);

/** dns_server_free() - close everything; NULL does nothing */
void dns_server_free(struct dns_server *server);

/** dns_server_take_udp() - answer what comes on @fd_own.
 * Return: 0 or -errno; the descriptor was closed then. */
int dns_server_take_udp(struct dns_server *server, int fd_own)
	__attribute__((warn_unused_result));

/** dns_server_take_client() - a TCP connection to port 53 */
void dns_server_take_client(struct dns_server *server, int fd_own);

#endif
