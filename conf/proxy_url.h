/* SPDX-License-Identifier: MIT */
/* proxy_url: "http://USER:PASSWORD@HOST:PORT", where a proxy is. Pure. */
#ifndef PROXY_URL_H
#define PROXY_URL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hostname.h"
#include "netaddr.h"
#include "text.h"

#define PROXY_URL_SECRET_BYTES 256

enum proxy_url_scheme {
	PROXY_URL_HTTP = 0,
	PROXY_URL_HTTPS,
	PROXY_URL_SOCKS5, /* socks5:// and socks5h://: names go to the proxy */
};

/**
 * struct proxy_url - the parts, by value
 * @is_address:	@address is the host, else @name
 * @has_user:	credentials were given
 * @user, @password: decoded (RFC 3986 s2.1), NUL-terminated, no control byte
 */
struct proxy_url {
	enum proxy_url_scheme scheme;
	bool is_address;
	struct netaddr address;
	struct hostname name;
	uint16_t port;
	bool has_user;
	char user[PROXY_URL_SECRET_BYTES];
	char password[PROXY_URL_SECRET_BYTES];
};

/**
 * proxy_url_parse() - read a URL of a proxy
 * @url_out:	untouched on failure; holds a secret where @has_user
 *
 * The port must be there: tools disagree on the default. One '/' may end it; a
 * path, a query or a host that is no ASCII name or address may not.
 *
 * Return: NULL, or why not, in fixed text without a byte of the URL.
 */
const char *proxy_url_parse(const char *s, size_t len,
			    struct proxy_url *url_out)
	__attribute__((warn_unused_result));

/** proxy_url_add_basic() - append "Basic ..." (RFC 7617) for its user */
void proxy_url_add_basic(const struct proxy_url *url, struct text *out);

/** proxy_url_add_host() - append "host:port", brackets round IPv6 */
void proxy_url_add_host(const struct proxy_url *url, struct text *out);

#endif
