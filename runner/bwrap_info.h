/* SPDX-License-Identifier: MIT */
/* bwrap_info: what bubblewrap says of its child on --info-fd. */
#ifndef BWRAP_INFO_H
#define BWRAP_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/**
 * bwrap_info_parse() - find "child-pid" in what came so far
 * @text:	NUL-terminated
 * @child_out:	untouched unless found
 *
 * Return: true when the whole number is there.
 */
bool bwrap_info_parse(const char *text, pid_t *child_out)
	__attribute__((warn_unused_result));

/**
 * bwrap_info_read_child() - wait for the sandbox's first process
 * @info:	read end of the --info-fd pipe
 * @watch:	stop at end of file or an error of this descriptor too
 * @timeout_ms:	for all of it
 *
 * Return: 0; -EPIPE: bubblewrap ended first; -ECANCELED: @watch is gone;
 * -ETIMEDOUT; -EPROTO: not the expected text; another -errno.
 */
int bwrap_info_read_child(int info, int watch, int timeout_ms, pid_t *child_out)
	__attribute__((warn_unused_result));

#endif
