/* SPDX-License-Identifier: MIT */
/* fuzz_client_hello: the verdict does not depend on how a hello is cut. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "client_hello.h"

struct outcome {
	enum client_hello_result result;
	struct client_hello hello;
};

static struct outcome feed(const uint8_t *data, size_t len, size_t step)
{
	struct outcome outcome = {.result = CLIENT_HELLO_MORE};
	struct client_hello_state state;

	client_hello_init(&state);
	for (size_t at = 0; at < len && outcome.result == CLIENT_HELLO_MORE;
	     at += step)
		outcome.result = client_hello_feed(
			&state, data + at, step < len - at ? step : len - at,
			&outcome.hello);
	client_hello_clear(&state);
	return outcome;
}

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void require_same(const struct client_hello *a,
			 const struct client_hello *b)
{
	require(a->has_server_name == b->has_server_name);
	require(hostname_equal(&a->server_name, &b->server_name));
	require(a->raw_name_len == b->raw_name_len);
	require(memcmp(a->raw_name, b->raw_name, a->raw_name_len) == 0);
	require(a->alpn_len == b->alpn_len);
	require(memcmp(a->alpn, b->alpn, a->alpn_len) == 0);
	require(a->has_ech == b->has_ech && a->has_esni == b->has_esni);
	require(a->wire_bytes == b->wire_bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t step = size > 0 ? (size_t)data[size - 1] % 31 + 1 : 1;
	struct outcome whole = feed(data, size, size);
	struct outcome cut = feed(data, size, step);

	require(whole.result == cut.result);
	require_same(&whole.hello, &cut.hello);
	if (whole.result != CLIENT_HELLO_OK)
		return 0;
	require(whole.hello.wire_bytes <= size);
	require(whole.hello.wire_bytes <= CLIENT_HELLO_MAX_BYTES);
	/* Exactly the bytes that it says it took make the same hello. */
	struct outcome exact = feed(data, whole.hello.wire_bytes, size);
	require(exact.result == CLIENT_HELLO_OK);
	require_same(&whole.hello, &exact.hello);
	require(feed(data, whole.hello.wire_bytes - 1, size).result ==
		CLIENT_HELLO_MORE);
	return 0;
}
