/* SPDX-License-Identifier: MIT */
/* tls_guard: what a client may send between its ClientHello and the answer. */
#include "tls_guard.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

/* RFC 8446 s5.1 content types */
#define TYPE_CHANGE_CIPHER_SPEC 20
#define TYPE_ALERT              21
#define TYPE_HANDSHAKE          22
#define TYPE_APPLICATION_DATA   23
#define TYPE_LAST_KNOWN         26 /* heartbeat, tls12_cid, ACK */

#define RECORD_HEADER_BYTES     5
#define RECORD_MAX_BYTES        (16384 + 256) /* RFC 8446 s5.2: ciphertext */
#define TYPE_HELLO_REQUEST      0             /* RFC 5246 s7.4.1.1 */
#define TYPE_SERVER_HELLO       2
#define MESSAGE_HEADER_BYTES    4
#define RANDOM_BYTES            32
/* Message header, legacy_version, random: enough to tell a retry request. */
#define SERVER_HELLO_BYTES (MESSAGE_HEADER_BYTES + 2 + RANDOM_BYTES)

/* RFC 8446 s4.1.3: the random of a ServerHello that is a HelloRetryRequest,
 * which is the SHA-256 of "HelloRetryRequest". */
static const uint8_t retry_random[RANDOM_BYTES] = {
	0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c,
	0x02, 0x1e, 0x65, 0xb8, 0x91, 0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb,
	0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
};

enum guard_state {
	AWAIT_SERVER = 0,
	AWAIT_SECOND_HELLO,
	SERVER_WRONG,
	GUARD_DONE,
	GUARD_DENIED,
};

/* Where one direction stands between and inside records. */
struct record_cursor {
	uint8_t header[RECORD_HEADER_BYTES];
	uint8_t header_len;
	size_t left;
};

/* Memory for a second hello, made only where one is asked for. @read: bytes
 * from the start of its first record that were read although none may pass. */
struct second_hello {
	struct client_hello_state state;
	struct client_hello hello;
	size_t read;
	bool is_shown;
};

struct tls_guard {
	enum guard_state state;
	enum reason reason;

	/* of the first hello */
	bool has_server_name;
	bool has_ech;
	bool has_esni;
	struct hostname server_name;

	struct record_cursor client; /* what has passed */
	struct second_hello *second;

	struct record_cursor server;
	uint8_t server_hello[SERVER_HELLO_BYTES];
	size_t server_hello_len;
};

struct tls_guard *tls_guard_new(const struct client_hello *first)
{
	struct tls_guard *guard = calloc(1, sizeof(*guard));

	if (guard == NULL)
		return NULL;
	guard->has_server_name = first->has_server_name;
	if (first->has_server_name)
		guard->server_name = first->server_name;
	guard->has_ech = first->has_ech;
	guard->has_esni = first->has_esni;
	return guard;
}

void tls_guard_free(struct tls_guard *guard)
{
	if (guard == NULL)
		return;
	if (guard->second != NULL)
		client_hello_clear(&guard->second->state);
	free(guard->second);
	free(guard);
}

enum reason tls_guard_reason(const struct tls_guard *guard)
{
	return guard->reason;
}

const struct client_hello *tls_guard_second(const struct tls_guard *guard)
{
	return guard->second != NULL && guard->second->is_shown
		       ? &guard->second->hello
		       : NULL;
}

static enum tls_guard_result deny(struct tls_guard *guard, enum reason reason)
{
	guard->state = GUARD_DENIED;
	guard->reason = reason;
	return TLS_GUARD_DENY;
}

/* The client's side. */

/* RFC 8446 s4.1.2: the second hello is the first but for a few extensions,
 * and server_name is none of them. */
static enum tls_guard_result judge_second(struct tls_guard *guard)
{
	const struct client_hello *second = &guard->second->hello;

