/* SPDX-License-Identifier: MIT */
/* fuzz_socks_request: a dialogue ends the same however its bytes come. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "socks_request.h"

struct outcome {
	enum socks_result result;
	struct socks_output out;
	size_t used;
	size_t replies;
};

static struct outcome converse(const uint8_t *data, size_t len, size_t step)
{
	struct outcome o = {.result = SOCKS_MORE};
	struct socks_request socks = {0};
	size_t seen = 0;

	while (o.result == SOCKS_REPLY ||
	       (o.result == SOCKS_MORE && seen < len)) {
		if (o.result == SOCKS_MORE)
			seen = step < len - seen ? seen + step : len;
		o.result = socks_request_read(&socks, data + o.used,
					      seen - o.used, &o.out);
		if (o.result == SOCKS_OK || o.result == SOCKS_REPLY)
			o.used += o.out.used;
		if (o.result == SOCKS_REPLY)
			o.replies++;
	}
	return o;
}

static void require(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t step = size > 0 ? (size_t)data[size - 1] % 17 + 1 : 1;
	struct outcome whole = converse(data, size, size);
	struct outcome cut = converse(data, size, step);
	char text[AUTHORITY_TEXT_BYTES];

	require(whole.result == cut.result && whole.used == cut.used);
	require(whole.replies == cut.replies && whole.replies <= 2);
	require(whole.used <= size);
	if (whole.result != SOCKS_OK)
		return 0;
	struct authority again;
	size_t len = authority_text(&whole.out.authority, text);
	require(authority_parse(text, len, 0, &again) == NULL);
	require(again.port == whole.out.authority.port);
	return 0;
}
