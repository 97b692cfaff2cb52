/* SPDX-License-Identifier: MIT */
/* gate_capture: whatever the command connects to leads to exeat-proxy. */
#include "gate_capture.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capture_rules.h"
#include "gate.h"
#include "handoff.h"
#include "netns.h"
#include "policy.h"

#define PORT_OF_DNS 53

/* Nobody but the proxy may accept or answer, see gate.c. */
static int hand_over(const struct gate_settings *settings,
		     enum handoff_listener kind, int fd_own)
{
	const struct handoff_message message = {
		.type = HANDOFF_LISTENER,
		.number = kind,
	};

	if (fd_own < 0)
		return fd_own;
	int rc = handoff_send(settings->proxy, &message, fd_own);
	(void)close(fd_own);
	return rc;
}

static int open_capture(const struct gate_settings *settings, bool has_ipv6)
{
	const struct netns_socket wanted = {
		.type = SOCK_STREAM,
		.port = settings->capture_port,
		.is_transparent = true,
		.is_ipv4_only = !has_ipv6,
	};
	int rc = capture_add_rules(settings->capture_port);

	return rc != 0 ? rc
		       : hand_over(settings, HANDOFF_LISTENER_CAPTURE,
				   netns_socket(&wanted));
}

/* Where there is no IPv6 the sockets say so, and no name gets an address of
 * it. */
static int open_names(const struct gate_settings *settings, bool has_ipv6)
{
	struct netns_socket wanted = {
		.type = SOCK_DGRAM,
		.port = PORT_OF_DNS,
		.is_ipv4_only = !has_ipv6,
	};
	int rc = hand_over(settings, HANDOFF_LISTENER_DNS_UDP,
			   netns_socket(&wanted));

	wanted.type = SOCK_STREAM;
	return rc != 0 ? rc
		       : hand_over(settings, HANDOFF_LISTENER_DNS_TCP,
				   netns_socket(&wanted));
}

int gate_capture(const struct gate_settings *settings, struct text *note,
		 const char **what_out)
{
	bool has_ipv6 = false;
	int rc = capture_add_routes(&has_ipv6);

	(void)note;
	*what_out = "making every address local to the sandbox";
	if (rc != 0)
		return rc;
	*what_out = "making the listener for what ignores the proxy";
	rc = open_capture(settings, has_ipv6);
	if (rc != 0)
		return rc;
	*what_out = "making the sockets for names";
	return open_names(settings, has_ipv6);
}