	if (guard->has_server_name && !second->has_server_name)
		return deny(guard, REASON_SERVER_NAME_ABSENT);
	if (second->has_server_name &&
	    (!guard->has_server_name ||
	     !hostname_equal(&guard->server_name, &second->server_name)))
		return deny(guard, REASON_SERVER_NAME_MISMATCH);
	if ((second->has_ech && !guard->has_ech) ||
	    (second->has_esni && !guard->has_esni))
		return deny(guard, REASON_SERVER_NAME_ENCRYPTED);
	guard->state = GUARD_DONE;
	return TLS_GUARD_DONE;
}

static struct second_hello *second_hello_new(void)
{
	struct second_hello *second = calloc(1, sizeof(*second));

	if (second != NULL)
		client_hello_init(&second->state);
	return second;
}

/* @data: from the first byte of the second hello's first record. */
static enum tls_guard_result read_second(struct tls_guard *guard,
					 const uint8_t *data, size_t len)
{
	struct second_hello *second = guard->second;

	if (second == NULL) {
		second = second_hello_new();
		guard->second = second;
	}
	if (second == NULL)
		return TLS_GUARD_NO_MEMORY;
	enum client_hello_result result =
		client_hello_feed(&second->state, data + second->read,
				  len - second->read, &second->hello);
	second->read = len;
	switch (result) {
	case CLIENT_HELLO_OK:
		second->is_shown = true;
		return judge_second(guard);
	case CLIENT_HELLO_MORE:
		return TLS_GUARD_WATCH;
	case CLIENT_HELLO_NAME_MALFORMED:
		second->is_shown = true;
		return deny(guard, REASON_SERVER_NAME_MALFORMED);
	case CLIENT_HELLO_NO_MEMORY:
		(void)deny(guard, REASON_PROXY_INTERNAL_ERROR);
		return TLS_GUARD_NO_MEMORY;
	case CLIENT_HELLO_NOT_TLS:
	case CLIENT_HELLO_MALFORMED:
		break;
	}
	return deny(guard, REASON_TLS_PROTOCOL_ERROR);
}

static void add_header_byte(struct record_cursor *cursor, uint8_t b)
{
	cursor->header[cursor->header_len++] = b;
	if (cursor->header_len < RECORD_HEADER_BYTES)
		return;
	cursor->header_len = 0;
	cursor->left = (size_t)cursor->header[3] << 8 | cursor->header[4];
}

/* The type alone decides: many servers ignore versions, so a handshake record
 * of any version is one. */
static bool is_at_handshake(const struct tls_guard *guard,
			    const struct reader *r)
{
	return guard->client.left == 0 && guard->client.header_len == 0 &&
	       r->left > 0 && r->at[0] == TYPE_HANDSHAKE;
}

static bool is_known_type(uint8_t type)
{
	return type >= TYPE_CHANGE_CIPHER_SPEC && type <= TYPE_LAST_KNOWN;
}

/* Moves @r over what may pass, byte by byte as it comes, up to a handshake
 * record. Return: false: the client has left TLS. */
static bool pass_records(struct tls_guard *guard, struct reader *r)
{
	struct record_cursor *client = &guard->client;

	while (r->left > 0 && !is_at_handshake(guard, r)) {
		if (client->left > 0) {
			client->left -= reader_take_up_to(r, client->left).left;
			continue;
		}
		if (client->header_len == 0 && !is_known_type(r->at[0]))
			return false;
		add_header_byte(client, reader_take_up_to(r, 1).at[0]);
	}
	return true;
}

/* What is to be done with a handshake record, that is, with all from there. */
static enum tls_guard_result judge_handshake(struct tls_guard *guard,
					     const struct reader *r)
{
	if (guard->state == SERVER_WRONG)
		return deny(guard, REASON_TLS_PROTOCOL_ERROR);
	if (guard->state == AWAIT_SECOND_HELLO)
		return read_second(guard, r->at, r->left);
	return TLS_GUARD_WATCH;
}

