/* SPDX-License-Identifier: MIT */
/* authority: host and port as a client wrote them, strictly read. */
#ifndef AUTHORITY_H
#define AUTHORITY_H

#include <stddef.h>
#include <stdint.h>

#include "hostname.h"
#include "netaddr.h"

enum authority_kind {
	AUTHORITY_NAME = 0,
	AUTHORITY_ADDRESS,
};

/* "[" address "]:" port and a NUL; a name and a port need more */
#define AUTHORITY_TEXT_BYTES (HOSTNAME_MAX_BYTES + sizeof(":65535"))

/**
 * struct authority - where a client wants to go
 * @kind:	which of @name and @address is filled; the other is zeroed
 * @address:	as written: neither folded nor judged
 * @port:	1 to 65535
 */
struct authority {
	enum authority_kind kind;
	struct hostname name;
	struct netaddr address;
	uint16_t port;
};

/**
 * authority_parse() - read exactly host ":" port (RFC 9112 s3.2.3)
 * @s:			bytes, any value
 * @default_port:	used where the text has no ":" port; 0: it must
 * @authority_out:	untouched on failure
 *
 * Brackets only around a valid IPv6 literal, no zone, no userinfo, no percent
 * signs, strict ports. Nothing is decoded and nothing is repaired: two programs
 * that repair differently are how a filter is passed.
 *
 * Return: NULL when it is one, else why it is not: fixed text, no client bytes.
 */
const char *authority_parse(const char *s, size_t len, uint16_t default_port,
			    struct authority *authority_out)
	__attribute__((warn_unused_result));

/** authority_parse_host() - a host alone, no port: brackets as above */
const char *authority_parse_host(const char *s, size_t len,
				 struct authority *authority_out)
	__attribute__((warn_unused_result));

/** authority_host_text() - the host alone in canonical spelling, no brackets;
 * NUL-terminated. Return: its length. */
size_t authority_host_text(const struct authority *authority,
			   char text_out[static HOSTNAME_MAX_BYTES + 1]);

/** authority_text() - "host:port" or "[v6]:port", NUL-terminated.
 * Return: its length. */
size_t authority_text(const struct authority *authority,
		      char text_out[static AUTHORITY_TEXT_BYTES]);

#endif
