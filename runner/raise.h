/* SPDX-License-Identifier: MIT */
/*
 * raise: starts bubblewrap, proxy and gate, and knows when all are up.
 *
 * How it works: bubblewrap is on the longest way, so it is started before it is
 * worked out what the fence looks like: it reads its options from a pipe, and
 * loading it takes about as long as that does. Once it has them and is busy
 * with mounts, proxy and gate are started beside it. The command is held back
 * by exeat-init inside the finished sandbox. Three messages must come before
 * GO is sent: READY from exeat-proxy (every listener accepts), UP from the gate
 * (every socket is made and handed over) and READY from exeat-init. Anything
 * else - an end of file, a FAILED, a signal, too much time - and everything is
 * killed; without GO the command can never run.
 */
#ifndef RAISE_H
#define RAISE_H

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "fence_plan.h"
#include "text.h"

struct host_listen;
struct policy;

/**
 * struct raise_settings - what is to be started; all borrowed
 * @proxy_argv:	NULL-terminated, [0] is its path
 * @home:	the proxy's HOME, or NULL
 * @audit:	descriptor for records
 * @policy_text, @policy_len: the policy file, or NULL
 * @bwrap:	path of bubblewrap
 * @init_argv:	NULL-terminated: exeat-init's path inside, then the command
 * @streams:	what becomes 0, 1, 2 of the command
 * @terminal:	becomes its controlling terminal, or -1
 * @policy:	for the gate
 * @proxy_port:	on 127.0.0.1 inside
 * @capture_port: of the listener for what ignores the proxy, or 0
 * @live_folder, @left_over: a folder, or -1, and the file in it that the gate
 *		removes when this process is killed
 * @listen:	ports of the host for servers inside; handed over
 * @signals:	a signalfd of the signals that end a run
 */
struct raise_settings {
	char **proxy_argv;
	const char *home;
	int audit;
	const char *policy_text;
	size_t policy_len;
	const char *bwrap;
	char **init_argv;
	const int *streams;
	int terminal;
	const struct policy *policy;
	uint16_t proxy_port;
	uint16_t capture_port;
	int live_folder;
	const char *left_over;
	struct host_listen *listen;
	int signals;
};

/* In bubblewrap: 0, 1 the command's, 2 its own messages, 3 and 4 exeat-init's
 * (handoff.h), then these. */
enum raise_fd {
	RAISE_INFO_FD = 5,
	RAISE_ARGS_FD = 6,
	RAISE_FILTER_FD = 7,  /* for system calls (syscall_table.h) */
	RAISE_PROGRAM_FD = 8, /* exeat-init itself, by pipe (init_pipe.h) */
};

/**
 * struct raise_far - descriptors that belong to the children; ours to close
 * once each is started
 */
struct raise_far {
	int proxy_runner; /* pair runner-proxy */
	int gate_runner;  /* pair runner-gate */
	int gate_proxy;   /* pair gate-proxy, the gate's end */
	int proxy_gate;   /* and the proxy's */
	int gate_service; /* another such pair, for questions */
	int proxy_service;
	int init;
	int info_read;
	int info_write;
	int setup_write;
	int args;
	int filter;
	int policy;
	int null;
	int init_read; /* exeat-init goes through this pipe */
	int init_write;
};

/**
 * struct raised - the processes of a run and our ends of their pairs
 * @command:	exeat-init, later the command, as seen from outside
 * @command_fd:	pidfd of it
 * @setup:	what bubblewrap writes to its standard error
 * @args:	write end of the pipe that it reads its options from
 */
struct raised {
	pid_t proxy;
	pid_t bwrap;
	pid_t gate;
	pid_t command;
	int proxy_pair;
	int gate_pair;
	int init_pair;
	int setup;
	int command_fd;
	int args;
	struct raise_far far;
};

/** raised_init() - nothing is started */
void raised_init(struct raised *raised);

/**
 * raise_start() - start bubblewrap, which waits for its options
 * Return: 0, or -1 with @why filled; raised_clear() is due either way.
 */
int raise_start(struct raised *raised, const struct raise_settings *settings,
		struct text *why) __attribute__((warn_unused_result));

/**
 * struct raise_options - the fence as it is to be raised; all borrowed
 * @plan:	the gate's part of it
 * @init_path:	exeat-init on the host
 * @args, @len:	bubblewrap's part, NUL-separated, as --args takes them
 */
struct raise_options {
	const struct fence_plan *plan;
	const char *init_path;
	const char *args;
	size_t len;
};

/**
 * raise_fence() - give bubblewrap its options, and start proxy and gate
 *
 * That bubblewrap has ended is no error here: raise_wait() says why.
 *
 * Return: 0, or -1 with @why filled.
 */
int raise_fence(struct raised *raised, const struct raise_settings *settings,
		const struct raise_options *options, struct text *why)
	__attribute__((warn_unused_result));

/**
 * raise_wait() - wait until every part is in place
 * Return: 0; the number of a signal that came first; -1 with @why filled.
 */
int raise_wait(struct raised *raised, int signals, struct text *why)
	__attribute__((warn_unused_result));

/** raise_go() - let the command run, in the Landlock ruleset @domain, or -1
 * Return: 0 or -errno. */
int raise_go(struct raised *raised, uint32_t flags, int domain)
	__attribute__((warn_unused_result));

/** raised_clear() - kill and reap what is left, close every pair */
void raised_clear(struct raised *raised);

#endif
