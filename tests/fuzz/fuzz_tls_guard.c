/* SPDX-License-Identifier: MIT */
/* fuzz_tls_guard: the verdict does not depend on how either side is cut. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tls_guard.h"

/*
 * The input is a script: one byte of step, two of the server's size, two of
 * how much the client sends before the server speaks; then the server's bytes
 * and the client's.
 */
#define HEADER_BYTES   5
#define TYPE_HANDSHAKE 22

struct script {
	size_t step;
	const uint8_t *server;
	size_t server_len;
	const uint8_t *client;
	size_t client_len;
	size_t client_early;
};

struct outcome {
	enum tls_guard_result result;
	enum reason reason;
	size_t passed;
};

static void require(bool holds)
{
	if (!holds)
		abort();
}

static struct script read_script(const uint8_t *data, size_t size)
{
	struct script s = {.step = (size_t)data[0] % 37 + 1};
	size_t left = size - HEADER_BYTES;
	size_t server = (size_t)data[1] << 8 | data[2];
	size_t early = (size_t)data[3] << 8 | data[4];

	s.server = data + HEADER_BYTES;
	s.server_len = server < left ? server : left;
	s.client = s.server + s.server_len;
	s.client_len = left - s.server_len;
	s.client_early = early < s.client_len ? early : s.client_len;
	return s;
}

static void show_client(struct tls_guard *guard, const struct script *s,
			struct outcome *outcome, size_t upto)
{
	size_t seen = outcome->passed;
	size_t pass = 0;

	do {
		seen = s->step < upto - seen ? seen + s->step : upto;
		outcome->result =
			tls_guard_client(guard, s->client + outcome->passed,
					 seen - outcome->passed, &pass);
		require(pass <= seen - outcome->passed);
		require(outcome->result != TLS_GUARD_DENY || pass == 0);
		outcome->passed += pass;
	} while (seen < upto && outcome->result != TLS_GUARD_DENY);
}

static struct outcome play(const struct script *s,
			   const struct client_hello *first)
{
	struct tls_guard *guard = tls_guard_new(first);
	struct outcome outcome = {.result = TLS_GUARD_WATCH};

	require(guard != NULL);
	show_client(guard, s, &outcome, s->client_early);
	for (size_t at = 0; at < s->server_len; at += s->step)
		(void)!tls_guard_server(guard, s->server + at,
					s->step < s->server_len - at
						? s->step
						: s->server_len - at);
	if (outcome.result != TLS_GUARD_DENY)
		show_client(guard, s, &outcome, s->client_len);
	outcome.reason = tls_guard_reason(guard);
	tls_guard_free(guard);
	return outcome;
}

/* Nothing that passed while the guard watched is a handshake record. */
static void require_no_handshake(const struct script *s, size_t passed)
{
	for (size_t at = 0; at + HEADER_BYTES <= passed;) {
		const uint8_t *h = s->client + at;

		require(h[0] != TYPE_HANDSHAKE);
		at += HEADER_BYTES + ((size_t)h[3] << 8 | h[4]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct client_hello first = {.has_server_name = true};

	if (size < HEADER_BYTES)
		return 0;
	require(hostname_parse("allowed.test", 12, &first.server_name) ==
		HOSTNAME_OK);
	struct script script = read_script(data, size);
	struct outcome cut = play(&script, &first);
	script.step = size;
	struct outcome whole = play(&script, &first);

	require(whole.result == cut.result);
	require(whole.reason == cut.reason);
	if (whole.result != TLS_GUARD_DENY)
		require(whole.passed == cut.passed);
	if (whole.result == TLS_GUARD_DONE)
		require(whole.passed == script.client_len);
	else
		require_no_handshake(&script, cut.passed);
	return 0;
}
