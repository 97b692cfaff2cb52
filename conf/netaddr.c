/* SPDX-License-Identifier: MIT */
/* netaddr: IP addresses and blocks: parsing, folding, comparing. */
#include "netaddr.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

#include "text.h"

static uint8_t width_bits(const struct netaddr *addr)
{
	return addr->family == AF_INET ? 32 : 128;
}

bool netaddr_parse(const char *s, size_t len, struct netaddr *addr_out)
{
	char text[NETADDR_TEXT_BYTES];
	struct netaddr addr = {.family = AF_INET};

	if (len == 0 || len >= sizeof(text) || memchr(s, '\0', len) != NULL)
		return false;
	memcpy(text, s, len);
	text[len] = '\0';
	/* inet_pton(3) takes the dotted quad alone and no zone; but glibc
	 * takes leading zeros ("010"), which others read as octal. */
	for (size_t i = 0; i + 1 < len && memchr(s, ':', len) == NULL; i++)
		if (s[i] == '0' && (i == 0 || s[i - 1] == '.') &&
		    s[i + 1] != '.')
			return false;
	if (inet_pton(AF_INET, text, addr.bytes) != 1) {
		addr.family = AF_INET6;
		if (inet_pton(AF_INET6, text, addr.bytes) != 1)
			return false;
	}
	*addr_out = addr;
	return true;
}

static bool host_bits_are_zero(const struct netaddr_block *block)
{
	for (unsigned int bit = block->prefix_bits;
	     bit < width_bits(&block->addr); bit++)
		if ((block->addr.bytes[bit / 8] & (0x80U >> bit % 8)) != 0)
			return false;
	return true;
}

bool netaddr_parse_block(const char *s, size_t len,
			 struct netaddr_block *block_out)
{
	const char *slash = memchr(s, '/', len);
	size_t addr_len = slash != NULL ? (size_t)(slash - s) : len;
	struct netaddr_block block;
	uint64_t bits;

	if (!netaddr_parse(s, addr_len, &block.addr))
		return false;
	bits = width_bits(&block.addr);
	if (slash != NULL &&
	    !text_parse_decimal(slash + 1, len - addr_len - 1, bits, &bits))
		return false;
	block.prefix_bits = (uint8_t)bits;
	if (!host_bits_are_zero(&block))
		return false;
	*block_out = block;
	return true;
}

bool netaddr_equal(const struct netaddr *a, const struct netaddr *b)
{
	return a->family == b->family &&
	       memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

bool netaddr_block_contains(const struct netaddr_block *block,
			    const struct netaddr *addr)
{
	unsigned int whole = block->prefix_bits / 8;
	unsigned int rest = block->prefix_bits % 8;

	if (block->addr.family != addr->family ||
	    memcmp(block->addr.bytes, addr->bytes, whole) != 0)
		return false;
	if (rest == 0)
		return true;
	unsigned int mask = 0xff00U >> rest & 0xffU;
	return (block->addr.bytes[whole] & mask) == (addr->bytes[whole] & mask);
}

unsigned int netaddr_block_spare_bits(const struct netaddr_block *block)
{
	return (unsigned int)width_bits(&block->addr) - block->prefix_bits;
}

bool netaddr_block_is_exact(const struct netaddr_block *block)
{
	return netaddr_block_spare_bits(block) == 0;
}

struct netaddr_block netaddr_block_unmap(const struct netaddr_block *block)
{
	static const struct netaddr_block mapped = {
		.addr = {.family = AF_INET6, .bytes = {[10] = 0xff, 0xff}},
		.prefix_bits = 96,
	};
	struct netaddr_block inner = {.addr = {.family = AF_INET}};

	if (block->prefix_bits < mapped.prefix_bits ||
	    !netaddr_block_contains(&mapped, &block->addr))
		return *block;
	memcpy(inner.addr.bytes, block->addr.bytes + 12, 4);
	inner.prefix_bits = (uint8_t)(block->prefix_bits - mapped.prefix_bits);
	return inner;
}

/* inet_ntop(3) prints IPv4 by sprintf(3), which is dear for every record. */
static void format_ipv4(const uint8_t bytes[static 4],
			char text_out[static NETADDR_TEXT_BYTES])
{
	struct text t;

	text_init(&t, text_out, NETADDR_TEXT_BYTES);
	for (size_t i = 0; i < 4; i++) {
		if (i > 0)
			text_add_bytes(&t, ".", 1);
		text_add_decimal(&t, bytes[i]);
	}
}

void netaddr_format(const struct netaddr *addr,
		    char text_out[static NETADDR_TEXT_BYTES])
{
	if (addr->family == AF_INET)
		format_ipv4(addr->bytes, text_out);
	else if (inet_ntop(addr->family, addr->bytes, text_out,
			   NETADDR_TEXT_BYTES) == NULL)
		text_out[0] = '\0';
}

bool netaddr_from_sockaddr(const struct sockaddr *sa, struct netaddr *addr_out,
			   uint16_t *port_out)
{
	struct netaddr addr = {.family = sa->sa_family};

	if (sa->sa_family == AF_INET) {
		struct sockaddr_in in;
		memcpy(&in, sa, sizeof(in));
		memcpy(addr.bytes, &in.sin_addr, 4);
		*port_out = ntohs(in.sin_port);
	} else if (sa->sa_family == AF_INET6) {
		struct sockaddr_in6 in6;
		memcpy(&in6, sa, sizeof(in6));
		memcpy(addr.bytes, &in6.sin6_addr, 16);
		*port_out = ntohs(in6.sin6_port);
	} else {
		return false;
	}
	*addr_out = addr;
	return true;
}

socklen_t netaddr_to_sockaddr(const struct netaddr *addr, uint16_t port,
			      struct sockaddr_storage *sa_out)
{
	memset(sa_out, 0, sizeof(*sa_out));
	if (addr->family == AF_INET) {
		struct sockaddr_in in = {.sin_family = AF_INET,
					 .sin_port = htons(port)};
		memcpy(&in.sin_addr, addr->bytes, 4);
		memcpy(sa_out, &in, sizeof(in));
		return sizeof(in);
	}
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6,
				   .sin6_port = htons(port)};
	memcpy(&in6.sin6_addr, addr->bytes, 16);
	memcpy(sa_out, &in6, sizeof(in6));
	return sizeof(in6);
}
