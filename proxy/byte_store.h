/* SPDX-License-Identifier: MIT */
/* byte_store: bytes that have to wait, in memory that grows. */
#ifndef BYTE_STORE_H
#define BYTE_STORE_H

#include <stddef.h>
#include <stdint.h>

/** struct byte_store - starts zeroed; the caller bounds what it adds */
struct byte_store {
	uint8_t *data;
	size_t len;
	size_t size;
};

/** byte_store_add() - append. Return: 0 or -ENOMEM: nothing was. */
int byte_store_add(struct byte_store *store, const void *data, size_t len)
	__attribute__((warn_unused_result));

/** byte_store_drop() - take the first @len (at most what is there) away */
void byte_store_drop(struct byte_store *store, size_t len);

/** byte_store_clear() - free */
void byte_store_clear(struct byte_store *store);

#endif
