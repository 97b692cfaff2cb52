/* SPDX-License-Identifier: MIT */
/* capture_rules: every address of a network namespace is ours. */
#ifndef CAPTURE_RULES_H
#define CAPTURE_RULES_H

#include <stdbool.h>
#include <stdint.h>

/**
 * capture_add_routes() - make every address local to this namespace (AnyIP)
 * @has_ipv6_out: that holds for IPv6 too; false where lo has no IPv6: nothing
 *		can be reached by it then
 *
 * Return: 0 or -errno.
 */
int capture_add_routes(bool *has_ipv6_out) __attribute__((warn_unused_result));

/**
 * capture_add_rules() - send TCP to a transparent listener on @port
 *
 * One nftables batch, written by ourselves: loading a library costs more than
 * the rest of the gate. Left out are 127.0.0.0/8 and ::1, which stay the
 * sandbox's own, and port 53, which has listeners of its own.
 *
 * Return: 0 or -errno; then nothing was added.
 */
int capture_add_rules(uint16_t port) __attribute__((warn_unused_result));

#endif
