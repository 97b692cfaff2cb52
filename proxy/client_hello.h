/* SPDX-License-Identifier: MIT */
/*
 * client_hello: server_name and more from a ClientHello, over TLS records.
 *
 * How it works: the caller feeds the bytes of the connection in order, each
 * once, and keeps them itself (they are released unchanged afterwards). A hello
 * in one record of one read is read in place; otherwise its handshake bytes
 * are gathered. The structure is walked once, when the message is whole, and
 * every length must close exactly: a filter that reads past a wrong length
 * sees another name than the server does.
 */
#ifndef CLIENT_HELLO_H
#define CLIENT_HELLO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hostname.h"

/* Of the wire data, record headers included: what a caller has to hold. */
#define CLIENT_HELLO_MAX_BYTES      65536
#define CLIENT_HELLO_RAW_NAME_BYTES 256
#define CLIENT_HELLO_ALPN_MAX_BYTES 255

enum client_hello_result {
	CLIENT_HELLO_OK = 0,
	CLIENT_HELLO_MORE,           /* feed more; end of file or time: deny */
	CLIENT_HELLO_NOT_TLS,        /* first byte: not a handshake record */
	CLIENT_HELLO_MALFORMED,      /* not exactly one whole ClientHello */
	CLIENT_HELLO_NAME_MALFORMED, /* server_name twice, with two entries,
				   or not a DNS name (nor is a literal) */
	CLIENT_HELLO_NO_MEMORY,
};

/**
 * struct client_hello - what a ClientHello says; owns all it holds
 * @has_server_name: false: there is no server_name extension
 * @server_name: canonical (RFC 6066 s3); one trailing dot is taken off
 * @raw_name:	its bytes as sent, cut to the array, for the record
 * @alpn:	first protocol offered (RFC 7301); @alpn_len 0: none
 * @has_ech:	encrypted_client_hello, GREASE or not (RFC 9849 s6.2)
 * @has_esni:	its predecessor, extension 0xffce
 * @wire_bytes:	bytes fed that the hello took, whole records; what was fed
 *		beyond them was not looked at
 */
struct client_hello {
	bool has_server_name;
	struct hostname server_name;
	uint8_t raw_name[CLIENT_HELLO_RAW_NAME_BYTES];
	size_t raw_name_len;
	char alpn[CLIENT_HELLO_ALPN_MAX_BYTES];
	uint8_t alpn_len;
	bool has_ech;
	bool has_esni;
	size_t wire_bytes;
};

/** struct client_hello_state - progress; the fields are the module's own */
struct client_hello_state {
	uint8_t header[5];
	uint8_t header_len;
	size_t record_left;
	uint8_t *message; /* handshake bytes gathered; NULL: none yet */
	size_t message_len;
	size_t message_size;
	size_t wire_bytes;
	enum client_hello_result result; /* final once it is not MORE */
};

/** client_hello_init() - before the first feed; allocates nothing */
void client_hello_init(struct client_hello_state *state);

/** client_hello_clear() - release memory; once per init, also after errors */
void client_hello_clear(struct client_hello_state *state);

/**
 * client_hello_feed() - take the next bytes from the client
 * @data:	bytes not fed before (borrowed for the call)
 * @hello_out:	filled on OK. On NAME_MALFORMED only @raw_name and
 *		@raw_name_len are: the bytes of the offending name where there
 *		is one
 *
 * Accepts a hello over any number of records (RFC 8446 s5.1), any record
 * version 0x03xx. Refuses empty records, other content types before the
 * hello's end, other handshake types, anything behind the hello in its last
 * record, a duplicate extension type (RFC 8446 s4.2), and more than
 * CLIENT_HELLO_MAX_BYTES. Linear in the bytes however they are cut. Memory is
 * released as soon as the result is final.
 *
 * Return: once not MORE, every further call returns the same and reads nothing
 * (@hello_out is filled by the first only).
 */
enum client_hello_result client_hello_feed(struct client_hello_state *state,
					   const uint8_t *data, size_t len,
					   struct client_hello *hello_out)
	__attribute__((warn_unused_result));

#endif
