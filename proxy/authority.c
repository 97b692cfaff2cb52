/* SPDX-License-Identifier: MIT */
/* authority: host and port as a client wrote them, strictly read. */
#include "authority.h"

#include <string.h>

#include "text.h"

static const char *name_error(enum hostname_result result)
{
	switch (result) {
	case HOSTNAME_OK:
		break;
	case HOSTNAME_EMPTY:
		return "host is empty";
	case HOSTNAME_TOO_LONG:
		return "host is longer than 253 bytes";
	case HOSTNAME_BAD_LABEL:
		return "host has a label that is empty, over 63 bytes, or "
		       "begins or ends with a hyphen";
	case HOSTNAME_BAD_BYTE:
		return "host holds a byte that no host name has";
	case HOSTNAME_NUMERIC:
		return "host ends in a number but is no IPv4 address";
	}
	return NULL;
}

/* A literal in brackets; only IPv6 goes there (RFC 3986 s3.2.2). */
static const char *parse_bracketed(const char *s, size_t len,
				   struct authority *authority_out)
{
	struct authority a = {.kind = AUTHORITY_ADDRESS};

	if (len < 2 || s[len - 1] != ']')
		return "bracket is not closed";
	if (!netaddr_parse(s + 1, len - 2, &a.address) ||
	    a.address.family != AF_INET6)
		return "brackets hold no IPv6 address";
	*authority_out = a;
	return NULL;
}

const char *authority_parse_host(const char *s, size_t len,
				 struct authority *authority_out)
{
	struct authority a = {.kind = AUTHORITY_NAME};

	if (len == 0)
		return "host is empty";
	if (s[0] == '[')
		return parse_bracketed(s, len, authority_out);
	if (memchr(s, ':', len) != NULL)
		return "IPv6 address without brackets, or a second port";
	if (netaddr_parse(s, len, &a.address)) {
		a.kind = AUTHORITY_ADDRESS;
	} else {
		const char *why = name_error(hostname_parse(s, len, &a.name));

		if (why != NULL)
			return why;
	}
	*authority_out = a;
	return NULL;
}

/* Where the host ends: after the bracket, or at the last colon. */
static size_t host_length(const char *s, size_t len)
{
	if (len > 0 && s[0] == '[') {
		const char *end = memchr(s, ']', len);

		return end == NULL ? len : (size_t)(end - s) + 1;
	}
	for (size_t i = len; i > 0; i--)
		if (s[i - 1] == ':')
			return i - 1;
	return len;
}

const char *authority_parse(const char *s, size_t len, uint16_t default_port,
			    struct authority *authority_out)
{
	size_t host_len = host_length(s, len);
	uint16_t port = default_port;
	struct authority a;

	if (host_len == len && default_port == 0)
		return "port is missing";
	if (host_len < len) {
		if (s[host_len] != ':')
			return "bytes after the bracket";
		if (!text_parse_port(s + host_len + 1, len - host_len - 1,
				     &port))
			return "port is not a number from 1 to 65535";
	}
	const char *why = authority_parse_host(s, host_len, &a);
	if (why != NULL)
		return why;
	a.port = port;
	*authority_out = a;
	return NULL;
}

size_t authority_host_text(const struct authority *authority,
			   char text_out[static HOSTNAME_MAX_BYTES + 1])
{
	struct text t;

	text_init(&t, text_out, HOSTNAME_MAX_BYTES + 1);
	if (authority->kind == AUTHORITY_NAME) {
		text_add_bytes(&t, authority->name.text, authority->name.len);
	} else {
		char address[NETADDR_TEXT_BYTES];

		netaddr_format(&authority->address, address);
		text_add(&t, address);
	}
	return t.len;
}

size_t authority_text(const struct authority *authority,
		      char text_out[static AUTHORITY_TEXT_BYTES])
{
	bool is_v6 = authority->kind == AUTHORITY_ADDRESS &&
		     authority->address.family == AF_INET6;
	char host[HOSTNAME_MAX_BYTES + 1];
	struct text t;

	(void)authority_host_text(authority, host);
	text_init(&t, text_out, AUTHORITY_TEXT_BYTES);
	text_addf(&t, is_v6 ? "[%s]:%u" : "%s:%u", host,
		  (unsigned int)authority->port);
	return t.len;
}
