/* SPDX-License-Identifier: MIT */
/* fuzz_names: host names and addresses; canonical forms must stay as they are.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "hostname.h"
#include "netaddr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_name(const char *s, size_t len)
{
	struct hostname name, again;

	if (hostname_parse(s, len, &name) != HOSTNAME_OK)
		return;
	if (name.len == 0 || name.len > HOSTNAME_MAX_BYTES ||
	    strlen(name.text) != name.len)
		abort();
	if (hostname_parse(name.text, name.len, &again) != HOSTNAME_OK ||
	    !hostname_equal(&name, &again))
		abort();
}

static void try_address(const char *s, size_t len)
{
	struct netaddr_block block;
	struct netaddr addr, again;
	char text[NETADDR_TEXT_BYTES];

	(void)!netaddr_parse_block(s, len, &block);
	if (!netaddr_parse(s, len, &addr))
		return;
	/* What is an address must never pass for a name as well. */
	struct hostname name;
	if (hostname_parse(s, len, &name) == HOSTNAME_OK)
		abort();
	netaddr_format(&addr, text);
	if (!netaddr_parse(text, strlen(text), &again) ||
	    !netaddr_equal(&addr, &again))
		abort();
	struct netaddr folded = netaddr_fold(&addr);
	if (netaddr_classify(&addr) == NETADDR_PUBLIC &&
	    netaddr_classify(&folded) != NETADDR_PUBLIC)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_name((const char *)data, size);
	try_address((const char *)data, size);
	return 0;
}
