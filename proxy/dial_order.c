/* SPDX-License-Identifier: MIT */
/* dial_order: in which order addresses are tried (RFC 8305 s4). */
#include "dial_order.h"

#include <stdbool.h>
#include <string.h>

static bool is_among(const struct netaddr *addr, const struct netaddr *others,
		     size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (netaddr_equal(addr, &others[i]))
			return true;
	return false;
}

size_t dial_order_interleave(struct netaddr *addrs, size_t count)
{
	struct netaddr six[DIAL_ORDER_MAX];
	struct netaddr four[DIAL_ORDER_MAX];
	size_t six_count = 0;
	size_t four_count = 0;
	size_t used = 0;

	for (size_t i = 0; i < count && i < DIAL_ORDER_MAX; i++) {
		bool is_six = addrs[i].family == AF_INET6;

		if (is_six && !is_among(&addrs[i], six, six_count))
			six[six_count++] = addrs[i];
		if (!is_six && !is_among(&addrs[i], four, four_count))
			four[four_count++] = addrs[i];
	}
	for (size_t i = 0; i < six_count || i < four_count; i++) {
		if (i < six_count)
			addrs[used++] = six[i];
		if (i < four_count)
			addrs[used++] = four[i];
	}
	return used;
}
