/* SPDX-License-Identifier: MIT */
/*
 * relay: moves bytes between two sockets, both ways, unchanged and counted.
 *
 * How it works: the caller watches both sockets with edge-triggered events and
 * notes what they say; relay_run() then moves all that can be moved, so no
 * epoll_ctl(2) is needed while bytes flow. A way copies small reads through a
 * scratch buffer that all tunnels share (one read, one write), and goes over to
 * splice(2) when a read fills it. What the other side does not take waits in
 * the pipe or in memory, and nothing more is read until it is gone: a slow
 * reader stops the sender and grows no buffer. FIN is passed on for each way by
 * itself (RFC 9293 s3.6).
 */
#ifndef RELAY_H
#define RELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "relay_pipe.h"

#define RELAY_SCRATCH_BYTES 32768

enum relay_side {
	RELAY_CLIENT = 0,
	RELAY_ORIGIN,
	RELAY_SIDE_COUNT
};

/**
 * struct relay_way - from one side to the other
 * @bytes:	delivered: the other side's kernel has taken them
 * @pipe:	borrowed while it holds bytes, else NULL
 * @memory:	bytes that wait in memory from @memory_at on, or NULL
 * @held:	how many wait, in pipe or memory
 * @is_ended:	the source's FIN was read
 * @is_done:	it was passed on, or the way is broken
 * @is_bulk:	splice: the last read filled the scratch buffer
 */
struct relay_way {
	uint64_t bytes;
	struct relay_pipe *pipe;
	uint8_t *memory;
	uint32_t memory_at;
	uint32_t held;
	bool is_ended;
	bool is_done;
	bool is_bulk;
};

/**
 * struct relay - two sockets (the caller's) and the two ways
 * @ways:	indexed by the side that the bytes come from
 * @is_readable: maybe; cleared when a read finds nothing
 * @is_writable: maybe; cleared when a write finds no room
 * @has_fin:	FIN may be behind the bytes: a short read is not the end
 */
struct relay {
	int fds[RELAY_SIDE_COUNT];
	struct relay_way ways[RELAY_SIDE_COUNT];
	bool is_readable[RELAY_SIDE_COUNT];
	bool is_writable[RELAY_SIDE_COUNT];
	bool has_fin[RELAY_SIDE_COUNT];
};

/** struct relay_tools - shared by all relays of a loop */
struct relay_tools {
	struct relay_pool pool;
	uint8_t scratch[RELAY_SCRATCH_BYTES];
};

enum relay_result {
	RELAY_WAIT = 0, /* nothing more can move until a socket says so */
	RELAY_AGAIN,    /* call again soon: others wait for their turn */
	RELAY_DONE,     /* both ways ended and everything is delivered */
	RELAY_BROKEN,   /* a reset or another error: close both hard */
};

/** relay_init() - both fds -1, nothing noted */
void relay_init(struct relay *relay);

/** relay_clear() - give pipes and memory back; the sockets stay */
void relay_clear(struct relay *relay, struct relay_tools *tools);

/** relay_change_origin() - forget all about the origin, whose socket is closed,
 * and what was counted; both ways are as new */
void relay_change_origin(struct relay *relay, struct relay_tools *tools);

/** relay_note() - take what an event said; @what as libevent's EV_ bits */
void relay_note(struct relay *relay, enum relay_side side, short what);

/** relay_run() - move what can be moved, both ways, a bounded amount */
enum relay_result relay_run(struct relay *relay, struct relay_tools *tools)
	__attribute__((warn_unused_result));

/**
 * relay_read() - bytes from @side for a caller that has to look at them
 * Return: bytes; 0: FIN (noted); -EAGAIN; -errno.
 */
ssize_t relay_read(struct relay *relay, enum relay_side side, void *buf,
		   size_t size) __attribute__((warn_unused_result));

/**
 * relay_send() - send what was read from @from to the other side, or hold it
 *
 * Counts as relay_run() does. Not after relay_run(), whose pipes it does not
 * know.
 *
 * Return: 0 or -errno (-ENOMEM, or the way is broken).
 */
int relay_send(struct relay *relay, enum relay_side from, const void *bytes,
	       size_t len) __attribute__((warn_unused_result));

/** relay_flush() - send what is held from @from. Return: 0: nothing is held
 * any more; -EAGAIN: something is; -errno: broken. */
int relay_flush(struct relay *relay, struct relay_tools *tools,
		enum relay_side from) __attribute__((warn_unused_result));

/** relay_pass_fin() - end the way from @from after its last byte was sent */
void relay_pass_fin(struct relay *relay, enum relay_side from);

#endif
