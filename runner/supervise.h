/* SPDX-License-Identifier: MIT */
/* supervise: the time between GO and the command's end. */
#ifndef SUPERVISE_H
#define SUPERVISE_H

#include <stdbool.h>
#include <stdint.h>

#include "handoff.h"
#include "raise.h"
#include "std_streams.h"
#include "text.h"

/**
 * struct supervise_end - how the command ended
 * @exit_code:	for exeat itself, see handoff.h
 * @exec_errno:	not 0: the command could not be executed
 * @is_late:	the time limit ended it
 */
struct supervise_end {
	int exit_code;
	int exec_errno;
	bool is_late;
};

/**
 * supervise() - copy streams, forward signals, keep the time limit, and notice
 * when any part of the fence is gone
 * @signals:	signalfd of every signal that is blocked
 * @wall_ms:	time limit, 0: none
 * @why:	filled where exeat itself failed (EXIT_OWN_FAILURE)
 *
 * On return the sandbox is gone with everything in it.
 */
struct supervise_end supervise(struct raised *raised,
			       struct std_streams *streams, int signals,
			       uint64_t wall_ms, struct text *why);

/** supervise_on_denied - told by the proxy at the end */
typedef void supervise_on_denied(const struct handoff_message *message,
				 void *arg);

/**
 * supervise_hear_proxy() - what the proxy, which was told to end, has to say
 * @on_denied:	called for each destination that was denied
 * Return: the next audit seq, or 0 where the proxy did not say.
 */
uint32_t supervise_hear_proxy(struct raised *raised,
			      supervise_on_denied *on_denied, void *arg);

#endif
