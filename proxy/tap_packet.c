/* SPDX-License-Identifier: MIT */
/* tap_packet: what a packet on the sandbox's loopback says of an attempt. */
#include "tap_packet.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#define IPV4_HEAD_BYTES   20
#define IPV6_HEAD_BYTES   40
#define TCP_HEAD_BYTES    20
#define UDP_HEAD_BYTES    8
#define ICMP_HEAD_BYTES   8
#define TCP_RST_ACK       0x14
#define ICMP_UNREACHABLE  3 /* RFC 792 */
#define ICMP6_UNREACHABLE 1 /* RFC 4443 s3.1 */
#define PROTOCOL_ICMPV6   58
#define FRAGMENT_BITS     0x1fff

/**
 * struct ip_packet - heads taken apart
 * @payload:	behind the IP head, @len bytes
 */
struct ip_packet {
	struct netaddr from;
	struct netaddr to;
	uint8_t protocol;
	const uint8_t *payload;
	size_t len;
};

static uint16_t get16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static struct netaddr get_address(const uint8_t *p, sa_family_t family)
{
	struct netaddr addr = {.family = family};

	memcpy(addr.bytes, p, family == AF_INET ? 4 : 16);
	return addr;
}

static bool parse_ipv4(const uint8_t *data, size_t len, struct ip_packet *ip)
{
	size_t head = (size_t)(data[0] & 0xf) * 4;

	if (len < IPV4_HEAD_BYTES || head < IPV4_HEAD_BYTES || head > len ||
	    (get16(data + 6) & FRAGMENT_BITS) != 0)
		return false;
	*ip = (struct ip_packet){
		.from = get_address(data + 12, AF_INET),
		.to = get_address(data + 16, AF_INET),
		.protocol = data[9],
		.payload = data + head,
		.len = len - head,
	};
	return true;
}

static bool parse_ipv6(const uint8_t *data, size_t len, struct ip_packet *ip)
{
	if (len < IPV6_HEAD_BYTES)
		return false;
	*ip = (struct ip_packet){
		.from = get_address(data + 8, AF_INET6),
		.to = get_address(data + 24, AF_INET6),
		.protocol = data[6],
		.payload = data + IPV6_HEAD_BYTES,
		.len = len - IPV6_HEAD_BYTES,
	};
	return true;
}

static bool parse_ip(const uint8_t *data, size_t len, struct ip_packet *ip)
{
	if (len == 0)
		return false;
	if (data[0] >> 4 == 4)
		return parse_ipv4(data, len, ip);
	return data[0] >> 4 == 6 && parse_ipv6(data, len, ip);
}

/* As the sender of @ip has it. */
static struct service_flow flow_of(const struct ip_packet *ip,
				   uint32_t protocol, bool has_ports)
{
	return (struct service_flow){
		.protocol = protocol,
		.inner = ip->from,
		.outer = ip->to,
		.inner_port = has_ports ? get16(ip->payload) : 0,
		.outer_port = has_ports ? get16(ip->payload + 2) : 0,
	};
}

static struct service_flow turn_round(const struct service_flow *flow)
{
	return (struct service_flow){
		.protocol = flow->protocol,
		.inner = flow->outer,
		.outer = flow->inner,
		.inner_port = flow->outer_port,
		.outer_port = flow->inner_port,
	};
}

static bool parse_tcp(const struct ip_packet *ip, struct service_flow *flow)
{
	const uint8_t no_number[4] = {0};

	if (ip->len < TCP_HEAD_BYTES ||
	    (ip->payload[13] & TCP_RST_ACK) != TCP_RST_ACK ||
	    memcmp(ip->payload + 4, no_number, sizeof(no_number)) != 0)
		return false;
	struct service_flow back = flow_of(ip, IPPROTO_TCP, true);
	*flow = turn_round(&back);
	return true;
}

/* The packet that an "unreachable" is about: its sender is who tried. */
static bool parse_quoted(const struct ip_packet *ip, struct service_flow *flow)
{
	struct ip_packet inside;

	if (!parse_ip(ip->payload + ICMP_HEAD_BYTES, ip->len - ICMP_HEAD_BYTES,
		      &inside))
		return false;
	bool has_ports = (inside.protocol == IPPROTO_UDP ||
			  inside.protocol == IPPROTO_TCP) &&
			 inside.len >= UDP_HEAD_BYTES;
	*flow = flow_of(&inside, inside.protocol, has_ports);
	return true;
}

static bool parse_icmp(const struct ip_packet *ip, struct service_flow *flow)
{
	uint8_t unreachable = ip->protocol == PROTOCOL_ICMPV6
				      ? ICMP6_UNREACHABLE
				      : ICMP_UNREACHABLE;

	if (ip->len < ICMP_HEAD_BYTES)
		return false;
	if (ip->payload[0] == unreachable)
		return parse_quoted(ip, flow);
	*flow = flow_of(ip, ip->protocol, false);
	return true;
}

bool tap_packet_parse(const uint8_t *data, size_t len,
		      struct tap_packet *packet_out)
{
	struct service_flow flow = {.protocol = 0};
	struct ip_packet ip;
	bool is_attempt = false;

	if (!parse_ip(data, len, &ip))
		return false;
	if (ip.protocol == IPPROTO_TCP) {
		is_attempt = parse_tcp(&ip, &flow);
	} else if (ip.protocol == IPPROTO_UDP) {
		is_attempt = ip.len >= UDP_HEAD_BYTES;
		if (is_attempt)
			flow = flow_of(&ip, IPPROTO_UDP, true);
	} else if (ip.protocol == IPPROTO_ICMP ||
		   ip.protocol == PROTOCOL_ICMPV6) {
		is_attempt = parse_icmp(&ip, &flow);
	}
	if (is_attempt)
		packet_out->flow = flow;
	return is_attempt;
}
