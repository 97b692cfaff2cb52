/* SPDX-License-Identifier: MIT */
/* init_channel: the runner's end of its pair with exeat-init. */
#ifndef INIT_CHANNEL_H
#define INIT_CHANNEL_H

#include <sys/types.h>

#include "handoff.h"

/** init_channel_open() - make the pair; @ends_out[0] is the runner's, which
 * learns the sender's pid; both close-on-exec. Return: 0 or -errno. */
int init_channel_open(int ends_out[static 2])
	__attribute__((warn_unused_result));

/**
 * init_channel_receive() - one message and who sent it
 * @pid_out:	the sender's pid as the runner sees it: the kernel translates
 *		between pid namespaces (unix(7), SCM_CREDENTIALS), so nothing
 *		inside can claim to be another process
 *
 * Return: 1; 0 at end of file; -errno.
 */
int init_channel_receive(int pair, struct handoff_message *message_out,
			 pid_t *pid_out) __attribute__((warn_unused_result));

#endif
