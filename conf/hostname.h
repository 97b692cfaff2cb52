/* SPDX-License-Identifier: MIT */
/* hostname: DNS names in the one spelling that every comparison uses. */
#ifndef HOSTNAME_H
#define HOSTNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOSTNAME_MAX_BYTES       253
#define HOSTNAME_LABEL_MAX_BYTES 63

/**
 * struct hostname - a canonical name: lower case, A-labels, no trailing dot
 * @text:	NUL-terminated
 * @len:	without the NUL, 1 to HOSTNAME_MAX_BYTES
 */
struct hostname {
	char text[HOSTNAME_MAX_BYTES + 1];
	uint8_t len;
};

enum hostname_result {
	HOSTNAME_OK = 0,
	HOSTNAME_EMPTY,
	HOSTNAME_TOO_LONG,  /* over 253 bytes (RFC 1035 s3.1) */
	HOSTNAME_BAD_LABEL, /* empty, over 63, or '-' at an end */
	HOSTNAME_BAD_BYTE,  /* not a letter, digit, '-' or '_' */
	HOSTNAME_NUMERIC,   /* last label all digits or 0x...: an address
			       to some resolvers, never handed to one */
};

/**
 * hostname_parse() - canonicalise a name from the wire
 * @s:		bytes, any value, need not be NUL-terminated
 * @name_out:	untouched unless HOSTNAME_OK
 *
 * Lower-cases ASCII and removes exactly one trailing dot. Nothing is decoded
 * and nothing is repaired; non-ASCII is HOSTNAME_BAD_BYTE (wire names are
 * A-labels, RFC 5890 s2.3.2.1). A strict dotted quad is HOSTNAME_NUMERIC too:
 * callers try netaddr_parse() first.
 */
enum hostname_result hostname_parse(const char *s, size_t len,
				    struct hostname *name_out)
	__attribute__((warn_unused_result));

/** hostname_result_text() - why a name was refused, in words */
const char *hostname_result_text(enum hostname_result result);

/** hostname_equal() - same name, both canonical */
bool hostname_equal(const struct hostname *a, const struct hostname *b);

/** hostname_is_below() - @name is a proper subdomain of @parent, any depth;
 * compares whole labels, so evilexample.com is not below example.com */
bool hostname_is_below(const struct hostname *name,
		       const struct hostname *parent);

#endif
