/* SPDX-License-Identifier: MIT */
/*
 * netaddr_class: what the IANA special-purpose registries say of an address.
 *
 * How it works: one table for each family: first the metadata services, then
 * the entries of the registry (RFC 6890 and its updates), then multicast and
 * other blocks that are no unicast destination. The first row that contains
 * the address decides, so narrow rows stand before the wide ones round them.
 * An IPv4 address in no row is public; an IPv6 one is where 2000::/3 has it
 * (RFC 4291 s2.5.4), and special outside, for nothing there is allocated.
 *
 * Entries that the registries call globally reachable (anycast relays of AS112,
 * AMT, PCP, TURN) are special here: no site lives there.
 */
#include <string.h>

#include "netaddr.h"
#include "text.h"

struct registry_row {
	struct netaddr_block block;
	enum netaddr_class is;
	const char *name;
	const char *source;
};

/* clang-format off: version 14 tears nested braces in macros apart */
#define BLOCK(af, prefix, ...)                                    \
	{                                                         \
		.addr = {.family = (af), .bytes = {__VA_ARGS__}}, \
		.prefix_bits = (prefix)                           \
	}

#define V4(a, b, c, d, bits, class, what, where)                         \
	{                                                                \
		.block = BLOCK(AF_INET, bits, a, b, c, d),               \
		.is = NETADDR_##class, .name = (what), .source = (where) \
	}

/* Groups 0 to 3, 5 and 7 of the address; 4 and 6 are zero in every row. */
#define PAIR(group) (uint8_t)((group) >> 8), (uint8_t)((group)&0xff)
#define V6(g0, g1, g2, g3, g5, g7, bits, class, what, where)                 \
	{                                                                    \
		.block = BLOCK(AF_INET6, bits, PAIR(g0), PAIR(g1), PAIR(g2), \
			       PAIR(g3), 0, 0, PAIR(g5), 0, 0, PAIR(g7)),    \
		.is = NETADDR_##class, .name = (what), .source = (where)     \
	}
/* clang-format on */

static const struct registry_row ipv4_rows[] = {
	/* Whoever asks a cloud's metadata service gets credentials. */
	V4(169, 254, 169, 254, 32, METADATA, "instance metadata", "clouds"),
	V4(169, 254, 170, 2, 32, METADATA, "task credentials", "AWS ECS"),
	V4(169, 254, 170, 23, 32, METADATA, "pod credentials", "AWS EKS"),
	V4(100, 100, 100, 200, 32, METADATA, "instance metadata", "Alibaba"),
	V4(168, 63, 129, 16, 32, METADATA, "platform service", "Azure"),
	V4(192, 0, 0, 192, 32, METADATA, "instance metadata", "Oracle"),
	/* Linux connects to 0.0.0.0 as to loopback. */
	V4(0, 0, 0, 0, 8, LOOPBACK, "This network", "RFC 791 s3.2"),
	V4(127, 0, 0, 0, 8, LOOPBACK, "Loopback", "RFC 1122 s3.2.1.3"),
	V4(10, 0, 0, 0, 8, PRIVATE, "Private-Use", "RFC 1918"),
	V4(172, 16, 0, 0, 12, PRIVATE, "Private-Use", "RFC 1918"),
	V4(192, 168, 0, 0, 16, PRIVATE, "Private-Use", "RFC 1918"),
	V4(100, 64, 0, 0, 10, PRIVATE, "Shared Address Space", "RFC 6598"),
	V4(169, 254, 0, 0, 16, LINK_LOCAL, "Link Local", "RFC 3927"),
	V4(192, 0, 0, 0, 29, SPECIAL, "IPv4 Service Continuity", "RFC 7335"),
	V4(192, 0, 0, 8, 32, SPECIAL, "IPv4 dummy address", "RFC 7600"),
	V4(192, 0, 0, 9, 32, SPECIAL, "Port Control Protocol", "RFC 7723"),
	V4(192, 0, 0, 10, 32, SPECIAL, "TURN anycast", "RFC 8155"),
	V4(192, 0, 0, 170, 31, SPECIAL, "NAT64 discovery", "RFC 7050"),
	V4(192, 0, 0, 0, 24, SPECIAL, "IETF protocols", "RFC 6890 s2.1"),
	V4(192, 0, 2, 0, 24, SPECIAL, "Documentation (TEST-NET-1)", "RFC 5737"),
	V4(192, 31, 196, 0, 24, SPECIAL, "AS112-v4", "RFC 7535"),
	V4(192, 52, 193, 0, 24, SPECIAL, "AMT", "RFC 7450"),
	V4(192, 88, 99, 0, 24, SPECIAL, "6to4 Relay Anycast", "RFC 7526"),
	V4(192, 175, 48, 0, 24, SPECIAL, "AS112 delegation", "RFC 7534"),
	V4(198, 18, 0, 0, 15, SPECIAL, "Benchmarking", "RFC 2544"),
	V4(198, 51, 100, 0, 24, SPECIAL, "Documentation (TEST-NET-2)",
	   "RFC 5737"),
	V4(203, 0, 113, 0, 24, SPECIAL, "Documentation (TEST-NET-3)",
	   "RFC 5737"),
	V4(224, 0, 0, 0, 4, SPECIAL, "Multicast", "RFC 5771"),
	V4(255, 255, 255, 255, 32, SPECIAL, "Limited Broadcast", "RFC 919"),
	V4(240, 0, 0, 0, 4, SPECIAL, "Reserved", "RFC 1112 s4"),
};

