/* SPDX-License-Identifier: MIT */
/* client_table: how many connections each client has open. Pure. */
#ifndef CLIENT_TABLE_H
#define CLIENT_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "netaddr.h"

#define CLIENT_TABLE_BUCKETS 256

/**
 * struct client_id - who a client is
 * @kind:	where it is known from
 * @bytes:	IPv4 address; the first 64 bits of IPv6, since whoever has one
 *		address there has all of them; user id
 */
struct client_id {
	enum client_kind {
		CLIENT_UNKNOWN = 0,
		CLIENT_IPV4,
		CLIENT_IPV6,
		CLIENT_USER,
	} kind;

	uint8_t bytes[8];
};

/** struct client_entry - one client that has a connection */
struct client_entry {
	struct client_entry *next;
	struct client_id id;
	size_t count;
};

/** struct client_table - starts zeroed */
struct client_table {
	struct client_entry *buckets[CLIENT_TABLE_BUCKETS];
};

/** client_id_of_address() - IPv4 in IPv6 spelling is IPv4 */
struct client_id client_id_of_address(const struct netaddr *address);

/** client_id_of_user() - of a Unix socket's client */
struct client_id client_id_of_user(uint32_t uid);

/** client_table_add() - one more. Return: the entry, the table's, to be given
 * to client_table_drop() once; NULL when out of memory. */
struct client_entry *client_table_add(struct client_table *table,
				      const struct client_id *id)
	__attribute__((warn_unused_result));

/** client_table_drop() - one less; the last frees the entry. NULL does
 * nothing. */
void client_table_drop(struct client_table *table, struct client_entry *entry);

#endif
