/* SPDX-License-Identifier: MIT */
/*
 * dns_names: what a question is answered with, and what is recorded of it.
 *
 * No query ever leaves: a name that a rule speaks of gets a synthetic address,
 * any other does not exist. So a lookup carries nothing out, and a connection
 * to such an address is judged by the name behind it.
 */
#ifndef DNS_NAMES_H
#define DNS_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "dns_wire.h"

struct context;

#define DNS_RECENT_COUNT 256

/**
 * struct dns_names - starts zeroed but for @context, borrowed
 * @has_ipv6:	inside there is IPv6
 * @recent:	refused names and when they were recorded last: a resolver asks
 *		for each family, and again
 */
struct dns_names {
	struct context *context;
	bool has_ipv6;

	struct {
		uint64_t hash;
		int64_t ms;
	} recent[DNS_RECENT_COUNT];
};

/**
 * dns_names_answer() - read, decide, record, write
 * @transport:	"udp" or "tcp", for the record
 *
 * Return: bytes of the answer; 0: nothing is to be said.
 */
size_t dns_names_answer(struct dns_names *names, const uint8_t *data,
			size_t len, const char *transport,
			uint8_t out[static DNS_ANSWER_MAX_BYTES]);

#endif