static const struct registry_row ipv6_rows[] = {
	V6(0xfd00, 0xec2, 0, 0, 0, 0x254, 128, METADATA, "instance metadata",
	   "AWS"),
	V6(0xfd00, 0xec2, 0, 0, 0, 0x23, 128, METADATA, "pod credentials",
	   "AWS EKS"),
	V6(0xfd20, 0xce, 0, 0, 0, 0x254, 128, METADATA, "instance metadata",
	   "Google"),
	V6(0, 0, 0, 0, 0, 0, 128, LOOPBACK, "Unspecified", "RFC 4291 s2.5.2"),
	V6(0, 0, 0, 0, 0, 1, 128, LOOPBACK, "Loopback", "RFC 4291 s2.5.3"),
	V6(0, 0, 0, 0, 0, 0, 96, SPECIAL, "IPv4-compatible",
	   "RFC 4291 s2.5.5.1"),
	V6(0x64, 0xff9b, 1, 0, 0, 0, 48, SPECIAL, "local translation",
	   "RFC 8215"),
	V6(0x100, 0, 0, 0, 0, 0, 64, SPECIAL, "Discard-Only", "RFC 6666"),
	V6(0x100, 0, 0, 1, 0, 0, 64, SPECIAL, "Dummy", "RFC 9780"),
	V6(0x2001, 0, 0, 0, 0, 0, 32, SPECIAL, "Teredo", "RFC 4380"),
	V6(0x2001, 1, 0, 0, 0, 1, 128, SPECIAL, "Port Control Protocol",
	   "RFC 7723"),
	V6(0x2001, 1, 0, 0, 0, 2, 128, SPECIAL, "TURN anycast", "RFC 8155"),
	V6(0x2001, 1, 0, 0, 0, 3, 128, SPECIAL, "DNS-SD registration",
	   "RFC 9665"),
	V6(0x2001, 2, 0, 0, 0, 0, 48, SPECIAL, "Benchmarking", "RFC 5180"),
	V6(0x2001, 3, 0, 0, 0, 0, 32, SPECIAL, "AMT", "RFC 7450"),
	V6(0x2001, 4, 0x112, 0, 0, 0, 48, SPECIAL, "AS112-v6", "RFC 7535"),
	V6(0x2001, 0x10, 0, 0, 0, 0, 28, SPECIAL, "ORCHID", "RFC 4843"),
	V6(0x2001, 0x20, 0, 0, 0, 0, 28, SPECIAL, "ORCHIDv2", "RFC 7343"),
	V6(0x2001, 0x30, 0, 0, 0, 0, 28, SPECIAL, "drone identifiers",
	   "RFC 9374"),
	V6(0x2001, 0, 0, 0, 0, 0, 23, SPECIAL, "IETF protocols", "RFC 2928"),
	V6(0x2001, 0xdb8, 0, 0, 0, 0, 32, SPECIAL, "Documentation", "RFC 3849"),
	V6(0x2002, 0, 0, 0, 0, 0, 16, SPECIAL, "6to4", "RFC 3056"),
	V6(0x2620, 0x4f, 0x8000, 0, 0, 0, 48, SPECIAL, "AS112 delegation",
	   "RFC 7534"),
	V6(0x3fff, 0, 0, 0, 0, 0, 20, SPECIAL, "Documentation", "RFC 9637"),
	V6(0x5f00, 0, 0, 0, 0, 0, 16, SPECIAL, "Segment Routing", "RFC 9602"),
	V6(0xfc00, 0, 0, 0, 0, 0, 7, PRIVATE, "Unique-Local", "RFC 4193"),
	V6(0xfe80, 0, 0, 0, 0, 0, 10, LINK_LOCAL, "Link-Local Unicast",
	   "RFC 4291 s2.5.6"),
	V6(0xfec0, 0, 0, 0, 0, 0, 10, SPECIAL, "site-local", "RFC 3879"),
	V6(0xff00, 0, 0, 0, 0, 0, 8, SPECIAL, "Multicast", "RFC 4291 s2.7"),
};

/**
 * struct embedding - a block whose addresses hold an IPv4 address
 * @at:		its first byte
 * @is_inverted: all bits flipped (Teredo, RFC 4380 s4)
 * @is_used:	a spelling in real use: judged as the IPv4 address alone
 */
struct embedding {
	struct netaddr_block block;
	uint8_t at;
	bool is_inverted;
	bool is_used;
};

/* clang-format off: as above */
#define FORM(g0, g1, g4, g5, bits, first, flips, lives)                        \
	{                                                                      \
		.block = BLOCK(AF_INET6, bits, PAIR(g0), PAIR(g1), 0, 0, 0, 0, \
			       PAIR(g4), PAIR(g5)),                            \
		.at = (first), .is_inverted = (flips), .is_used = (lives)      \
	}
