/* SPDX-License-Identifier: MIT */
/* client_hello: server_name and more from a ClientHello, over TLS records. */
#include "client_hello.h"

#include <stdlib.h>
#include <string.h>

#include "reader.h"

#define TYPE_HANDSHAKE        22 /* RFC 8446 s5.1 */
#define RECORD_HEADER_BYTES   5
#define RECORD_MAX_BYTES      16384
#define TYPE_CLIENT_HELLO     1 /* RFC 8446 s4 */
#define MESSAGE_HEADER_BYTES  4
#define MESSAGE_MIN_BYTES     1024
#define RANDOM_BYTES          32
#define SESSION_ID_MAX_BYTES  32

#define EXTENSION_SERVER_NAME 0      /* RFC 6066 s3 */
#define EXTENSION_ALPN        16     /* RFC 7301 s3.1 */
#define EXTENSION_ECH         0xfe0d /* RFC 9849 s5 */
#define EXTENSION_ESNI        0xffce
#define NAME_TYPE_HOST_NAME   0

#define SET_PAGES             64
#define SET_PAGE_TYPES        (65536 / SET_PAGES)
#define SET_PAGE_WORDS        (SET_PAGE_TYPES / 64)

/* One bit for each of the 65536 extension types: duplicates are found in
 * linear time, however many a client sends. A page is cleared when its first
 * type comes, since a hello has types of a few pages only. */
struct type_set {
	uint64_t cleared;
	uint64_t pages[SET_PAGES][SET_PAGE_WORDS];
};

static bool add_type(struct type_set *set, uint16_t type)
{
	size_t page = type / SET_PAGE_TYPES;
	uint64_t *word = &set->pages[page][type % SET_PAGE_TYPES / 64];
	uint64_t bit = (uint64_t)1 << (type % 64);

	if ((set->cleared >> page & 1) == 0) {
		memset(set->pages[page], 0, sizeof(set->pages[page]));
		set->cleared |= (uint64_t)1 << page;
	}
	if ((*word & bit) != 0)
		return false;
	*word |= bit;
	return true;
}

/* Stage 2: the structure of the message (RFC 8446 s4.1.2). */

static void keep_raw_name(struct client_hello *hello, struct reader name)
{
	struct reader kept = reader_take_up_to(&name, sizeof(hello->raw_name));

	if (kept.left > 0)
		memcpy(hello->raw_name, kept.at, kept.left);
	hello->raw_name_len = kept.left;
}

/* Exactly one entry, of type host_name: servers disagree on which of two they
 * take, and an unknown type has no known size to skip. */
static enum client_hello_result parse_server_name(struct reader data,
						  struct client_hello *hello)
{
	struct reader list;
	struct reader name;
	uint8_t type;

	keep_raw_name(hello, data);
	if (!reader_vector16(&data, &list) || data.left > 0 ||
	    !reader_u8(&list, &type) || type != NAME_TYPE_HOST_NAME ||
	    !reader_vector16(&list, &name))
		return CLIENT_HELLO_NAME_MALFORMED;
	keep_raw_name(hello, name);
	if (list.left > 0 || hostname_parse((const char *)name.at, name.left,
					    &hello->server_name) != HOSTNAME_OK)
		return CLIENT_HELLO_NAME_MALFORMED;
	hello->has_server_name = true;
	return CLIENT_HELLO_OK;
}

static enum client_hello_result parse_alpn(struct reader data,
					   struct client_hello *hello)
{
	struct reader list;
	struct reader name;

	if (!reader_vector16(&data, &list) || data.left > 0 || list.left == 0)
		return CLIENT_HELLO_MALFORMED;
	while (list.left > 0) {
		if (!reader_vector8(&list, &name) || name.left == 0)
			return CLIENT_HELLO_MALFORMED;
		if (hello->alpn_len > 0)
			continue;
		memcpy(hello->alpn, name.at, name.left);
		hello->alpn_len = (uint8_t)name.left;
	}
	return CLIENT_HELLO_OK;
}

static enum client_hello_result
parse_extension(uint16_t type, struct reader data, struct client_hello *hello)
{
	switch (type) {
	case EXTENSION_SERVER_NAME:
		return parse_server_name(data, hello);
	case EXTENSION_ALPN:
		return parse_alpn(data, hello);
	case EXTENSION_ECH:
		hello->has_ech = true;
		return CLIENT_HELLO_OK;
	case EXTENSION_ESNI:
		hello->has_esni = true;
		return CLIENT_HELLO_OK;
	default:
		return CLIENT_HELLO_OK; /* GREASE among them, RFC 8701 */
	}
}

