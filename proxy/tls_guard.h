/* SPDX-License-Identifier: MIT */
/*
 * tls_guard: what a client may send between its ClientHello and the answer.
 *
 * How it works: a server may answer the first hello with a HelloRetryRequest,
 * and some then take the name from the second hello, even from one that came
 * in the same flight as the first. So until the server's first handshake
 * message is known, handshake records (22) of the client are held, while all
 * other records pass: early data (23), change_cipher_spec (20), alerts (21). A
 * HelloRetryRequest makes the guard read the second hello whole and compare it
 * with the first. After that, or after any other ServerHello, the guard is done
 * and the relay may move bytes without looking.
 *
 *   first hello passed -> AWAIT SERVER
 *	ServerHello				-> DONE
 *	HelloRetryRequest			-> AWAIT SECOND HELLO
 *						   -> same name: DONE; else DENY
 *	the server's first byte is no record	-> DONE: no hello is read there
 *	the client sends an unknown record type	-> DONE: a TLS server MUST end
 *						   the connection (RFC 8446 s5)
 *	other records that no server begins with -> SERVER WRONG: handshake
 *						   records of the client: DENY
 *
 * Server bytes are never held. The caller keeps the client bytes that may not
 * pass yet, stops reading at its watermark, and asks again after each server
 * read. A guard takes about 400 bytes, and is freed when it is done.
 */
#ifndef TLS_GUARD_H
#define TLS_GUARD_H

#include <stddef.h>
#include <stdint.h>

#include "client_hello.h"
#include "decision.h"

struct tls_guard;

enum tls_guard_result {
	TLS_GUARD_WATCH = 0, /* pass what was said, hold the rest */
	TLS_GUARD_DONE,      /* all may pass, both ways, from now on */
	TLS_GUARD_DENY,      /* close; nothing more to the server */
	TLS_GUARD_NO_MEMORY, /* close too */
};

/* A caller must be able to hold this much of the client's bytes: a second
 * hello passes only whole. */
#define TLS_GUARD_HOLD_BYTES CLIENT_HELLO_MAX_BYTES

/**
 * tls_guard_new() - start after a hello that was allowed
 * @first:	that hello (read during the call only)
 * Return: NULL when out of memory.
 */
struct tls_guard *tls_guard_new(const struct client_hello *first);

/** tls_guard_free() - NULL does nothing */
void tls_guard_free(struct tls_guard *guard);

/**
 * tls_guard_client() - how much of the client's bytes may pass now?
 * @data:	all bytes that came and did not pass: first what an earlier
 *		call held, then what is new
 * @pass_out:	bytes from the start of @data to send on now; the next call's
 *		@data begins behind them. All of @len when DONE, 0 when denied
 *
 * Costs no more for bytes that come one at a time.
 */
enum tls_guard_result tls_guard_client(struct tls_guard *guard,
				       const uint8_t *data, size_t len,
				       size_t *pass_out)
	__attribute__((warn_unused_result));

/**
 * tls_guard_server() - note what the server says; all of it passes
 * @data:	bytes not shown before
 *
 * Call before the bytes are sent to the client: its answer may arrive at once.
 *
 * Return: WATCH; DONE, or WATCH after a HelloRetryRequest: then ask
 * tls_guard_client() again about the bytes that are held.
 */
enum tls_guard_result tls_guard_server(struct tls_guard *guard,
				       const uint8_t *data, size_t len)
	__attribute__((warn_unused_result));

/** tls_guard_reason() - after DENY: server_name_mismatch, _absent, _malformed,
 * _encrypted, or tls_protocol_error; otherwise REASON_NONE */
enum reason tls_guard_reason(const struct tls_guard *guard);

/** tls_guard_second() - the second hello as far as it was read, for the record
 * of a denial; NULL: there was none. Lives as long as the guard */
const struct client_hello *tls_guard_second(const struct tls_guard *guard);

#endif