/* clang-format on */

static const struct embedding embeddings[] = {
	/* mapped, RFC 4291 s2.5.5.2 */
	FORM(0, 0, 0, 0xffff, 96, 12, false, true),
	/* NAT64, RFC 6052 */
	FORM(0x64, 0xff9b, 0, 0, 96, 12, false, true),
	/* translated, RFC 2765 s2.1 */
	FORM(0, 0, 0xffff, 0, 96, 12, false, false),
	/* 6to4, RFC 3056 */
	FORM(0x2002, 0, 0, 0, 16, 2, false, false),
	/* Teredo, RFC 4380 */
	FORM(0x2001, 0, 0, 0, 32, 12, true, false),
	/* compatible, RFC 4291 s2.5.5.1 */
	FORM(0, 0, 0, 0, 96, 12, false, false),
};

static const struct embedding *find_embedding(const struct netaddr *addr)
{
	/* :: and ::1 are addresses of their own in the compatible block. */
	static const uint8_t zero[15] = {0};

	if (addr->family != AF_INET6 ||
	    (memcmp(addr->bytes, zero, sizeof(zero)) == 0 &&
	     addr->bytes[15] <= 1))
		return NULL;
	for (size_t i = 0; i < sizeof(embeddings) / sizeof(embeddings[0]); i++)
		if (netaddr_block_contains(&embeddings[i].block, addr))
			return &embeddings[i];
	return NULL;
}

static struct netaddr unfold(const struct embedding *form,
			     const struct netaddr *addr)
{
	struct netaddr inner = {.family = AF_INET};

	for (size_t i = 0; i < 4; i++) {
		uint8_t byte = addr->bytes[form->at + i];
		inner.bytes[i] = form->is_inverted ? (uint8_t)~byte : byte;
	}
	return inner;
}

struct netaddr netaddr_fold(const struct netaddr *addr)
{
	const struct embedding *form = find_embedding(addr);

	return form != NULL ? unfold(form, addr) : *addr;
}

struct netaddr netaddr_dialled(const struct netaddr *addr)
{
	const struct embedding *form = find_embedding(addr);

	return form != NULL && form->is_used ? unfold(form, addr) : *addr;
}

/* The rows for the family of @addr. */
static const struct registry_row *rows_for(const struct netaddr *addr,
					   size_t *count_out)
{
	if (addr->family == AF_INET) {
		*count_out = sizeof(ipv4_rows) / sizeof(ipv4_rows[0]);
		return ipv4_rows;
	}
	*count_out = sizeof(ipv6_rows) / sizeof(ipv6_rows[0]);
	return ipv6_rows;
}

static const struct registry_row *find_row(const struct netaddr *addr)
{
	size_t count;
	const struct registry_row *rows = rows_for(addr, &count);

	for (size_t i = 0; i < count; i++)
		if (netaddr_block_contains(&rows[i].block, addr))
			return &rows[i];
	return NULL;
}

enum netaddr_class netaddr_classify(const struct netaddr *addr)
{
	const struct embedding *form = find_embedding(addr);

	/* Nothing that is worth reaching is spelt in a form out of use, and
	 * routers may treat it as they like. */
	if (form != NULL && !form->is_used)
		return NETADDR_SPECIAL;
	struct netaddr inner = form != NULL ? unfold(form, addr) : *addr;
	const struct registry_row *row = find_row(&inner);
	if (row != NULL)
		return row->is;
	if (inner.family == AF_INET6 && (inner.bytes[0] & 0xe0) != 0x20)
		return NETADDR_SPECIAL;
	return NETADDR_PUBLIC;
}

bool netaddr_block_is_within(const struct netaddr_block *block,
			     enum netaddr_class c)
{
	size_t count;
	const struct registry_row *rows = rows_for(&block->addr, &count);

	for (size_t i = 0; i < count; i++)
		if (rows[i].is == c &&
		    rows[i].block.prefix_bits <= block->prefix_bits &&
		    netaddr_block_contains(&rows[i].block, &block->addr))
			return true;
	return false;
}

bool netaddr_purpose(const struct netaddr *addr,
		     char text_out[static NETADDR_PURPOSE_BYTES])
{
	struct netaddr dialled = netaddr_dialled(addr);
	const struct registry_row *row = find_row(&dialled);
	struct text t;

	if (row == NULL)
		return false;
	text_init(&t, text_out, NETADDR_PURPOSE_BYTES);
	text_addf(&t, "%s, %s", row->name, row->source);
	return true;
}

const char *netaddr_class_text(enum netaddr_class c)
{
	switch (c) {
	case NETADDR_PUBLIC:
		return "public";
	case NETADDR_PRIVATE:
		return "private";
	case NETADDR_LOOPBACK:
		return "loopback";
	case NETADDR_LINK_LOCAL:
		return "link-local";
	case NETADDR_METADATA:
		return "cloud metadata";
	case NETADDR_SPECIAL:
		return "special-purpose";
	}
	return "unknown";
}