/* Every extension is walked even after a bad name: a hello that is broken as a
 * whole is MALFORMED, whatever its name says. */
static enum client_hello_result parse_extensions(struct reader list,
						 struct client_hello *hello)
{
	enum client_hello_result worst = CLIENT_HELLO_OK;
	struct type_set seen;

	seen.cleared = 0;
	while (list.left > 0) {
		struct reader data;
		uint16_t type;

		if (!reader_u16(&list, &type) || !reader_vector16(&list, &data))
			return CLIENT_HELLO_MALFORMED;
		if (!add_type(&seen, type)) {
			if (type != EXTENSION_SERVER_NAME)
				return CLIENT_HELLO_MALFORMED;
			worst = CLIENT_HELLO_NAME_MALFORMED;
			continue;
		}
		enum client_hello_result result =
			parse_extension(type, data, hello);
		if (result == CLIENT_HELLO_MALFORMED)
			return result;
		if (result != CLIENT_HELLO_OK)
			worst = result;
	}
	return worst;
}

/* @body: the message without its header, whole. */
static enum client_hello_result parse_body(struct reader body,
					   struct client_hello *hello)
{
	struct reader random;
	struct reader session_id;
	struct reader ciphers;
	struct reader compression;
	struct reader extensions;
	uint16_t version;

	if (!reader_u16(&body, &version) ||
	    !reader_take(&body, RANDOM_BYTES, &random) ||
	    !reader_vector8(&body, &session_id) ||
	    session_id.left > SESSION_ID_MAX_BYTES ||
	    !reader_vector16(&body, &ciphers) || ciphers.left == 0 ||
	    ciphers.left % 2 != 0 || !reader_vector8(&body, &compression) ||
	    compression.left == 0)
		return CLIENT_HELLO_MALFORMED;
	if (body.left == 0) /* TLS 1.2 allows it (RFC 5246 s7.4.1.2) */
		return CLIENT_HELLO_OK;
	if (!reader_vector16(&body, &extensions) || body.left > 0)
		return CLIENT_HELLO_MALFORMED;
	return parse_extensions(extensions, hello);
}

/* Stage 1: records and the message header. */

void client_hello_init(struct client_hello_state *state)
{
	*state = (struct client_hello_state){.result = CLIENT_HELLO_MORE};
}

void client_hello_clear(struct client_hello_state *state)
{
	free(state->message);
	client_hello_init(state);
}

static enum client_hello_result finish(struct client_hello_state *state,
				       enum client_hello_result result)
{
	free(state->message);
	state->message = NULL;
	state->message_size = 0;
	state->result = result;
	return result;
}

/* A header as far as it has come: a wrong byte is refused at once. */
static enum client_hello_result check_header(struct client_hello_state *state)
{
	const uint8_t *h = state->header;
	size_t len = (size_t)h[3] << 8 | h[4];

	if (h[0] != TYPE_HANDSHAKE)
		return state->wire_bytes == 1 ? CLIENT_HELLO_NOT_TLS
					      : CLIENT_HELLO_MALFORMED;
	if (state->header_len > 1 && h[1] != 3)
		return CLIENT_HELLO_MALFORMED;
	if (state->header_len < RECORD_HEADER_BYTES)
		return CLIENT_HELLO_MORE;
	/* RFC 8446 s5.1: no empty fragments of handshake types, which would
	 * let a client keep us busy for ever. */
	if (len == 0 || len > RECORD_MAX_BYTES ||
	    state->wire_bytes + len > CLIENT_HELLO_MAX_BYTES)
		return CLIENT_HELLO_MALFORMED;
	state->header_len = 0;
	state->record_left = len;
	return CLIENT_HELLO_MORE;
}

/* Size of the message that starts at @at, its header included. */
static size_t message_total(const uint8_t *at)
{
	struct reader r = reader_over(at, MESSAGE_HEADER_BYTES);
	uint32_t body = 0;
	uint8_t type;

	if (!reader_u8(&r, &type) || !reader_u24(&r, &body))
		return 0;
	return MESSAGE_HEADER_BYTES + (size_t)body;
}