enum tls_guard_result tls_guard_client(struct tls_guard *guard,
				       const uint8_t *data, size_t len,
				       size_t *pass_out)
{
	struct reader r = reader_over(data, len);
	enum tls_guard_result result = TLS_GUARD_WATCH;

	*pass_out = 0;
	if (guard->state == GUARD_DENIED)
		return TLS_GUARD_DENY;
	if (guard->state != GUARD_DONE && !pass_records(guard, &r))
		guard->state = GUARD_DONE;
	if (guard->state != GUARD_DONE && is_at_handshake(guard, &r))
		result = judge_handshake(guard, &r);
	if (guard->state == GUARD_DONE)
		result = TLS_GUARD_DONE;
	if (result == TLS_GUARD_WATCH)
		*pass_out = len - r.left;
	else if (result == TLS_GUARD_DONE)
		*pass_out = len;
	return result;
}

/* The server's side. */

/* What the bytes of its first handshake message say so far. */
static enum guard_state judge_server_hello(struct tls_guard *guard)
{
	const uint8_t *m = guard->server_hello;
	size_t len = guard->server_hello_len;

	if (m[0] == TYPE_HELLO_REQUEST) {
		/* Empty, and ignored by a client that has begun. */
		if (m[len - 1] != 0)
			return SERVER_WRONG;
		if (len == MESSAGE_HEADER_BYTES)
			guard->server_hello_len = 0;
		return AWAIT_SERVER;
	}
	if (m[0] != TYPE_SERVER_HELLO)
		return SERVER_WRONG;
	if (len == MESSAGE_HEADER_BYTES && m[1] == 0 && m[2] == 0 &&
	    m[3] < SERVER_HELLO_BYTES - MESSAGE_HEADER_BYTES)
		return SERVER_WRONG;
	if (len < SERVER_HELLO_BYTES)
		return AWAIT_SERVER;
	return memcmp(m + len - RANDOM_BYTES, retry_random, RANDOM_BYTES) == 0
		       ? AWAIT_SECOND_HELLO
		       : GUARD_DONE;
}

static enum guard_state read_server_header(struct tls_guard *guard, uint8_t b)
{
	struct record_cursor *c = &guard->server;

	add_header_byte(c, b);
	/* Plain text, from its first byte or its second: nobody there reads a
	 * hello. */
	if (c->header[0] < TYPE_CHANGE_CIPHER_SPEC ||
	    c->header[0] > TYPE_APPLICATION_DATA ||
	    (c->header_len == 2 && c->header[1] != 3))
		return GUARD_DONE;
	if (c->header_len > 0)
		return AWAIT_SERVER;
	if (c->left == 0 || c->left > RECORD_MAX_BYTES ||
	    c->header[0] == TYPE_APPLICATION_DATA)
		return SERVER_WRONG;
	return AWAIT_SERVER;
}

/* Takes the next bytes of the open record. */
static enum guard_state read_server_record(struct tls_guard *guard,
					   struct reader *r)
{
	struct record_cursor *c = &guard->server;
	uint8_t b;

	if (c->header[0] != TYPE_HANDSHAKE) {
		c->left -= reader_take_up_to(r, c->left).left;
		return AWAIT_SERVER;
	}
	if (!reader_u8(r, &b))
		return AWAIT_SERVER;
	c->left--;
	guard->server_hello[guard->server_hello_len++] = b;
	return judge_server_hello(guard);
}

enum tls_guard_result tls_guard_server(struct tls_guard *guard,
				       const uint8_t *data, size_t len)
{
	struct reader r = reader_over(data, len);
	uint8_t b;

	while (guard->state == AWAIT_SERVER && r.left > 0) {
		if (guard->server.left > 0)
			guard->state = read_server_record(guard, &r);
		else if (reader_u8(&r, &b))
			guard->state = read_server_header(guard, b);
	}
	switch (guard->state) {
	case GUARD_DONE:
		return TLS_GUARD_DONE;
	case GUARD_DENIED:
		return TLS_GUARD_DENY;
	case AWAIT_SERVER:
	case AWAIT_SECOND_HELLO:
	case SERVER_WRONG:
		break;
	}
	return TLS_GUARD_WATCH;
}
