/* SPDX-License-Identifier: MIT */
/* gate_tap: sees packets that reach no listener of ours. */
#ifndef GATE_TAP_H
#define GATE_TAP_H

/**
 * gate_tap_open() - a packet socket on lo of the network namespace we are in
 *
 * Its filter passes resets of refused connections, UDP that is not for the
 * sandbox's own loopback or DNS, and ICMP; it is locked. Packets come through a
 * ring (TPACKET_V3, tap_ring.h), so that a busy reader loses none.
 *
 * Return: a descriptor or -errno.
 */
int gate_tap_open(void) __attribute__((warn_unused_result));

#endif
