/* SPDX-License-Identifier: MIT */
/* gate: makes the sandbox's sockets from the outside. */
#include "gate.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bwrap_info.h"
#include "gate_capture.h"
#include "gate_service.h"
#include "gate_tap.h"
#include "graft.h"
#include "handoff.h"
#include "init_pipe.h"
#include "netns.h"
#include "text.h"

/* bubblewrap needs a few milliseconds; a machine that is swapping needs more,
 * and one that needs this long has a problem worth a message. */
#define GATE_STEP_TIMEOUT_MS 20000

/* The end of the gate's life comes after the runner's, or by its hand. */
static _Noreturn void wait_for_end(const struct gate_settings *settings,
				   int timeout_ms)
{
	/* No event is asked for: only the other side's end wakes us. */
	struct pollfd runner = {.fd = settings->runner};

	while (poll(&runner, 1, timeout_ms) < 0 && errno == EINTR) {
	}
	/* The number cannot be another group's: either one of this group lives,
	 * or the runner died just now without having reaped its leader. */
	if ((runner.revents & POLLHUP) != 0) {
		(void)kill(-settings->bwrap, SIGKILL);
		if (settings->left_over != NULL)
			(void)unlinkat(settings->live_folder,
				       settings->left_over, 0);
	}
	/* First to the runner: the proxy will end too, and must not look like
	 * the cause. At exit the kernel closes in an order of its own. */
	(void)close(settings->runner);
	_exit(EXIT_OWN_FAILURE);
}

/* Report and end. Whatever was handed over so far is useless without UP. */
static _Noreturn void fail_text(const struct gate_settings *settings,
				const char *text)
{
	handoff_say(settings->runner, HANDOFF_FAILED, 0, "%s", text);
	wait_for_end(settings, -1);
}

static _Noreturn void fail(const struct gate_settings *settings, int rc,
			   const char *what)
{
	handoff_say(settings->runner, HANDOFF_FAILED, (uint32_t)-rc, "%s: %s",
		    what, strerror(-rc));
	wait_for_end(settings, -1);
}

static int hand_over_listener(const struct gate_settings *settings)
{
	struct handoff_message message = {
		.type = HANDOFF_LISTENER,
		.number = HANDOFF_LISTENER_PROXY,
	};
	int fd = netns_listen_loopback(AF_INET, settings->proxy_port);

	if (fd < 0)
		return fd;
	int rc = handoff_send(settings->proxy, &message, fd);
	/* Nobody but the proxy may accept: with a second copy the port would
	 * stay open after the proxy's death, and connections would hang. */
	(void)close(fd);
	return rc;
}

static void capture(const struct gate_settings *settings, int rules_rc,
		    struct handoff_message *up)
{
	const char *what = NULL;
	struct text note;

	text_init(&note, up->text, sizeof(up->text));
	int rc = gate_capture(settings, rules_rc, &note, &what);
	if (rc != 0)
		fail(settings, rc, what);
}

/* Report a failure with a network part of the gate. */
static _Noreturn void fail_network(const struct gate_settings *settings, int rc,
				   const char *what)
{
	handoff_say(settings->runner, HANDOFF_FAILED, (uint32_t)-rc,
		    "the gate into the sandbox's network could not be made: "
		    "%s: %s\n  check: bwrap --unshare-all --ro-bind / / true, "
		    "and that no security module keeps a parent out of its "
		    "children's namespaces",
		    what, strerror(-rc));
	wait_for_end(settings, -1);
}

/* A kernel without packet sockets lacks records, not a wall. */
static void hand_over_tap(const struct gate_settings *settings,
			  struct handoff_message *up)
{
	const struct handoff_message message = {
		.type = HANDOFF_LISTENER,
		.number = HANDOFF_LISTENER_TAP,
	};
	int fd = gate_tap_open();
	/* Our copy stays open: whoever closes the last one waits (gate_tap.h),
	 * and for us nobody does. */
	int rc = fd >= 0 ? handoff_send(settings->proxy, &message, fd) : fd;

