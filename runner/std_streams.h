/* SPDX-License-Identifier: MIT */
/*
 * std_streams: what the command gets as standard input, output and error.
 *
 * How it works: descriptors 0, 1 and 2 are the only ones a command inherits,
 * and each could be a way out: a directory opens files, a socket of the host's
 * network connects anywhere, a file open for reading can be opened again for
 * writing through /proc. So a terminal is replaced by a pseudo-terminal of the
 * run's own; a regular file, a device or a connected socket by a pipe that the
 * runner copies; a directory, an O_PATH descriptor or an unconnected socket is
 * refused. Pipes, /dev/null and its kin, which lead nowhere else, are handed on
 * as they are.
 */
#ifndef STD_STREAMS_H
#define STD_STREAMS_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "diag.h"
#include "relay_pump.h"
#include "terminal.h"

/* Three streams, and the two directions of a terminal. */
#define STD_STREAMS_MAX_PUMPS 5

/**
 * struct std_streams - the three streams; the caller owns the struct
 * @child:	what becomes 0, 1, 2 of the command; close_child() after fork
 * @terminal:	the pseudo-terminal, where one is used
 */
struct std_streams {
	int child[3];
	bool is_child_ours[3];
	int rewind_pipe; /* counts what of a regular input is unread, or -1 */
	struct terminal terminal;
	struct relay_pump *pumps[STD_STREAMS_MAX_PUMPS];
	size_t pump_count;
	size_t input_count; /* the first pumps carry input */
};

/**
 * std_streams_fill() - open /dev/null for each of 0, 1, 2 that is closed
 *
 * To be called before any other descriptor is made: a socket of ours that got
 * the number 2 would be written messages to.
 *
 * Return: 0 or -errno.
 */
int std_streams_fill(void) __attribute__((warn_unused_result));

/** std_streams_init() - nothing is looked at yet */
void std_streams_init(struct std_streams *streams);

/**
 * std_streams_open() - look at 0, 1 and 2 and make what is needed
 * Return: 0, or -1 with @diag set; std_streams_close() is due either way.
 */
int std_streams_open(struct std_streams *streams, struct diag *diag)
	__attribute__((warn_unused_result));

/** std_streams_close_child() - the runner's copies of the command's ends */
void std_streams_close_child(struct std_streams *streams);

/** std_streams_start() - the command runs: put the user's terminal into raw
 * mode where it is in use */
void std_streams_start(struct std_streams *streams);

/** std_streams_poll() - fill @fds with one entry per pump; returns how many */
size_t std_streams_poll(const struct std_streams *streams,
			struct pollfd fds[static STD_STREAMS_MAX_PUMPS]);

/** std_streams_step() - act on what poll(2) said */
void std_streams_step(struct std_streams *streams, const struct pollfd *fds);

/**
 * std_streams_finish() - the command is gone: copy what is left of its output,
 * give back the terminal, and leave the offset of a regular input file behind
 * the last byte that was read by the command, not by us
 */
void std_streams_finish(struct std_streams *streams);

/** std_streams_close() - release everything; safe after a failed open */
void std_streams_close(struct std_streams *streams);

#endif
