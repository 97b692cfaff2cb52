/* SPDX-License-Identifier: MIT */
/* fuzz_connect_dialogue: whatever a proxy says, the dialogue stays in bounds,
 * shows printable text only, and reads pieces as it reads the whole. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "connect_dialogue.h"

static void require(bool holds)
{
	if (!holds)
		abort();
}

/**
 * struct run - one reading of all the bytes
 * @used:	done with in all
 */
struct run {
	enum connect_result result;
	size_t used;
};

/* Give the bytes in steps of @step. */
static struct run converse(struct connect_dialogue d, const char *data,
			   size_t len, size_t step)
{
	char buf[CONNECT_SAY_MAX_BYTES];
	struct run run = {.result = CONNECT_MORE};
	struct text say;
	size_t have = 0;

	text_init(&say, buf, sizeof(buf));
	connect_dialogue_start(&d, &say);
	require(!say.is_cut);
	while (run.result == CONNECT_MORE || run.result == CONNECT_SAY) {
		size_t used = 0;

		if (run.result == CONNECT_MORE) {
			if (have == len)
				break;
			have += step < len - have ? step : len - have;
		}
		run.result = connect_dialogue_hear(
			&d, data + run.used, have - run.used, &used, &say);
		require(used <= have - run.used);
		require(run.result != CONNECT_SAY || used > 0);
		run.used += used;
	}
	if (run.result == CONNECT_REFUSED || run.result == CONNECT_BAD)
		for (const char *c = buf; *c != '\0'; c++)
			require(*c >= 0x20 && *c < 0x7f);
	return run;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const urls[] = {
		"http://u:p@127.0.0.1:1",
		"socks5h://u:p@127.0.0.1:1",
	};
	struct proxy_url url;

	if (size < 1 || size > CONNECT_ANSWER_MAX_BYTES)
		return 0;
	const char *text = urls[data[0] & 1];
	require(proxy_url_parse(text, strlen(text), &url) == NULL);
	const struct connect_dialogue d = {
		.proxy = &url, .host = "a.test", .port = 22};
	const char *bytes = (const char *)data + 1;
	struct run whole = converse(d, bytes, size - 1, size);
	struct run pieces = converse(d, bytes, size - 1, 1);

	require(whole.result == pieces.result && whole.used == pieces.used);
	return 0;
}
