/* SPDX-License-Identifier: MIT */
/* byte_store: bytes that have to wait, in memory that grows. */
#include "byte_store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 1024

int byte_store_add(struct byte_store *store, const void *data, size_t len)
{
	size_t size = store->size > 0 ? store->size : FIRST_SIZE;

	while (size < store->len + len)
		size *= 2;
	if (size > store->size) {
		uint8_t *grown = realloc(store->data, size);

		if (grown == NULL)
			return -ENOMEM;
		store->data = grown;
		store->size = size;
	}
	if (len > 0)
		memcpy(store->data + store->len, data, len);
	store->len += len;
	return 0;
}

void byte_store_drop(struct byte_store *store, size_t len)
{
	store->len -= len;
	if (store->len > 0 && len > 0)
		memmove(store->data, store->data + len, store->len);
}

void byte_store_clear(struct byte_store *store)
{
	free(store->data);
	*store = (struct byte_store){0};
}
