/* SPDX-License-Identifier: MIT */
/* confine: gives up, for good, what this process does not need. */
#ifndef CONFINE_H
#define CONFINE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * confine_early() - before any foreign byte is read
 *
 * No new privileges by exec, and no dump of our memory, which holds what
 * clients sent: an attacker of the same user could read or trace it otherwise.
 *
 * Return: 0 or -errno.
 */
int confine_early(void) __attribute__((warn_unused_result));

/**
 * struct confine_settings - what is still needed
 * @reads:	folders and files that a reload or the resolver reads, @count
 *		of them; none: no file is opened any more
 * @removes_files: a Unix socket has to be unlinked at the end
 */
struct confine_settings {
	const char *const *reads;
	size_t count;
	bool removes_files;
};

/**
 * confine_late() - when everything is open, before the first client
 *
 * A list of system calls that a relay needs, nothing else: whoever takes this
 * process over through a parser can execute nothing, trace nothing, make no
 * code writable or writable memory code, and open no file but @reads, for
 * reading. Where the kernel lacks Landlock any file may be read if @reads has
 * one.
 *
 * Return: 0 or -errno.
 */
int confine_late(const struct confine_settings *settings)
	__attribute__((warn_unused_result));

#endif
