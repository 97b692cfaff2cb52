/* SPDX-License-Identifier: MIT */
/* tap_packet: what a packet on the sandbox's loopback says of an attempt. */
#ifndef TAP_PACKET_H
#define TAP_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service.h"

/* An attempt: whose socket, and whom it tried to reach. ICMP has no ports. */
struct tap_packet {
	struct service_flow flow;
};

/**
 * tap_packet_parse() - the head of an IP packet, from its first byte on
 *
 * An attempt is: a TCP connection that was refused (RST and ACK with sequence
 * number 0, RFC 9293 s3.10.7.1: it goes back to whoever tried); a UDP datagram;
 * an ICMP or ICMPv6 message, where "unreachable" tells of the packet inside it
 * and goes back, too.
 *
 * Return: false: nothing of that kind, or cut short; @packet_out is untouched.
 */
bool tap_packet_parse(const uint8_t *data, size_t len,
		      struct tap_packet *packet_out)
	__attribute__((warn_unused_result));

#endif
