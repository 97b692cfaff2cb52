/* SPDX-License-Identifier: MIT */
/* gate_tap: sees packets that reach no listener of ours. */
#ifndef GATE_TAP_H
#define GATE_TAP_H

/**
 * gate_tap_open() - a packet socket on lo of the network namespace we are in
 *
 * Its filter passes resets of refused connections, UDP that is not for the
 * sandbox's own loopback or DNS, and ICMP; it is locked. There is no ring: to
 * make one the kernel waits for all processors (synchronize_net(), 10 to 30
 * ms), and so it does when a packet socket is closed: the gate keeps a copy,
 * since nobody waits for its end.
 *
 * Return: a descriptor or -errno.
 */
int gate_tap_open(void) __attribute__((warn_unused_result));

#endif
