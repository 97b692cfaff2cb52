/* SPDX-License-Identifier: MIT */
/* gate: makes the sandbox's sockets from the outside. */
#include "gate.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bwrap_info.h"
#include "handoff.h"
#include "netns.h"

/* bubblewrap needs a few milliseconds; a machine that is swapping needs more,
 * and one that needs this long has a problem worth a message. */
#define GATE_STEP_TIMEOUT_MS 20000

/* Report and end. Whatever was handed over so far is useless without UP. */
static _Noreturn void fail(const struct gate_settings *settings, int rc,
			   const char *what)
{
	handoff_say(settings->runner, HANDOFF_FAILED, (uint32_t)-rc, "%s: %s",
		    what, strerror(-rc));
	_exit(EXIT_OWN_FAILURE);
}

static int hand_over_listener(const struct gate_settings *settings)
{
	struct handoff_message message = {
		.type = HANDOFF_LISTENER,
		.number = HANDOFF_LISTENER_PROXY,
	};
	int fd = netns_listen_loopback(settings->proxy_port);

	if (fd < 0)
		return fd;
	int rc = handoff_send(settings->proxy, &message, fd);
	/* Nobody but the proxy may accept: with a second copy the port would
	 * stay open after the proxy's death, and connections would hang. */
	(void)close(fd);
	return rc;
}

/* Nothing to do but to notice who is gone first. */
static void stay(const struct gate_settings *settings)
{
	struct pollfd fds[] = {
		{.fd = settings->runner, .events = POLLIN},
		{.fd = settings->proxy,  .events = POLLIN},
	};

	while (poll(fds, 2, -1) < 0 && errno == EINTR) {
	}
}

_Noreturn void gate_run(const struct gate_settings *settings)
{
	struct handoff_message message = {.type = HANDOFF_SEALED};
	pid_t child;

	int rc = bwrap_info_read_child(settings->info, settings->runner,
				       GATE_STEP_TIMEOUT_MS, &child);
	if (rc == -EPIPE)
		/* bubblewrap ended before it made a sandbox: its own message,
		 * which the runner reads, says why. */
		_exit(EXIT_OWN_FAILURE);
	if (rc != 0)
		fail(settings, rc, "waiting for bubblewrap's child");
	rc = netns_join(child);
	if (rc != 0)
		fail(settings, rc, "joining the sandbox's network namespace");
	rc = netns_wait_loopback(settings->runner, GATE_STEP_TIMEOUT_MS);
	if (rc != 0)
		fail(settings, rc, "waiting for the sandbox's lo");
	rc = hand_over_listener(settings);
	if (rc != 0)
		fail(settings, rc, "making the proxy's listener");
	rc = handoff_send(settings->proxy, &message, -1);
	if (rc != 0)
		fail(settings, rc, "talking to exeat-proxy");
	message.type = HANDOFF_UP;
	rc = handoff_send(settings->runner, &message, -1);
	if (rc == 0)
		stay(settings);
	_exit(0);
}
