/* SPDX-License-Identifier: MIT */
/*
 * service: what exeat-proxy asks of the gate while a command runs.
 *
 * How it works: a SOCK_SEQPACKET pair of its own (HANDOFF_FD_SERVICE) carries
 * one struct service_question a packet, and one struct service_answer for each,
 * with the same id. Neither side ever waits for the other here: what cannot be
 * sent or is not there yet is -EAGAIN.
 */
#ifndef SERVICE_H
#define SERVICE_H

#include <stddef.h>
#include <stdint.h>

#include "netaddr.h"

/* Questions that may be under way: their answers fit into the pair's buffer. */
#define SERVICE_WINDOW       32
#define SERVICE_EXE_BYTES    256
#define SERVICE_ARGV0_BYTES  201
#define SERVICE_PARENT_BYTES 401
#define SERVICE_SOCKETS_MAX  16

enum service_kind {
	SERVICE_WHO = 1, /* which process has the socket of @flow? */
	SERVICE_SOCKETS, /* make TCP sockets in the sandbox's network:
			    SERVICE_SOCKETS_MAX of AF_INET, or of AF_INET6 */
};

/* What is known of a process. */
enum service_process {
	SERVICE_UNKNOWN = 0, /* no answer in time */
	SERVICE_FOUND,
	SERVICE_GONE,   /* nobody holds that socket any more */
	SERVICE_HIDDEN, /* somebody does who cannot be looked at */
};

/**
 * struct service_flow - a socket inside, by its two ends
 * @protocol:	IPPROTO_TCP or IPPROTO_UDP
 * @inner:	its own end
 * @outer:	whom it talks to; all zero but the family: a listener
 */
struct service_flow {
	uint32_t protocol;
	uint16_t inner_port;
	uint16_t outer_port;
	struct netaddr inner;
	struct netaddr outer;
};

/**
 * struct service_question - one question
 * @family:	of sockets
 * @wants_parents: the processes above it too
 */
struct service_question {
	uint32_t kind;
	uint32_t id;
	uint32_t family;
	uint32_t wants_parents;
	struct service_flow flow;
};

/**
 * struct service_answer - one answer; strings are NUL-terminated
 * @process:	enum service_process
 * @pid:	as the sandbox counts, or 0
 * @exe:	path of its program, as seen inside
 * @argv0:	the name it goes by
 * @parents:	"PID ARGV0" of the processes above it, nearest first, a line
 *		each
 * @count:	sockets that came along, see service_receive_answer()
 */
struct service_answer {
	uint32_t kind;
	uint32_t id;
	uint32_t process;
	uint32_t pid;
	uint32_t count;
	char exe[SERVICE_EXE_BYTES];
	char argv0[SERVICE_ARGV0_BYTES];
	char parents[SERVICE_PARENT_BYTES];
};

/** service_ask() - Return: 0 or -errno; -EAGAIN: not now. */
int service_ask(int pair, const struct service_question *question)
	__attribute__((warn_unused_result));

/** service_hear() - Return: 1; 0 at end of file; -errno. */
int service_hear(int pair, struct service_question *question_out)
	__attribute__((warn_unused_result));

/**
 * service_answer() - send @answer with answer->count descriptors of @fds
 * Return: 0 or -errno.
 */
int service_answer(int pair, const struct service_answer *answer,
		   const int *fds) __attribute__((warn_unused_result));

/**
 * service_receive() - one answer
 * @fds_out:	answer_out->count descriptors, close-on-exec, the caller's
 *
 * Return: 1; 0 at end of file; -errno.
 */
int service_receive(int pair, struct service_answer *answer_out,
		    int fds_out[static SERVICE_SOCKETS_MAX])
	__attribute__((warn_unused_result));

#endif
