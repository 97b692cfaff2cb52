/* SPDX-License-Identifier: MIT */
/*
 * tap: records what was tried in the sandbox and reached no listener of ours.
 *
 * How it works: the gate made a packet socket (tap_socket.h); the
 * kernel fills blocks, we read them when they are full or ten milliseconds old.
 * One record (event "tap") for each flow and second; the process is asked for,
 * as for every record. What the ring lost and what came too fast to be written
 * is counted, and a record says how much.
 */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>

struct context;
struct tap;

/**
 * tap_new() - read @fd_own, which is closed in every case
 * Return: NULL: out of memory, or it is no such socket.
 */
struct tap *tap_new(struct context *context, int fd_own);

/** tap_is_behind() - the kernel has packets that we could not read yet */
bool tap_is_behind(struct tap *tap);

/** tap_free() - write what is due and stop; NULL does nothing */
void tap_free(struct tap *tap);

#endif
