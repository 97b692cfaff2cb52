/* SPDX-License-Identifier: MIT */
/* tap_socket: the packet tap's socket: the gate makes it, exeat-proxy reads. */
#ifndef TAP_SOCKET_H
#define TAP_SOCKET_H

/* As much as net.core.rmem_max allows of it: packets that wait for the proxy.
 */
#define TAP_BUFFER_BYTES (4 * 1024 * 1024)
/* An ICMP message with the head of the packet that it speaks of. */
#define TAP_PACKET_BYTES 128U

#endif
