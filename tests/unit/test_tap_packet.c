/* SPDX-License-Identifier: MIT */
/* tap_packet: which packets are attempts, and whose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <netinet/in.h>
#include <string.h>

#include "tap_packet.h"

#define MAX_BYTES 128

struct bytes {
	uint8_t data[MAX_BYTES];
	size_t len;
};

static void add(struct bytes *b, const void *data, size_t len)
{
	assert_true(b->len + len <= sizeof(b->data));
	memcpy(b->data + b->len, data, len);
	b->len += len;
}

static void add_ipv4(struct bytes *b, uint8_t protocol, uint8_t from,
		     uint8_t to)
{
	const uint8_t head[20] = {0x45, 0,    0,        0, 0, 0,   0,
				  0,    64,   protocol, 0, 0, 192, 0,
				  2,    from, 192,      0, 2, to};

	add(b, head, sizeof(head));
}

static void add_ipv6(struct bytes *b, uint8_t next, uint8_t from, uint8_t to)
{
	uint8_t head[40] = {0x60};

	head[6] = next;
	head[8] = 0xfd;
	head[23] = from;
	head[24] = 0xfd;
	head[39] = to;
	add(b, head, sizeof(head));
}

/* From port 0x0102 to port 0x0304. */
static void add_tcp(struct bytes *b, uint8_t sequence, uint8_t flags)
{
	const uint8_t head[20] = {1,        2, 3, 4, 0, 0,    0,
				  sequence, 0, 0, 0, 1, 0x50, flags};

	add(b, head, sizeof(head));
}

static void add_udp(struct bytes *b)
{
	const uint8_t head[8] = {1, 2, 3, 4, 0, 8};

	add(b, head, sizeof(head));
}

static void add_icmp(struct bytes *b, uint8_t type)
{
	const uint8_t head[8] = {type, 3};

	add(b, head, sizeof(head));
}

static void check(const struct bytes *b, uint32_t protocol, uint8_t inner,
		  uint8_t outer)
{
	struct tap_packet packet;
	bool is_v6 = b->data[0] >> 4 == 6;

	assert_true(tap_packet_parse(b->data, b->len, &packet));
	assert_int_equal(packet.flow.protocol, protocol);
	assert_int_equal(packet.flow.inner.bytes[is_v6 ? 15 : 3], inner);
	assert_int_equal(packet.flow.outer.bytes[is_v6 ? 15 : 3], outer);
	/* Cut anywhere it is nothing, not a wrong one. */
	for (size_t len = 0; len < b->len; len++)
		(void)!tap_packet_parse(b->data, len, &packet);
}

static void a_reset_goes_back_to_who_tried(void **state)
{
	struct bytes b = {.len = 0};
	struct tap_packet packet;

	(void)state;
	add_ipv4(&b, IPPROTO_TCP, 1, 2);
	add_tcp(&b, 0, 0x14);
	check(&b, IPPROTO_TCP, 2, 1);
	assert_true(tap_packet_parse(b.data, b.len, &packet));
	assert_int_equal(packet.flow.inner_port, 0x0304);
	assert_int_equal(packet.flow.outer_port, 0x0102);
}

static void other_segments_are_no_attempts(void **state)
{
	static const uint8_t flags[] = {0x02, 0x12, 0x10, 0x11, 0x04};
	struct tap_packet packet;

	(void)state;
	for (size_t i = 0; i < sizeof(flags); i++) {
		struct bytes b = {.len = 0};

		add_ipv4(&b, IPPROTO_TCP, 1, 2);
		add_tcp(&b, 0, flags[i]);
		assert_false(tap_packet_parse(b.data, b.len, &packet));
	}
	/* The end of a connection that stood: it has a sequence number. */
	struct bytes b = {.len = 0};
	add_ipv4(&b, IPPROTO_TCP, 1, 2);
	add_tcp(&b, 9, 0x14);
	assert_false(tap_packet_parse(b.data, b.len, &packet));
}

static void a_datagram_is_its_senders(void **state)
{
	struct bytes b = {.len = 0};
	struct tap_packet packet;

	(void)state;
	add_ipv6(&b, IPPROTO_UDP, 1, 2);
	add_udp(&b);
	check(&b, IPPROTO_UDP, 1, 2);
	assert_true(tap_packet_parse(b.data, b.len, &packet));
	assert_int_equal(packet.flow.outer_port, 0x0304);
}

static void unreachable_speaks_of_the_packet_inside(void **state)
{
	struct bytes b = {.len = 0};
	struct bytes six = {.len = 0};

	(void)state;
	add_ipv4(&b, IPPROTO_ICMP, 2, 1);
	add_icmp(&b, 3);
	add_ipv4(&b, IPPROTO_UDP, 1, 2);
	add_udp(&b);
	check(&b, IPPROTO_UDP, 1, 2);
	add_ipv6(&six, IPPROTO_ICMPV6, 2, 1);
	add_icmp(&six, 1);
	add_ipv6(&six, IPPROTO_UDP, 1, 2);
	add_udp(&six);
	check(&six, IPPROTO_UDP, 1, 2);
}

static void an_echo_is_its_senders(void **state)
{
	struct bytes b = {.len = 0};

	(void)state;
	add_ipv4(&b, IPPROTO_ICMP, 1, 2);
	add_icmp(&b, 8);
	check(&b, IPPROTO_ICMP, 1, 2);
}

static void later_fragments_have_no_ports(void **state)
{
	struct bytes b = {.len = 0};
	struct tap_packet packet;

	(void)state;
	add_ipv4(&b, IPPROTO_UDP, 1, 2);
	add_udp(&b);
	b.data[7] = 1;
	assert_false(tap_packet_parse(b.data, b.len, &packet));
}

static void a_head_longer_than_the_packet_is_refused(void **state)
{
	struct bytes b = {.len = 0};
	struct tap_packet packet;

	(void)state;
	add_ipv4(&b, IPPROTO_UDP, 1, 2);
	add_udp(&b);
	b.data[0] = 0x4f;
	assert_false(tap_packet_parse(b.data, b.len, &packet));
	b.data[0] = 0x44;
	assert_false(tap_packet_parse(b.data, b.len, &packet));
	b.data[0] = 0x55;
	assert_false(tap_packet_parse(b.data, b.len, &packet));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reset_goes_back_to_who_tried),
		cmocka_unit_test(other_segments_are_no_attempts),
		cmocka_unit_test(a_datagram_is_its_senders),
		cmocka_unit_test(unreachable_speaks_of_the_packet_inside),
		cmocka_unit_test(an_echo_is_its_senders),
		cmocka_unit_test(later_fragments_have_no_ports),
		cmocka_unit_test(a_head_longer_than_the_packet_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
