/* SPDX-License-Identifier: MIT */
/* fuzz_hostname: a canonical name stays as it is, and is no address. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hostname.h"
#include "netaddr.h"

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* Whole labels from @name on, each of them LDH or an underscore. */
static void require_canonical(const struct hostname *name)
{
	size_t label = 0;

	require(name->len > 0 && name->len <= HOSTNAME_MAX_BYTES);
	require(strlen(name->text) == name->len);
	for (size_t i = 0; i <= name->len; i++) {
		char c = name->text[i];
		if (c == '.' || c == '\0') {
			require(label > 0 && label <= HOSTNAME_LABEL_MAX_BYTES);
			label = 0;
			continue;
		}
		require((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
			c == '-' || c == '_');
		label++;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *s = (const char *)data;
	struct hostname name, again, parent;
	struct netaddr addr;

	if (hostname_parse(s, size, &name) != HOSTNAME_OK)
		return 0;
	require_canonical(&name);
	require(!netaddr_parse(s, size, &addr));
	require(!netaddr_parse(name.text, name.len, &addr));
	require(hostname_parse(name.text, name.len, &again) == HOSTNAME_OK);
	require(hostname_equal(&name, &again));
	require(!hostname_is_below(&name, &name));
	const char *dot = strchr(name.text, '.');
	if (dot == NULL)
		return 0;
	require(hostname_parse(dot + 1, strlen(dot + 1), &parent) ==
		HOSTNAME_OK);
	require(hostname_is_below(&name, &parent));
	require(!hostname_is_below(&parent, &name));
	return 0;
}
