/* SPDX-License-Identifier: MIT */
/*
 * gate: makes the sandbox's sockets from the outside (DESIGN.md section 3).
 *
 * How it works: the gate is a fork of exeat. It learns the sandbox's first
 * process from bubblewrap's --info-fd, joins the network namespace of that
 * process through the user namespace that owns it, waits until bubblewrap has
 * raised lo there, makes the sockets and hands each to exeat-proxy. A socket
 * belongs for life to the namespace it was made in, so the proxy accepts
 * inside the sandbox and dials outside of it. Then it puts the host's files
 * into the sandbox (graft.h), hands over exeat-init, answers the proxy's
 * questions (gate_service.h) until the runner is gone, and cleans up after it:
 * bubblewrap's child waits without end for a bubblewrap that was killed before
 * it wrote the user map.
 */
#ifndef GATE_H
#define GATE_H

#include <stdint.h>
#include <sys/types.h>

#include "fence_plan.h"

struct policy;

/**
 * struct gate_settings - what the gate process works with; all borrowed
 * @runner:	SOCK_SEQPACKET pair to the runner: UP, FAILED (handoff.h)
 * @proxy:	SOCK_SEQPACKET pair to exeat-proxy: LISTENER, SEALED
 * @service:	SOCK_SEQPACKET pair to exeat-proxy: its questions (service.h)
 * @info:	read end of bubblewrap's --info-fd
 * @bwrap:	bubblewrap, which leads a process group
 * @policy:	what the sockets are for
 * @proxy_port:	port on 127.0.0.1 inside where the proxy listens
 * @capture_port: port inside of the listener for connections that ignore the
 *		proxy; 0: they are not captured
 * @init:	write end of the pipe for exeat-init (init_pipe.h)
 * @init_path:	exeat-init on the host
 * @plan:	whose mounts are made
 * @live_folder, @left_over: a folder and the file in it that a killed runner
 *		would leave behind; or NULL
 */
struct gate_settings {
	int runner;
	int proxy;
	int service;
	int info;
	pid_t bwrap;
	const struct policy *policy;
	uint16_t proxy_port;
	uint16_t capture_port;
	int init;
	const char *init_path;
	const struct fence_plan *plan;
	int live_folder;
	const char *left_over;
};

/** gate_run() - the life of the gate process; never returns */
_Noreturn void gate_run(const struct gate_settings *settings);

#endif