	if (rc != 0 && up->text[0] == '\0')
		(void)snprintf(up->text, sizeof(up->text),
			       "there are no packet sockets here (%s): UDP, "
			       "ICMP and refused connections are not recorded",
			       strerror(-rc));
}

static void open_network(const struct gate_settings *settings, pid_t child,
			 struct handoff_message *up)
{
	const struct handoff_message sealed = {.type = HANDOFF_SEALED};
	int rc = netns_join(child);

	if (rc == -EXDEV)
		fail_network(settings, rc,
			     "bubblewrap made no network namespace of its own");
	if (rc != 0)
		fail_network(settings, rc,
			     "joining the sandbox's network namespace");
	/* These need no lo, and bubblewrap takes its time. */
	int rules_rc = gate_capture_rules(settings);
	rc = netns_wait_loopback(settings->runner, GATE_STEP_TIMEOUT_MS);
	if (rc != 0)
		fail_network(settings, rc, "waiting for the sandbox's lo");
	rc = hand_over_listener(settings);
	if (rc != 0)
		fail_network(settings, rc, "making the proxy's listener");
	capture(settings, rules_rc, up);
	hand_over_tap(settings, up);
	rc = handoff_send(settings->proxy, &sealed, -1);
	if (rc != 0)
		fail_network(settings, rc, "talking to exeat-proxy");
}

/* bubblewrap waits for exeat-init; what it has built so far is completed. */
static void put_files(const struct gate_settings *settings,
		      struct init_pipe *init, pid_t child,
		      struct gate_service *service)
{
	char buf[HANDOFF_TEXT_BYTES];
	struct text why;
	int rc = init_pipe_wait(init, settings->runner, GATE_STEP_TIMEOUT_MS);

	if (rc == -EPIPE)
		wait_for_end(settings, 0);
	if (rc != 0)
		fail(settings, rc, "waiting for bubblewrap's mounts");
	text_init(&why, buf, sizeof(buf));
	if (graft(settings->plan, child, &why) != 0)
		fail_text(settings, buf);
	rc = gate_service_enter(service, GRAFT_SANDBOX "/proc");
	if (rc != 0)
		fail(settings, rc, "the sandbox's /proc");
	rc = init_pipe_finish(init);
	if (rc != 0)
		fail(settings, rc, "handing over exeat-init");
}

/* Until the runner is gone. */
static _Noreturn void serve(const struct gate_settings *settings,
			    struct gate_service *service)
{
	for (;;) {
		struct pollfd fds[] = {
			{.fd = settings->runner},
			{ .fd = service->pair,      .events = POLLIN},
		};

		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[0].revents != 0)
			wait_for_end(settings, -1);
		if (fds[1].revents != 0)
			gate_service_serve(service);
	}
}

_Noreturn void gate_run(const struct gate_settings *settings)
{
	struct handoff_message up = {.type = HANDOFF_UP};
	struct gate_service service;
	struct init_pipe init;
	pid_t child;

	int rc = init_pipe_fill(&init, settings->init, settings->init_path);
	if (rc != 0)
		fail(settings, rc, settings->init_path);
	rc = bwrap_info_read_child(settings->info, settings->runner,
				   GATE_STEP_TIMEOUT_MS, &child);
	if (rc == -EPIPE)
		/* bubblewrap ended before it made a sandbox: its own message,
		 * which the runner reads, says why. */
		wait_for_end(settings, 0);
	if (rc != 0)
		fail(settings, rc, "waiting for bubblewrap's child");
	open_network(settings, child, &up);
	gate_service_init(&service, settings->service);
	netns_open_low_ports();
	put_files(settings, &init, child, &service);
	if (handoff_send(settings->runner, &up, -1) != 0)
		wait_for_end(settings, 0);
	serve(settings, &service);
}
