/* SPDX-License-Identifier: MIT */
/* tap_ring: the ring of the packet tap: the gate makes it, exeat-proxy reads.
 */
#ifndef TAP_RING_H
#define TAP_RING_H

/* At 5,000 packets a second a reader may stop for a tenth of one. */
#define TAP_RING_BLOCK_BYTES 65536U
#define TAP_RING_BLOCKS      4U
#define TAP_RING_FRAME_BYTES 2048U
#define TAP_RING_RETIRE_MS   10U
/* An ICMP message with the head of the packet that it speaks of. */
#define TAP_PACKET_BYTES 128U

#endif
