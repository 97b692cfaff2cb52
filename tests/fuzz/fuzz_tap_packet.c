/* SPDX-License-Identifier: MIT */
/* fuzz: packets as the kernel hands them over, and cut ones. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tap_packet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tap_packet packet;

	/* Every attempt has a family that sock_diag knows. */
	if (tap_packet_parse(data, size, &packet) &&
	    packet.flow.inner.family != AF_INET &&
	    packet.flow.inner.family != AF_INET6)
		abort();
	return 0;
}
