/* SPDX-License-Identifier: MIT */
/* guard_run: both sides of a handshake, built and played to a tls_guard. */
#include "guard_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hello_corpus.h"

void stream_add(struct stream *s, const void *bytes, size_t len)
{
	assert_true(len <= sizeof(s->bytes) - s->len);
	memcpy(s->bytes + s->len, bytes, len);
	s->len += len;
}

void stream_add_record(struct stream *s, uint8_t type, const void *bytes,
		       size_t len)
{
	const uint8_t header[] = {type, 3, 3, (uint8_t)(len >> 8),
				  (uint8_t)len};

	stream_add(s, header, sizeof(header));
	stream_add(s, bytes, len);
}

void stream_add_hello(struct stream *s, const char *name)
{
	size_t len;
	uint8_t *bytes = hello_load(name, &len);

	stream_add(s, bytes, len);
	free(bytes);
}

/* The hello in records of @size bytes each. */
void stream_add_hello_cut(struct stream *s, const char *name, size_t size)
{
	size_t len;
	uint8_t *bytes = hello_load(name, &len);

	for (size_t at = 5; at < len; at += size)
		stream_add_record(s, 22, bytes + at,
				  size < len - at ? size : len - at);
	free(bytes);
}

/* ServerHello with that random; 82 bytes in all, in records of @size. */
void stream_add_server_hello(struct stream *s, const uint8_t *random,
			     size_t size)
{
	uint8_t message[82] = {2, 0, 0, 78, 3, 3};

	memcpy(message + 6, random, 32);
	for (size_t at = 0; at < sizeof(message); at += size)
		stream_add_record(s, 22, message + at,
				  size < sizeof(message) - at
					  ? size
					  : sizeof(message) - at);
}

struct tls_guard *guard_after(const char *name)
{
	struct client_hello hello = {0};
	struct client_hello_state state;
	struct tls_guard *guard;
	size_t len;
	uint8_t *bytes = hello_load(name, &len);

	client_hello_init(&state);
	assert_int_equal(client_hello_feed(&state, bytes, len, &hello),
			 CLIENT_HELLO_OK);
	client_hello_clear(&state);
	free(bytes);
	guard = tls_guard_new(&hello);
	assert_non_null(guard);
	return guard;
}

/* Shows the client's bytes in steps, as a relay would: what is held comes
 * again with what is new. */
static void show_client(struct guard_run *run, struct tls_guard *guard,
			const struct stream *all, size_t upto, size_t step)
{
	size_t seen = run->passed;

	do {
		size_t pass;

		seen = step < upto - seen ? seen + step : upto;
		run->result = tls_guard_client(guard, all->bytes + run->passed,
					       seen - run->passed, &pass);
		assert_true(pass <= seen - run->passed);
		run->passed += pass;
	} while (seen < upto && run->result != TLS_GUARD_DENY);
}

static void show_server(struct tls_guard *guard, const struct stream *server,
			size_t step)
{
	for (size_t at = 0; at < server->len; at += step)
		(void)!tls_guard_server(
			guard, server->bytes + at,
			step < server->len - at ? step : server->len - at);
}

void guard_play(struct guard_run *run, const char *first, size_t step)
{
	struct tls_guard *guard = guard_after(first);
	struct stream *all = malloc(sizeof(*all));

	assert_non_null(all);
	all->len = 0;
	stream_add(all, run->before.bytes, run->before.len);
	stream_add(all, run->after.bytes, run->after.len);
	run->passed = 0;
	show_client(run, guard, all, run->before.len, step);
	run->passed_early = run->passed;
	if (run->result != TLS_GUARD_DENY) {
		show_server(guard, &run->server, step);
		show_client(run, guard, all, all->len, step);
	}
	run->reason = tls_guard_reason(guard);
	free(all);
	tls_guard_free(guard);
}

struct guard_run *guard_run_new(void)
{
	struct guard_run *run = calloc(1, sizeof(*run));

	assert_non_null(run);
	return run;
}
