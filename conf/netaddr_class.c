/* SPDX-License-Identifier: MIT */
/*
 * netaddr_class: what the IANA special-purpose registries say of an address.
 *
 * How it works: one table for each family, as in the registries for IPv4 and
 * IPv6 (RFC 6890 and its updates), with multicast and the other blocks that
 * are no unicast destination. The first row that contains the address
 * decides, so narrow rows stand before the wide ones round them. An address
 * in no row is public. IPv6 outside of 2000::/3 is not allocated and therefore
 * special.
 */
#include <string.h>

#include "netaddr.h"

#define V4(a, b, c, d)                                     \
	{                                                  \
		.family = AF_INET, .bytes = { a, b, c, d } \
	}
#define V6(...)                                              \
	{                                                    \
		.family = AF_INET6, .bytes = { __VA_ARGS__ } \
	}

struct class_row {
	struct netaddr_block block;
	enum netaddr_class is;
};

static const struct class_row ipv4_rows[] = {
  /* Metadata services of clouds: whoever asks them gets credentials. */
	{{V4(169, 254, 169, 254), 32}, NETADDR_METADATA  },
	{{V4(100, 100, 100, 200), 32}, NETADDR_METADATA  },
	{{V4(168, 63, 129, 16), 32},   NETADDR_METADATA  },
	{{V4(192, 0, 0, 192), 32},     NETADDR_METADATA  },
 /* Linux connects to 0.0.0.0 as to loopback. */
	{{V4(0, 0, 0, 0), 8},          NETADDR_LOOPBACK  }, /* RFC 791 s3.2 */
	{{V4(127, 0, 0, 0), 8},        NETADDR_LOOPBACK  }, /* RFC 1122 s3.2.1.3 */
	{{V4(10, 0, 0, 0), 8},         NETADDR_PRIVATE   }, /* RFC 1918 */
	{{V4(172, 16, 0, 0), 12},      NETADDR_PRIVATE   }, /* RFC 1918 */
	{{V4(192, 168, 0, 0), 16},     NETADDR_PRIVATE   }, /* RFC 1918 */
	{{V4(100, 64, 0, 0), 10},      NETADDR_PRIVATE   }, /* RFC 6598 */
	{{V4(169, 254, 0, 0), 16},     NETADDR_LINK_LOCAL}, /* RFC 3927 */
	{{V4(192, 0, 0, 0), 24},       NETADDR_SPECIAL   }, /* RFC 6890 */
	{{V4(192, 0, 2, 0), 24},       NETADDR_SPECIAL   }, /* RFC 5737 */
	{{V4(198, 51, 100, 0), 24},    NETADDR_SPECIAL   }, /* RFC 5737 */
	{{V4(203, 0, 113, 0), 24},     NETADDR_SPECIAL   }, /* RFC 5737 */
	{{V4(192, 31, 196, 0), 24},    NETADDR_SPECIAL   }, /* RFC 7535 */
	{{V4(192, 52, 193, 0), 24},    NETADDR_SPECIAL   }, /* RFC 7450 */
	{{V4(192, 88, 99, 0), 24},     NETADDR_SPECIAL   }, /* RFC 7526 */
	{{V4(192, 175, 48, 0), 24},    NETADDR_SPECIAL   }, /* RFC 7534 */
	{{V4(198, 18, 0, 0), 15},      NETADDR_SPECIAL   }, /* RFC 2544 */
	{{V4(224, 0, 0, 0), 4},        NETADDR_SPECIAL   }, /* RFC 5771 */
	{{V4(240, 0, 0, 0), 4},        NETADDR_SPECIAL   }, /* RFC 1112, RFC 919 */
};

static const struct class_row ipv6_rows[] = {
	{{V6(0xfd, 0x00, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54),
	  128},
	 NETADDR_METADATA							     },
	{{V6(0), 128},					      NETADDR_LOOPBACK  }, /* RFC 4291 s2.5.2 */
	{{V6(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1), 128},
	 NETADDR_LOOPBACK							     }, /* RFC 4291 s2.5.3 */
	{{V6(0xfc), 7},					     NETADDR_PRIVATE   }, /* RFC 4193 */
	{{V6(0xfe, 0x80), 10},				      NETADDR_LINK_LOCAL}, /* RFC 4291 s2.5.6 */
	{{V6(0x20, 0x01), 23},				      NETADDR_SPECIAL   }, /* RFC 2928 */
	{{V6(0x20, 0x01, 0x0d, 0xb8), 32},                          NETADDR_SPECIAL   }, /* RFC 3849 */
	{{V6(0x20, 0x02), 16},				      NETADDR_SPECIAL   }, /* RFC 3056 */
	{{V6(0x26, 0x20, 0, 0x4f, 0x80), 48},                       NETADDR_SPECIAL   }, /* RFC 7534 */
	{{V6(0x3f, 0xff), 20},				      NETADDR_SPECIAL   }, /* RFC 9637 */
	{{V6(0x20), 3},					     NETADDR_PUBLIC    }, /* RFC 4291 s2.5.4 */
  /* All the rest: 100::/64 (RFC 6666), 64:ff9b:1::/48 (RFC 8215),
  * 5f00::/16 (RFC 9602), fec0::/10 (RFC 3879), ff00::/8 (RFC 4291). */
	{{V6(0), 0},						NETADDR_SPECIAL   },
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

static const struct embedding embeddings[] = {
	{{V6(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff), 96},
	 12,						     false,
	 true								}, /* RFC 4291 s2.5.5.2 */
	{{V6(0, 0x64, 0xff, 0x9b), 96},                      12, false, true }, /* RFC 6052 */
	{{V6(0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff), 96},
	 12,						     false,
	 false							       }, /* RFC 2765 s2.1 */
	{{V6(0x20, 0x02), 16},			       2,  false, false}, /* RFC 3056 */
	{{V6(0x20, 0x01, 0, 0), 32},                         12, true,  false}, /* RFC 4380 */
	{{V6(0), 96},					12, false, false}, /* RFC 4291 s2.5.5.1 */
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

static enum netaddr_class look_up(const struct class_row *rows, size_t count,
				  const struct netaddr *addr)
{
	for (size_t i = 0; i < count; i++)
		if (netaddr_block_contains(&rows[i].block, addr))
			return rows[i].is;
	return NETADDR_PUBLIC;
}

enum netaddr_class netaddr_classify(const struct netaddr *addr)
{
	const struct embedding *form = find_embedding(addr);

	/* Nothing that is worth reaching is spelt in a form out of use, and
	 * routers may treat it as they like. */
	if (form != NULL && !form->is_used)
		return NETADDR_SPECIAL;
	struct netaddr inner = form != NULL ? unfold(form, addr) : *addr;
	if (inner.family == AF_INET)
		return look_up(ipv4_rows,
			       sizeof(ipv4_rows) / sizeof(ipv4_rows[0]),
			       &inner);
	return look_up(ipv6_rows, sizeof(ipv6_rows) / sizeof(ipv6_rows[0]),
		       &inner);
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
