/* SPDX-License-Identifier: MIT */
/*
 * handoff: the contract between exeat, its gate, exeat-proxy and exeat-init.
 *
 * How it works: every pair is an inherited SOCK_SEQPACKET pair and carries
 * struct handoff_message, one a packet, with at most one descriptor beside it
 * (SCM_RIGHTS). End of file on a pair means that the other side is gone, and
 * then whoever notices stops: nothing goes on half fenced.
 *
 *   runner --(HANDOFF_FD_RUNNER)-- exeat-proxy	READY, FAILED, STOP, DENIED,
 * DONE gate   --(HANDOFF_FD_GATE)---- exeat-proxy	LISTENER, SEALED runner
 * --(its own)------------ gate	UP, FAILED runner --(HANDOFF_FD_INIT)----
 * exeat-init	READY, GO, FAILED
 *
 * exeat-proxy is started as
 *   exeat-proxy --handoff RUN [--verbose] [--policy NAME] POLICY-FLAGS...
 * in the runner's working directory, with HOME alone in its environment and
 * the descriptors below. RUN is the run id for its audit records, whose seq
 * starts at HANDOFF_FIRST_PROXY_SEQ. The text of the policy file NAME is read
 * from HANDOFF_FD_POLICY, not from the path, so that runner and proxy cannot
 * see two versions of it.
 */
#ifndef HANDOFF_H
#define HANDOFF_H

#include <stdint.h>

enum handoff_fd {
	HANDOFF_FD_INIT = 3,        /* in exeat-init only, */
	HANDOFF_FD_INIT_STDERR = 4, /* and the command's standard error */
	HANDOFF_FD_RUNNER = 3,
	HANDOFF_FD_GATE = 4,
	HANDOFF_FD_AUDIT = 5,   /* O_APPEND; records go here */
	HANDOFF_FD_POLICY = 6,  /* only with --policy */
	HANDOFF_FD_SERVICE = 7, /* to the gate: service.h */
};

/* The runner's run_start record is the first of a run. */
#define HANDOFF_FIRST_PROXY_SEQ 2

/* Exit codes of exeat's own, beside the command's. */
enum handoff_exit {
	EXIT_TIME_LIMIT = 124,
	EXIT_OWN_FAILURE = 125,
	EXIT_CANNOT_EXECUTE = 126,
	EXIT_NOT_FOUND = 127,
	EXIT_SIGNAL_BASE = 128,
};

enum handoff_type {
	HANDOFF_READY = 1, /* this side is up; proxy: all listeners accept */
	HANDOFF_FAILED,    /* @text says what and how to mend it, @number
			      is an errno or 0 */
	HANDOFF_LISTENER,  /* a listening socket is attached; @number is an
			      enum handoff_listener */
	HANDOFF_SEALED,    /* no more listeners will come before READY */
	HANDOFF_UP,        /* gate: every socket is made and handed over, and
			      every mount is in place; @text: what the user
			      should know, or "" */
	HANDOFF_GO,        /* init: execute the command; @number holds
			      HANDOFF_GO_ flags */
	HANDOFF_STOP,      /* proxy: close tunnels, write records, answer
			      DENIED..., DONE, exit */
	HANDOFF_DENIED,    /* @text "HOST:PORT", @detail the flag that
			      would allow it, @number how often */
	HANDOFF_DONE,      /* proxy: @number is the next audit seq */
};

enum handoff_listener {
	HANDOFF_LISTENER_PROXY = 1,
	HANDOFF_LISTENER_CAPTURE, /* each connection's own address is the one
				     that the client meant to reach */
	HANDOFF_LISTENER_DNS_UDP, /* not listening: datagrams with PKTINFO */
	HANDOFF_LISTENER_DNS_TCP,
	HANDOFF_LISTENER_TAP, /* not listening: a packet socket, tap_socket.h */
	HANDOFF_LISTENER_INBOUND, /* of the host, from the runner: for servers
				     inside (ports.listen) */
};

enum handoff_go {
	HANDOFF_GO_TERMINAL = 1, /* one of 0, 1, 2 is the run's own terminal:
				    take its foreground */
	HANDOFF_GO_DOMAIN = 2,   /* a Landlock ruleset is attached: enter it */
};

#define HANDOFF_TEXT_BYTES 512

/** struct handoff_message - fixed size; strings NUL-terminated */
struct handoff_message {
	uint32_t type;
	uint32_t number;
	char text[HANDOFF_TEXT_BYTES];
	char detail[HANDOFF_TEXT_BYTES];
};

/**
 * handoff_send() - one message, with @fd attached unless it is -1
 * Return: 0 or -errno.
 */
int handoff_send(int pair, const struct handoff_message *message, int fd)
	__attribute__((warn_unused_result));

/**
 * handoff_receive() - one message
 * @fd_out:	the descriptor attached (close-on-exec, the caller's), or -1;
 *		NULL: none is expected and any that comes is closed
 *
 * Return: 1; 0 at end of file; -errno (-EAGAIN: nothing yet; -EPROTO: not a
 * message).
 */
int handoff_receive(int pair, struct handoff_message *message_out, int *fd_out)
	__attribute__((warn_unused_result));

/** handoff_say() - send a message of @type with printf text and no fd;
 * errors are ignored: the other side's end of file says the same */
void handoff_say(int pair, enum handoff_type type, uint32_t number,
		 const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
