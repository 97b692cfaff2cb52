/* SPDX-License-Identifier: MIT */
/* conf_endpoint: "ADDRESS:PORT" and its like, taken apart. */
#include "conf_endpoint.h"

#include <string.h>

#include "text.h"

bool conf_endpoint_split(const char *s, size_t len, struct conf_endpoint *out)
{
	const char *colon = memrchr(s, ':', len);
	struct netaddr addr;

	*out = (struct conf_endpoint){.host = s, .host_len = len};
	if (len > 0 && s[0] == '[') {
		const char *end = memchr(s, ']', len);
		if (end == NULL)
			return false;
		out->host = s + 1;
		out->host_len = (size_t)(end - out->host);
		out->has_brackets = true;
		if (end + 1 == s + len)
			return true;
		if (colon != end + 1)
			return false;
	} else if (colon == NULL || netaddr_parse(s, len, &addr)) {
		return true;
	} else {
		out->host_len = (size_t)(colon - s);
	}
	out->port = colon + 1;
	out->port_len = len - (size_t)(out->port - s);
	return true;
}

bool conf_endpoint_address(const struct conf_endpoint *e,
			   struct netaddr *addr_out)
{
	if (!netaddr_parse(e->host, e->host_len, addr_out))
		return false;
	bool is_v6 = addr_out->family == AF_INET6;
	return e->has_brackets ? is_v6 : !is_v6 || e->port == NULL;
}

bool conf_endpoint_parse(const char *s, size_t len, struct netaddr *addr_out,
			 uint16_t *port_out)
{
	struct conf_endpoint e;

	return conf_endpoint_split(s, len, &e) &&
	       conf_endpoint_address(&e, addr_out) &&
	       (e.port == NULL ||
		text_parse_port(e.port, e.port_len, port_out));
}
