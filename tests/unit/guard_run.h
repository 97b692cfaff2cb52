/* SPDX-License-Identifier: MIT */
/* guard_run: both sides of a handshake, built and played to a tls_guard. */
#ifndef GUARD_RUN_H
#define GUARD_RUN_H

#include <stddef.h>
#include <stdint.h>

#include "tls_guard.h"

#define STREAM_BYTES 65536

/* Bytes of one direction, built record by record. */
struct stream {
	uint8_t bytes[STREAM_BYTES];
	size_t len;
};

void stream_add(struct stream *s, const void *bytes, size_t len);
void stream_add_record(struct stream *s, uint8_t type, const void *bytes,
		       size_t len);

/** stream_add_hello() - a recorded hello as it is; _cut: in records of @size */
void stream_add_hello(struct stream *s, const char *name);
void stream_add_hello_cut(struct stream *s, const char *name, size_t size);

/** stream_add_server_hello() - 82 bytes with that random, in records of @size
 */
void stream_add_server_hello(struct stream *s, const uint8_t *random,
			     size_t size);

/** guard_after() - a guard that follows a recorded hello; the caller's */
struct tls_guard *guard_after(const char *name);

/* A run: the client sends @before, the server @server, the client @after. */
struct guard_run {
	struct stream before;
	struct stream server;
	struct stream after;
	enum tls_guard_result result;
	enum reason reason;
	size_t passed_early; /* before the server spoke */
	size_t passed;
};

/** guard_run_new() - empty; free() it */
struct guard_run *guard_run_new(void);

/** guard_play() - play it behind the hello @first, @step bytes at a time */
void guard_play(struct guard_run *run, const char *first, size_t step);

#endif
