/* SPDX-License-Identifier: MIT */
/*
 * socks_request: the client's half of SOCKS5 (RFC 1928) and SOCKS4a.
 *
 * How it works: a dialogue of short messages. The caller keeps what came and
 * calls socks_request_read() with it; each call takes at most one message:
 *
 *   5 methods	-> REPLY (no authentication, or user and password)
 *   1 user pass -> REPLY (taken and ignored, RFC 1929)
 *   5 1 0 host port, or 4 1 port address user [host] -> OK
 *
 * Then the destination is judged and socks_write_reply() answers. Bytes behind
 * the last message are the client's early data.
 */
#ifndef SOCKS_REQUEST_H
#define SOCKS_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#include "authority.h"
#include "decision.h"
#include "http_text.h"

/* A longer message of any kind is refused: what a caller has to hold. */
#define SOCKS_MESSAGE_MAX_BYTES 520
#define SOCKS_REPLY_MAX_BYTES   10

enum socks_result {
	SOCKS_OK = 0, /* the destination is known */
	SOCKS_MORE,   /* read more and call again with all of it */
	SOCKS_REPLY,  /* send the reply, drop what was used, call again */
	SOCKS_BAD,    /* send the reply, if there is one, and close */
};

enum socks_stage {
	SOCKS_STAGE_START = 0,
	SOCKS_STAGE_PASSWORD, /* RFC 1929 */
	SOCKS_STAGE_REQUEST,
	SOCKS_STAGE_END,
};

/** struct socks_request - the dialogue; starts zeroed, holds no memory */
struct socks_request {
	enum socks_stage stage;
	uint8_t version; /* 4 or 5, once the first byte was read */
};

/**
 * struct socks_output - what a call has found
 * @used:	bytes of the data that the message took (OK, REPLY)
 * @reply:	to send, @reply_len bytes (REPLY, BAD; 0 with BAD: nothing)
 * @authority:	on OK
 * @target:	raw host, for the record; borrowed from the data (OK, BAD)
 * @reason:	on BAD: why, fixed text
 */
struct socks_output {
	size_t used;
	uint8_t reply[SOCKS_REPLY_MAX_BYTES];
	size_t reply_len;
	struct authority authority;
	struct http_span target;
	const char *reason;
};

/**
 * socks_request_read() - look at what has come of the next message
 * @data:	bytes not used by an earlier call (borrowed)
 * @out:	see above; untouched on MORE
 *
 * Only CONNECT: BIND and UDP ASSOCIATE would open other ways. A host name goes
 * through authority_parse_host(), so a NUL or an odd spelling of an address
 * inside it is BAD and not something for a resolver. A SOCKS4 client names an
 * address, a SOCKS4a client a name behind 0.0.0.x.
 */
enum socks_result socks_request_read(struct socks_request *socks,
				     const uint8_t *data, size_t len,
				     struct socks_output *out)
	__attribute__((warn_unused_result));

/**
 * socks_write_reply() - answer to the request after judging and dialling
 * @reason:	REASON_NONE: granted
 *
 * Return: bytes written.
 */
size_t socks_write_reply(const struct socks_request *socks, enum reason reason,
			 uint8_t buf[static SOCKS_REPLY_MAX_BYTES]);

#endif
