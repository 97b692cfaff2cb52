/* SPDX-License-Identifier: MIT */
/* fuzz_proxy_url: what is taken means one host, and nothing that ends a line
 * comes out of it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "proxy_url.h"

static void require(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char again[HOSTNAME_MAX_BYTES + 32];
	char basic[1024];
	struct proxy_url url, other;
	struct text t;

	if (proxy_url_parse((const char *)data, size, &url) != NULL)
		return 0;
	require(url.port != 0);
	for (const char *c = url.user; *c != '\0'; c++)
		require((unsigned char)*c >= 0x20 && *c != 0x7f && *c != ':');
	for (const char *c = url.password; *c != '\0'; c++)
		require((unsigned char)*c >= 0x20 && *c != 0x7f);
	text_init(&t, basic, sizeof(basic));
	proxy_url_add_basic(&url, &t);
	require(!t.is_cut && strpbrk(basic, "\r\n") == NULL);
	text_init(&t, again, sizeof(again));
	text_add(&t, "http://");
	proxy_url_add_host(&url, &t);
	require(proxy_url_parse(again, t.len, &other) == NULL);
	require(other.is_address == url.is_address && other.port == url.port);
	require(!url.is_address || netaddr_equal(&url.address, &other.address));
	require(url.is_address || hostname_equal(&url.name, &other.name));
	return 0;
}
