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
#include "rule.h"

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

static int open_everywhere(const struct gate_settings *settings, uint16_t port,
			   bool has_ipv6)
{
	const struct netns_socket wanted = {
		.type = SOCK_STREAM,
		.port = port,
		.is_transparent = true,
		.is_ipv4_only = !has_ipv6,
	};

	return hand_over(settings, HANDOFF_LISTENER_CAPTURE,
			 netns_socket(&wanted));
}

/* The host's ports that are given back, both spellings of loopback. */
static int open_loopback(const struct gate_settings *settings, uint16_t port)
{
	int rc = hand_over(settings, HANDOFF_LISTENER_CAPTURE,
			   netns_listen_loopback(AF_INET, port));

	if (rc != 0)
		return rc;
	rc = hand_over(settings, HANDOFF_LISTENER_CAPTURE,
		       netns_listen_loopback(AF_INET6, port));
	/* Without IPv6 nobody can ask for ::1 either. */
	return rc == -EAFNOSUPPORT ? 0 : rc;
}

static bool has_listen_port(const struct policy *policy, uint32_t port)
{
	for (size_t i = 0; i < policy->ports.listen_count; i++)
		if (policy->ports.listen[i].port == port)
			return true;
	return false;
}

static void mark_ports(const struct policy *policy, struct rule_ports *marked)
{
	memset(marked, 0, sizeof(*marked));
	rule_set_mark_ports(policy->rules, marked);
	for (size_t i = 0; i < policy->ports.connect.count; i++)
		rule_ports_add(marked, policy->ports.connect.items[i]);
}

/* Without tproxy: a listener for each port that could be allowed. What the
 * command itself listens on stays its own. */
static int open_each_port(const struct gate_settings *settings,
			  const struct rule_ports *marked, bool has_ipv6)
{
	int rc = 0;

	for (uint32_t port = 1; port <= UINT16_MAX && rc == 0; port++)
		if (rule_ports_has(marked, (uint16_t)port) &&
		    port != PORT_OF_DNS && port != settings->proxy_port &&
		    !has_listen_port(settings->policy, port))
			rc = open_everywhere(settings, (uint16_t)port,
					     has_ipv6);
	return rc;
}

/* No rules: the ports that have listeners on every address now are @marked. */
static int open_marked(const struct gate_settings *settings, bool has_ipv6,
		       struct rule_ports *marked, const char *why,
		       struct text *note)
{
	text_addf(note,
		  "this kernel has no nf_tables tproxy (%s): connections "
		  "that ignore the proxy are captured on ports of the policy "
		  "only; on others they are refused and not recorded",
		  why);
	mark_ports(settings->policy, marked);
	return open_each_port(settings, marked, has_ipv6);
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

static int open_all(const struct gate_settings *settings, int rules_rc,
		    struct rule_ports *marked, struct text *note)
{
	bool has_ipv6 = false;
	int rc = capture_add_routes(&has_ipv6);

	if (rc == 0 && rules_rc == 0)
		rc = open_everywhere(settings, settings->capture_port,
				     has_ipv6);
	else if (rc == 0)
		rc = open_marked(settings, has_ipv6, marked,
				 strerror(-rules_rc), note);
	return rc == 0 ? open_names(settings, has_ipv6) : rc;
}

int gate_capture_rules(const struct gate_settings *settings)
{
	return settings->capture_port != 0
		       ? capture_add_rules(settings->capture_port)
		       : 0;
}

int gate_capture(const struct gate_settings *settings, int rules_rc,
		 struct text *note, const char **what_out)
{
	const struct policy_ports *loopback = &settings->policy->ports.loopback;
	struct rule_ports marked = {.bits = {0}};
	int rc = 0;

	*what_out = "capturing what ignores the proxy";
	if (settings->capture_port != 0)
		rc = open_all(settings, rules_rc, &marked, note);
	for (size_t i = 0; i < loopback->count && rc == 0; i++) {
		*what_out = "making the listeners of loopback ports";
		if (!rule_ports_has(&marked, loopback->items[i]))
			rc = open_loopback(settings, loopback->items[i]);
	}
	return rc;
}
