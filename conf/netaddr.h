/* SPDX-License-Identifier: MIT */
/* netaddr: IP addresses and blocks, and what the IANA registries say of them.
 */
#ifndef NETADDR_H
#define NETADDR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#define NETADDR_TEXT_BYTES    46
#define NETADDR_PURPOSE_BYTES 64

/**
 * struct netaddr - one address
 * @family:	AF_INET or AF_INET6
 * @bytes:	network order; IPv4 uses the first four, the rest are zero
 */
struct netaddr {
	sa_family_t family;
	uint8_t bytes[16];
};

/** struct netaddr_block - an address and a prefix length; host bits zero */
struct netaddr_block {
	struct netaddr addr;
	uint8_t prefix_bits;
};

/* What an address is for. Only NETADDR_PUBLIC is dialled unasked. */
enum netaddr_class {
	NETADDR_PUBLIC = 0,
	NETADDR_PRIVATE,    /* RFC 1918, fc00::/7, 100.64.0.0/10 */
	NETADDR_LOOPBACK,   /* 127.0.0.0/8, ::1, 0.0.0.0/8, :: */
	NETADDR_LINK_LOCAL, /* 169.254.0.0/16, fe80::/10 */
	NETADDR_METADATA,   /* cloud metadata services, by exact address */
	NETADDR_SPECIAL,    /* every other special-purpose block */
};

/**
 * netaddr_parse() - strict text: a dotted quad without leading zeros, or
 * RFC 4291 text; no zone, no brackets, no other spelling of IPv4
 */
bool netaddr_parse(const char *s, size_t len, struct netaddr *addr_out)
	__attribute__((warn_unused_result));

/** netaddr_parse_block() - "ADDRESS" or "ADDRESS/BITS"; host bits must be 0 */
bool netaddr_parse_block(const char *s, size_t len,
			 struct netaddr_block *block_out)
	__attribute__((warn_unused_result));

/**
 * netaddr_fold() - the IPv4 address inside an IPv6 spelling of it
 *
 * Unfolds ::ffff:0:0/96 (mapped), ::/96 (compatible), ::ffff:0:0:0/96
 * (translated), 64:ff9b::/96 (NAT64), 2002::/16 (6to4) and 2001::/32 (Teredo,
 * the client's address). All others come back as they are. Folding is for
 * judging and recording; netaddr_classify() folds by itself.
 */
struct netaddr netaddr_fold(const struct netaddr *addr);

/**
 * netaddr_dialled() - the IPv4 address that a connection to it really goes to
 *
 * As netaddr_fold(), but for the two spellings in use only: mapped, which the
 * kernel dials as IPv4, and NAT64, which a gateway does. The others stay.
 */
struct netaddr netaddr_dialled(const struct netaddr *addr);

/**
 * netaddr_classify() - what the address is for, after folding
 *
 * 6to4, Teredo, compatible and translated forms are NETADDR_SPECIAL whatever
 * IPv4 address is inside: nothing that we want to reach is spelt so.
 */
enum netaddr_class netaddr_classify(const struct netaddr *addr);

/** netaddr_class_text() - "private", "loopback", ... for messages */
const char *netaddr_class_text(enum netaddr_class c);

/** netaddr_purpose() - "Private-Use, RFC 1918": the entry of the registries
 * that an address belongs to. Return: false, untouched: to none. */
bool netaddr_purpose(const struct netaddr *addr,
		     char text_out[static NETADDR_PURPOSE_BYTES]);

/**
 * netaddr_block_is_within() - the whole of @block lies in one block that the
 * registries have for @c
 *
 * A block that is merely wide enough to hold such addresses does not. Metadata
 * addresses inside do not count: they are judged one by one.
 */
bool netaddr_block_is_within(const struct netaddr_block *block,
			     enum netaddr_class c);

/** netaddr_block_is_exact() - it holds a single address */
bool netaddr_block_is_exact(const struct netaddr_block *block);

/** netaddr_block_spare_bits() - 0 for one address; more for wider blocks, of
 * both families alike */
unsigned int netaddr_block_spare_bits(const struct netaddr_block *block);

/** netaddr_block_unmap() - an IPv4 block spelt ::ffff:A.B.C.D/N as what it is;
 * all others as they are */
struct netaddr_block netaddr_block_unmap(const struct netaddr_block *block);

bool netaddr_equal(const struct netaddr *a, const struct netaddr *b);
bool netaddr_block_contains(const struct netaddr_block *block,
			    const struct netaddr *addr);

/** netaddr_format() - RFC 5952 text, no brackets, NUL-terminated */
void netaddr_format(const struct netaddr *addr,
		    char text_out[static NETADDR_TEXT_BYTES]);

/** netaddr_from_sockaddr() - false unless AF_INET or AF_INET6 */
bool netaddr_from_sockaddr(const struct sockaddr *sa, struct netaddr *addr_out,
			   uint16_t *port_out)
	__attribute__((warn_unused_result));

/** netaddr_to_sockaddr() - Return: the length to give to connect(2) */
socklen_t netaddr_to_sockaddr(const struct netaddr *addr, uint16_t port,
			      struct sockaddr_storage *sa_out);

#endif