static int append(struct client_hello_state *state, struct reader bytes)
{
	size_t need = state->message_len + bytes.left;

	if (need > state->message_size) {
		size_t size = state->message_size * 2;

		if (size < need)
			size = need < MESSAGE_MIN_BYTES ? MESSAGE_MIN_BYTES
							: need;
		uint8_t *grown = realloc(state->message, size);
		if (grown == NULL)
			return -1;
		state->message = grown;
		state->message_size = size;
	}
	memcpy(state->message + state->message_len, bytes.at, bytes.left);
	state->message_len = need;
	return 0;
}

/* Type and size, once they are there. The hello must end with its record:
 * whatever stood behind it would reach the server unread. */
static enum client_hello_result check_message(struct client_hello_state *state)
{
	const uint8_t *m = state->message;

	if (m[0] != TYPE_CLIENT_HELLO)
		return CLIENT_HELLO_MALFORMED;
	if (state->message_len < MESSAGE_HEADER_BYTES)
		return CLIENT_HELLO_MORE;

	size_t total = message_total(m);
	if (total > CLIENT_HELLO_MAX_BYTES ||
	    state->message_len + state->record_left > total)
		return CLIENT_HELLO_MALFORMED;
	return state->message_len == total ? CLIENT_HELLO_OK
					   : CLIENT_HELLO_MORE;
}

/* The usual case: one record, whole, with one whole hello in it. */
static bool is_whole_hello(const struct client_hello_state *state,
			   const struct reader *r)
{
	return state->message_len == 0 && state->record_left <= r->left &&
	       state->record_left >= MESSAGE_HEADER_BYTES &&
	       r->at[0] == TYPE_CLIENT_HELLO &&
	       message_total(r->at) == state->record_left;
}

/* Takes bytes of the open record; OK: @message_out is the whole hello. */
static enum client_hello_result take_fragment(struct client_hello_state *state,
					      struct reader *r,
					      struct reader *message_out)
{
	bool is_whole = is_whole_hello(state, r);
	size_t take = state->record_left;

	/* Message header first: nothing is gathered for a wrong one. */
	if (!is_whole && state->message_len < MESSAGE_HEADER_BYTES &&
	    take > MESSAGE_HEADER_BYTES - state->message_len)
		take = MESSAGE_HEADER_BYTES - state->message_len;
	struct reader bytes = reader_take_up_to(r, take);
	state->record_left -= bytes.left;
	state->wire_bytes += bytes.left;
	if (is_whole) {
		*message_out = bytes;
		return CLIENT_HELLO_OK;
	}
	if (append(state, bytes) != 0)
		return CLIENT_HELLO_NO_MEMORY;

	enum client_hello_result result = check_message(state);
	if (result == CLIENT_HELLO_OK)
		*message_out = reader_over(state->message, state->message_len);
	return result;
}

static enum client_hello_result take_bytes(struct client_hello_state *state,
					   struct reader *r,
					   struct reader *message_out)
{
	enum client_hello_result result = CLIENT_HELLO_MORE;

	while (r->left > 0 && result == CLIENT_HELLO_MORE) {
		if (state->record_left > 0) {
			result = take_fragment(state, r, message_out);
		} else if (reader_u8(r, &state->header[state->header_len])) {
			state->header_len++;
			state->wire_bytes++;
			result = check_header(state);
		}
	}
	return result;
}

enum client_hello_result client_hello_feed(struct client_hello_state *state,
					   const uint8_t *data, size_t len,
					   struct client_hello *hello_out)
{
	struct reader r = reader_over(data, len);
	struct client_hello hello = {0};
	struct reader message;
	struct reader header;

	if (state->result != CLIENT_HELLO_MORE)
		return state->result;
	enum client_hello_result result = take_bytes(state, &r, &message);
	if (result == CLIENT_HELLO_MORE)
		return result;
	if (result == CLIENT_HELLO_OK)
		result = reader_take(&message, MESSAGE_HEADER_BYTES, &header)
				 ? parse_body(message, &hello)
				 : CLIENT_HELLO_MALFORMED;
	if (result == CLIENT_HELLO_OK) {
		hello.wire_bytes = state->wire_bytes;
		*hello_out = hello;
	} else if (result == CLIENT_HELLO_NAME_MALFORMED) {
		memcpy(hello_out->raw_name, hello.raw_name,
		       sizeof(hello.raw_name));
		hello_out->raw_name_len = hello.raw_name_len;
	}
	return finish(state, result);
}
