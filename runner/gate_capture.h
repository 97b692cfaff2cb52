/* SPDX-License-Identifier: MIT */
/* gate_capture: whatever the command connects to leads to exeat-proxy. */
#ifndef GATE_CAPTURE_H
#define GATE_CAPTURE_H

#include "text.h"

struct gate_settings;

/** gate_capture_rules() - the part that does not wait for lo.
 * Return: 0 or -errno, for gate_capture(). */
int gate_capture_rules(const struct gate_settings *settings)
	__attribute__((warn_unused_result));

/**
 * gate_capture() - routes, rules and sockets for capture, for names and for
 * the host's loopback ports that the policy gives back
 * @rules_rc:	of gate_capture_rules()
 * @note:	what the user should know: it is weaker than it could be, and
 * why
 * @what_out:	what failed, where something did: fixed text
 *
 * In the sandbox's network namespace, with lo up. Every address becomes local;
 * every TCP port but the sandbox's own loopback leads to one transparent
 * listener; port 53 to two sockets of the name responder. Each is handed to
 * exeat-proxy, and no copy is kept. Where the kernel has no such rules there is
 * a listener for each port that the policy names.
 *
 * Return: 0 or -errno.
 */
int gate_capture(const struct gate_settings *settings, int rules_rc,
		 struct text *note, const char **what_out)
	__attribute__((warn_unused_result));

#endif
