/* SPDX-License-Identifier: MIT */
/* proxy_url: "http://USER:PASSWORD@HOST:PORT", where a proxy is. Pure. */
#include "proxy_url.h"

#include <string.h>

#include "conf_endpoint.h"

static const struct {
	const char *prefix;
	enum proxy_url_scheme scheme;
} schemes[] = {
	{"http://",    PROXY_URL_HTTP  },
	{"https://",   PROXY_URL_HTTPS },
	{"socks5://",  PROXY_URL_SOCKS5},
	{"socks5h://", PROXY_URL_SOCKS5},
};

/* Return: the length of the scheme with "://", or 0. */
static size_t read_scheme(const char *s, size_t len,
			  enum proxy_url_scheme *scheme_out)
{
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		size_t n = strlen(schemes[i].prefix);

		if (len < n || memcmp(s, schemes[i].prefix, n) != 0)
			continue;
		*scheme_out = schemes[i].scheme;
		return n;
	}
	return 0;
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The byte at s[*at], decoded; @at moves behind it. Return: -1: none. */
static int decode_byte(const char *s, size_t len, size_t *at)
{
	int byte = (unsigned char)s[*at];

	if (byte == '%') {
		int high = *at + 1 < len ? hex_value(s[*at + 1]) : -1;
		int low = *at + 2 < len ? hex_value(s[*at + 2]) : -1;

		if (high < 0 || low < 0)
			return -1;
		*at += 2;
		byte = high * 16 + low;
	}
	*at += 1;
	/* A control byte would end the field that it is sent in. */
	return byte >= 0x20 && byte != 0x7f ? byte : -1;
}

static bool decode(const char *s, size_t len,
		   char out[static PROXY_URL_SECRET_BYTES])
{
	size_t used = 0;

	for (size_t at = 0; at < len;) {
		int byte = decode_byte(s, len, &at);

		if (byte < 0 || used == PROXY_URL_SECRET_BYTES - 1)
			return false;
		out[used++] = (char)byte;
	}
	out[used] = '\0';
	return true;
}

/* "USER[:PASSWORD]"; a colon in the user could not be sent (RFC 7617 s2). */
static bool read_user(const char *s, size_t len, struct proxy_url *url)
{
	const char *colon = memchr(s, ':', len);
	size_t user = colon != NULL ? (size_t)(colon - s) : len;
	size_t rest = colon != NULL ? len - user - 1 : 0;

	url->has_user = true;
	return decode(s, user, url->user) &&
	       memchr(url->user, ':', strlen(url->user)) == NULL &&
	       decode(s + user + (colon != NULL), rest, url->password);
}

static bool read_host(const char *s, size_t len, struct proxy_url *url)
{
	struct conf_endpoint e;

	if (!conf_endpoint_split(s, len, &e) || e.port == NULL ||
	    !text_parse_port(e.port, e.port_len, &url->port))
		return false;
	url->is_address = conf_endpoint_address(&e, &url->address);
	return url->is_address ||
	       (!e.has_brackets &&
		hostname_parse(e.host, e.host_len, &url->name) == HOSTNAME_OK);
}

const char *proxy_url_parse(const char *s, size_t len,
			    struct proxy_url *url_out)
{
	struct proxy_url url = {.has_user = false};
	size_t at = read_scheme(s, len, &url.scheme);

	if (at == 0)
		return "not http://, https:// or socks5h://";
	if (len > at && s[len - 1] == '/')
		len--;
	for (size_t i = at; i < len; i++)
		if ((unsigned char)s[i] <= 0x20 || s[i] == 0x7f || s[i] == '/')
			return "a space, a control character or a path in it";
	const char *sign = memrchr(s + at, '@', len - at);
	if (sign != NULL) {
		size_t user_len = (size_t)(sign - s) - at;

		if (!read_user(s + at, user_len, &url))
			return "its user or password cannot be sent";
		at += user_len + 1;
	}
	if (!read_host(s + at, len - at, &url))
		return "no HOST:PORT in it";
	*url_out = url;
	return NULL;
}

static void add_base64(struct text *out, const char *bytes, size_t len)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < len; i += 3) {
		unsigned int group = 0;
		char four[4] = {'=', '=', '=', '='};

		for (size_t k = 0; k < 3; k++)
			group = group << 8 |
				(i + k < len ? (unsigned char)bytes[i + k] : 0);
		for (size_t k = 0; k <= (len - i < 3 ? len - i : 3); k++)
			four[k] = digits[group >> (18 - 6 * k) & 63];
		text_add_bytes(out, four, sizeof(four));
	}
}

void proxy_url_add_basic(const struct proxy_url *url, struct text *out)
{
	char pair[2 * PROXY_URL_SECRET_BYTES];
	struct text t;

	text_init(&t, pair, sizeof(pair));
	text_add(&t, url->user);
	text_add(&t, ":");
	text_add(&t, url->password);
	text_add(out, "Basic ");
	add_base64(out, pair, t.len);
	explicit_bzero(pair, sizeof(pair));
}

void proxy_url_add_host(const struct proxy_url *url, struct text *out)
{
	char address[NETADDR_TEXT_BYTES];

	if (!url->is_address) {
		text_add(out, url->name.text);
	} else {
		bool is_six = url->address.family == AF_INET6;

		netaddr_format(&url->address, address);
		text_add(out, is_six ? "[" : "");
		text_add(out, address);
		text_add(out, is_six ? "]" : "");
	}
	text_add(out, ":");
	text_add_decimal(out, url->port);
}
