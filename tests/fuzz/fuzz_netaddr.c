/* SPDX-License-Identifier: MIT */
/* fuzz_netaddr: spellings of an address mean the same, and no spelling makes
 * it more open. */
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

static void check_address(const struct netaddr *addr)
{
	struct netaddr folded = netaddr_fold(addr);
	struct netaddr dialled = netaddr_dialled(addr);
	char text[NETADDR_TEXT_BYTES], purpose[NETADDR_PURPOSE_BYTES];
	struct netaddr again;

	netaddr_format(addr, text);
	require(netaddr_parse(text, strlen(text), &again));
	require(netaddr_equal(addr, &again));
	require(netaddr_equal(&dialled, addr) ||
		netaddr_equal(&dialled, &folded));
	require(netaddr_classify(&dialled) == netaddr_classify(addr));
	if (netaddr_classify(addr) == NETADDR_PUBLIC) {
		require(netaddr_classify(&folded) == NETADDR_PUBLIC);
		require(!netaddr_purpose(addr, purpose));
	}
}

static void check_text(const char *s, size_t len)
{
	struct netaddr addr;
	struct hostname name;

	if (!netaddr_parse(s, len, &addr))
		return;
	/* What is an address must never pass for a name as well. */
	require(hostname_parse(s, len, &name) != HOSTNAME_OK);
	check_address(&addr);
}

static void check_block(const char *s, size_t len)
{
	struct netaddr_block block;

	if (!netaddr_parse_block(s, len, &block))
		return;
	require(netaddr_block_contains(&block, &block.addr));
	for (int i = 0; i <= NETADDR_SPECIAL; i++) {
		enum netaddr_class c = (enum netaddr_class)i;
		enum netaddr_class first = netaddr_classify(&block.addr);
		if (netaddr_block_is_within(&block, c))
			require(first == c || first == NETADDR_METADATA ||
				c == NETADDR_SPECIAL);
	}
	struct netaddr_block inner = netaddr_block_unmap(&block);
	struct netaddr dialled = netaddr_dialled(&block.addr);
	require(netaddr_block_spare_bits(&inner) ==
		netaddr_block_spare_bits(&block));
	require(netaddr_block_contains(&inner, &block.addr) ||
		netaddr_equal(&inner.addr, &dialled));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct netaddr addr = {.family = AF_INET6};

	check_text((const char *)data, size);
	check_block((const char *)data, size);
	if (size == sizeof(addr.bytes)) {
		memcpy(addr.bytes, data, size);
		check_address(&addr);
	}
	return 0;
}
