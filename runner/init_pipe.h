/* SPDX-License-Identifier: MIT */
/*
 * init_pipe: the program exeat-init on its way into the sandbox, which holds
 * bubblewrap back until the mounts are in place.
 *
 * How it works: exeat-init is the last file that bubblewrap makes, and it reads
 * it from a pipe. The pipe is filled to the brim; when there is room again,
 * bubblewrap has begun to read, so everything before that file is built, and
 * it waits for the rest. Whoever then dies leaves half a program, which nobody
 * can execute.
 */
#ifndef INIT_PIPE_H
#define INIT_PIPE_H

#include <stddef.h>

/**
 * struct init_pipe - the way of one program
 * @pipe:	write end, borrowed until init_pipe_finish()
 * @program:	opened for reading
 * @filled:	bytes of it that are in the pipe; what is shorter than the pipe
 *		has zeros behind it, which harm nobody
 */
struct init_pipe {
	int pipe;
	int program;
	size_t filled;
};

/**
 * init_pipe_fill() - open @path and fill @pipe with its beginning
 * @pipe:	write end of an empty pipe
 * Return: 0 or -errno.
 */
int init_pipe_fill(struct init_pipe *way, int pipe, const char *path)
	__attribute__((warn_unused_result));

/**
 * init_pipe_wait() - wait until bubblewrap has begun to read
 * @watch:	stop at end of file or an error of this descriptor too
 * Return: 0; -EPIPE: bubblewrap is gone; -ECANCELED: @watch is; -ETIMEDOUT;
 * another -errno.
 */
int init_pipe_wait(const struct init_pipe *way, int watch, int timeout_ms)
	__attribute__((warn_unused_result));

/**
 * init_pipe_finish() - write the rest and close both
 * Return: 0 or -errno.
 */
int init_pipe_finish(struct init_pipe *way) __attribute__((warn_unused_result));

#endif
