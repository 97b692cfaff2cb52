/* SPDX-License-Identifier: MIT */
/*
 * inner_dial: connects to a server inside the sandbox, once it is there.
 *
 * How it works: 127.0.0.1 is tried, then ::1, and again after a while, for five
 * seconds in all: a server that has just been started may not listen yet.
 */
#ifndef INNER_DIAL_H
#define INNER_DIAL_H

#include <stdint.h>

#include "netaddr.h"

#define INNER_DIAL_TIMEOUT_MS 5000

struct event_base;
struct inner_dial;
struct inner_sockets;

/**
 * struct inner_dial_settings - what to do
 * @done:	called once, from the loop, never after inner_dial_cancel():
 *		@fd is connected and the receiver's, @address the server's; or
 *		@fd is -1: nobody listened
 */
struct inner_dial_settings {
	struct event_base *base;
	struct inner_sockets *sockets;
	uint16_t port;
	void (*done)(void *arg, int fd, const struct netaddr *address);
	void *arg;
};

/** inner_dial_start() - begin. Return: NULL when out of memory. */
struct inner_dial *inner_dial_start(const struct inner_dial_settings *settings);

/** inner_dial_cancel() - NULL does nothing */
void inner_dial_cancel(struct inner_dial *dial);

#endif
