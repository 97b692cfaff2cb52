/* SPDX-License-Identifier: MIT */
/* gate_tap: sees packets that reach no listener of ours. */
#include "gate_tap.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tap_socket.h"

#ifndef PACKET_IGNORE_OUTGOING
#define PACKET_IGNORE_OUTGOING 23
#endif

#define DNS_PORT      53
#define RST_ACK       0x14
#define FRAGMENT_BITS 0x1fff
#define LOOPBACK_NET  127
#define NEXT_ICMPV6   58

/* Lines of the filter; a jump counts the lines that it leaves out. */
#define LOAD_BYTE(at)     BPF_STMT(BPF_LD | BPF_B | BPF_ABS, (at))
#define LOAD_HALF(at)     BPF_STMT(BPF_LD | BPF_H | BPF_ABS, (at))
#define LOAD_WORD(at)     BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (at))
#define HEAD_TO_X         BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 0)
#define LOAD_BYTE_X(k)    BPF_STMT(BPF_LD | BPF_B | BPF_IND, (k))
#define LOAD_HALF_X(k)    BPF_STMT(BPF_LD | BPF_H | BPF_IND, (k))
#define IF_IS(k, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (k), (yes), (no))
#define IF_BITS(k, yes, no) \
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (k), (yes), (no))
#define AND(k) BPF_STMT(BPF_ALU | BPF_AND | BPF_K, (k))
#define PASS   BPF_STMT(BPF_RET | BPF_K, TAP_PACKET_BYTES)
#define DROP   BPF_STMT(BPF_RET | BPF_K, 0)

static const struct sock_filter program[] = {
	/* 0 */ LOAD_HALF((unsigned int)(SKF_AD_OFF + SKF_AD_PROTOCOL)),
	/* 1 */ IF_IS(ETH_P_IP, 1, 0),
	/* 2 */ IF_IS(ETH_P_IPV6, 19, 38),
	/* IPv4 */
	/* 3 */ LOAD_BYTE(9),
	/* 4 */ IF_IS(IPPROTO_ICMP, 37, 0),
	/* 5 */ IF_IS(IPPROTO_UDP, 7, 0),
	/* 6 */ IF_IS(IPPROTO_TCP, 0, 34),
	/* 7 */ LOAD_HALF(6),
	/* 8 */ IF_BITS(FRAGMENT_BITS, 32, 0),
	/* 9 */ HEAD_TO_X,
	/* 10 */ LOAD_BYTE_X(13),
	/* 11 */ AND(RST_ACK),
	/* 12 */ IF_IS(RST_ACK, 29, 28),
	/* its UDP, but for 127.0.0.0/8 */
	/* 13 */ LOAD_BYTE(16),
	/* 14 */ IF_IS(LOOPBACK_NET, 26, 0),
	/* 15 */ LOAD_HALF(6),
	/* 16 */ IF_BITS(FRAGMENT_BITS, 24, 0),
	/* 17 */ HEAD_TO_X,
	/* 18 */ LOAD_HALF_X(0),
	/* 19 */ IF_IS(DNS_PORT, 21, 0),
	/* 20 */ LOAD_HALF_X(2),
	/* 21 */ IF_IS(DNS_PORT, 19, 20),
	/* IPv6 */
	/* 22 */ LOAD_BYTE(6),
	/* 23 */ IF_IS(NEXT_ICMPV6, 18, 0),
	/* 24 */ IF_IS(IPPROTO_UDP, 4, 0),
	/* 25 */ IF_IS(IPPROTO_TCP, 0, 15),
	/* 26 */ LOAD_BYTE(53),
	/* 27 */ AND(RST_ACK),
	/* 28 */ IF_IS(RST_ACK, 13, 12),
	/* its UDP, but for ::1 */
	/* 29 */ LOAD_WORD(24),
	/* 30 */ IF_IS(0, 0, 6),
	/* 31 */ LOAD_WORD(28),
	/* 32 */ IF_IS(0, 0, 4),
	/* 33 */ LOAD_WORD(32),
	/* 34 */ IF_IS(0, 0, 2),
	/* 35 */ LOAD_WORD(36),
	/* 36 */ IF_IS(1, 4, 0),
	/* 37 */ LOAD_HALF(40),
	/* 38 */ IF_IS(DNS_PORT, 2, 0),
	/* 39 */ LOAD_HALF(42),
	/* 40 */ IF_IS(DNS_PORT, 0, 1),
	/* 41 */ DROP,
	/* 42 */ PASS,
};

static int set_filter(int fd)
{
	/* The kernel takes a pointer that it never writes through. */
	union {
		const struct sock_filter *in;
		struct sock_filter *out;
	} lines = {.in = program};
	const struct sock_fprog filter = {
		.len = sizeof(program) / sizeof(program[0]),
		.filter = lines.out,
	};
	const int on = 1;

	return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter,
			  sizeof(filter)) == 0 &&
			       setsockopt(fd, SOL_SOCKET, SO_LOCK_FILTER, &on,
					  sizeof(on)) == 0
		       ? 0
		       : -errno;
}

static int set_options(int fd)
{
	const int on = 1;
	const int bytes = TAP_BUFFER_BYTES;

	(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	/* On lo each packet would come twice. */
	return setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on,
			  sizeof(on)) == 0
		       ? 0
		       : -errno;
}

int gate_tap_open(void)
{
	const struct sockaddr_ll lo = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = (int)if_nametoindex("lo"),
	};
	/* Protocol 0: nothing comes before the filter is there. */
	int fd =
		socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -errno;
	int rc = set_filter(fd);
	if (rc == 0)
		rc = set_options(fd);
	if (rc == 0 && bind(fd, (const struct sockaddr *)&lo, sizeof(lo)) != 0)
		rc = -errno;
	if (rc == 0)
		return fd;
	(void)close(fd);
	return rc;
}
