/* SPDX-License-Identifier: MIT */
/* http_body: where the content of an HTTP/1.x message ends (RFC 9112 s6, s7).
 */
#ifndef HTTP_BODY_H
#define HTTP_BODY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of a chunk's size line and of all trailer fields together. */
#define HTTP_BODY_LINE_MAX_BYTES    256
#define HTTP_BODY_TRAILER_MAX_BYTES 8192

enum http_body_kind {
	HTTP_BODY_NONE = 0,
	HTTP_BODY_LENGTH,
	HTTP_BODY_CHUNKED,
	HTTP_BODY_UNTIL_CLOSE, /* responses only */
};

/** struct http_framing - how a message says where it ends */
struct http_framing {
	enum http_body_kind kind;
	uint64_t length; /* HTTP_BODY_LENGTH */
};

enum http_body_result {
	HTTP_BODY_DONE = 0, /* the message ends behind what was used */
	HTTP_BODY_MORE,
	HTTP_BODY_BAD,
};

enum http_chunk_state {
	HTTP_CHUNK_SIZE_START = 0,
	HTTP_CHUNK_SIZE,
	HTTP_CHUNK_EXTENSION,
	HTTP_CHUNK_SIZE_LF,
	HTTP_CHUNK_DATA,
	HTTP_CHUNK_DATA_CR,
	HTTP_CHUNK_DATA_LF,
	HTTP_CHUNK_TRAILER_START,
	HTTP_CHUNK_TRAILER_NAME,
	HTTP_CHUNK_TRAILER_VALUE,
	HTTP_CHUNK_TRAILER_LF,
	HTTP_CHUNK_END_LF,
};

/** struct http_body - progress; holds no memory */
struct http_body {
	enum http_body_kind kind;
	enum http_chunk_state chunk;
	uint64_t left;   /* of the content or of the chunk */
	size_t line_len; /* of the size line, or of all trailers */
	unsigned int size_digits;
	enum http_body_result result;
};

/**
 * struct http_body_part - what became of the bytes that were fed
 * @used:	of them belong to the message; what follows does not, or is bad
 * @drop_at, @drop_len: the part of those that is not to be forwarded: trailer
 *		fields
 */
struct http_body_part {
	size_t used;
	size_t drop_at;
	size_t drop_len;
};

/** http_body_init() - at the first byte behind the head */
void http_body_init(struct http_body *body, const struct http_framing *framing);

/**
 * http_body_feed() - how many of these bytes belong to the message?
 * @data:	bytes not fed before
 * @part_out:	which of them may be forwarded, unchanged; with DONE, what
 *		follows is the next message
 *
 * Chunks are followed, not rewritten: a size line is hex digits and perhaps an
 * extension behind ';', line ends are CRLF, no byte is let pass that a looser
 * reader could take for the end of something. Trailer fields are read as
 * strictly and dropped (RFC 9110 s6.5.1): a reader that merges them into the
 * head would take a Host, a length or credentials from there that were not
 * judged. With HTTP_BODY_UNTIL_CLOSE the result stays MORE.
 *
 * Return: BAD: close both sides; what was used before it has been forwarded.
 */
enum http_body_result http_body_feed(struct http_body *body, const char *data,
				     size_t len,
				     struct http_body_part *part_out)
	__attribute__((warn_unused_result));

#endif
