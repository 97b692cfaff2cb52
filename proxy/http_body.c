/* SPDX-License-Identifier: MIT */
/* http_body: where the content of an HTTP/1.x message ends (RFC 9112 s6, s7).
 */
#include "http_body.h"

#include "http_text.h"

#define SIZE_MAX_DIGITS 15 /* below 2^60: sums cannot overflow */

/* What a byte of the chunked framing leads to; BAD is none of the states. */
#define BAD_BYTE (-1)

void http_body_init(struct http_body *body, const struct http_framing *framing)
{
	*body = (struct http_body){.kind = framing->kind,
				   .left = framing->length,
				   .result = HTTP_BODY_MORE};
}

static int hex_value(char c)
{
	if (http_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* RFC 9110 s5.5: what may stand in a value, or in an extension. */
static bool is_text(char c)
{
	unsigned char u = (unsigned char)c;

	return u == '\t' || (u >= 0x20 && u != 0x7f);
}

static int on_size(struct http_body *body, char c)
{
	int value = hex_value(c);

	if (value >= 0) {
		if (++body->size_digits > SIZE_MAX_DIGITS)
			return BAD_BYTE;
		body->left = body->left << 4 | (uint64_t)value;
		return HTTP_CHUNK_SIZE;
	}
	if (body->size_digits == 0)
		return BAD_BYTE;
	if (c == ';')
		return HTTP_CHUNK_EXTENSION;
	return c == '\r' ? HTTP_CHUNK_SIZE_LF : BAD_BYTE;
}

static int on_size_line(struct http_body *body, char c)
{
	if (++body->line_len > HTTP_BODY_LINE_MAX_BYTES)
		return BAD_BYTE;
	if (body->chunk != HTTP_CHUNK_EXTENSION)
		return on_size(body, c);
	if (c == '\r')
		return HTTP_CHUNK_SIZE_LF;
	return is_text(c) ? HTTP_CHUNK_EXTENSION : BAD_BYTE;
}

static int on_size_end(struct http_body *body, char c)
{
	if (c != '\n')
		return BAD_BYTE;
	body->line_len = 0;
	body->size_digits = 0;
	return body->left > 0 ? HTTP_CHUNK_DATA : HTTP_CHUNK_TRAILER_START;
}

static int on_trailer(struct http_body *body, char c)
{
	if (++body->line_len > HTTP_BODY_TRAILER_MAX_BYTES)
		return BAD_BYTE;
	switch ((int)body->chunk) {
	case HTTP_CHUNK_TRAILER_START:
		if (c == '\r')
			return HTTP_CHUNK_END_LF;
		return http_is_tchar(c) ? HTTP_CHUNK_TRAILER_NAME : BAD_BYTE;
	case HTTP_CHUNK_TRAILER_NAME:
		if (c == ':')
			return HTTP_CHUNK_TRAILER_VALUE;
		return http_is_tchar(c) ? HTTP_CHUNK_TRAILER_NAME : BAD_BYTE;
	case HTTP_CHUNK_TRAILER_VALUE:
		if (c == '\r')
			return HTTP_CHUNK_TRAILER_LF;
		return is_text(c) ? HTTP_CHUNK_TRAILER_VALUE : BAD_BYTE;
	default:
		return c == '\n' ? HTTP_CHUNK_TRAILER_START : BAD_BYTE;
	}
}

/* One byte of the framing, between chunks' data. */
static enum http_body_result on_byte(struct http_body *body, char c)
{
	int next = BAD_BYTE;

	switch (body->chunk) {
	case HTTP_CHUNK_SIZE_START:
	case HTTP_CHUNK_SIZE:
	case HTTP_CHUNK_EXTENSION:
		next = on_size_line(body, c);
		break;
	case HTTP_CHUNK_SIZE_LF:
		next = on_size_end(body, c);
		break;
	case HTTP_CHUNK_DATA_CR:
		next = c == '\r' ? HTTP_CHUNK_DATA_LF : BAD_BYTE;
		break;
	case HTTP_CHUNK_DATA_LF:
		next = c == '\n' ? HTTP_CHUNK_SIZE_START : BAD_BYTE;
		break;
	case HTTP_CHUNK_TRAILER_START:
	case HTTP_CHUNK_TRAILER_NAME:
	case HTTP_CHUNK_TRAILER_VALUE:
	case HTTP_CHUNK_TRAILER_LF:
		next = on_trailer(body, c);
		break;
	case HTTP_CHUNK_END_LF:
		return c == '\n' ? HTTP_BODY_DONE : HTTP_BODY_BAD;
	case HTTP_CHUNK_DATA:
		break;
	}
	if (next == BAD_BYTE)
		return HTTP_BODY_BAD;
	body->chunk = (enum http_chunk_state)next;
	return HTTP_BODY_MORE;
}

/* Bytes of content itself, up to @len. */
static size_t take_content(struct http_body *body, size_t len)
{
	size_t take = len;

	if (take > body->left)
		take = (size_t)body->left;
	body->left -= take;
	return take;
}

/* Between the last chunk and the empty line: what is dropped. */
static bool is_in_trailer(const struct http_body *body)
{
	return body->chunk == HTTP_CHUNK_TRAILER_NAME ||
	       body->chunk == HTTP_CHUNK_TRAILER_VALUE ||
	       body->chunk == HTTP_CHUNK_TRAILER_LF;
}

static void drop_byte(struct http_body_part *part)
{
	if (part->drop_len == 0)
		part->drop_at = part->used;
	part->drop_len++;
}

static enum http_body_result feed_chunked(struct http_body *body,
					  const char *data, size_t len,
					  struct http_body_part *part)
{
	while (part->used < len) {
		if (body->chunk == HTTP_CHUNK_DATA) {
			part->used += take_content(body, len - part->used);
			if (body->left == 0)
				body->chunk = HTTP_CHUNK_DATA_CR;
			continue;
		}
		bool is_dropped = is_in_trailer(body);
		enum http_body_result result = on_byte(body, data[part->used]);
		if (result == HTTP_BODY_BAD)
			return result;
		if (is_dropped || is_in_trailer(body))
			drop_byte(part);
		part->used++;
		if (result == HTTP_BODY_DONE)
			return result;
	}
	return HTTP_BODY_MORE;
}

enum http_body_result http_body_feed(struct http_body *body, const char *data,
				     size_t len,
				     struct http_body_part *part_out)
{
	struct http_body_part part = {.used = 0};

	*part_out = part;
	if (body->result != HTTP_BODY_MORE)
		return body->result;
	switch (body->kind) {
	case HTTP_BODY_NONE:
		body->result = HTTP_BODY_DONE;
		break;
	case HTTP_BODY_LENGTH:
		part.used = take_content(body, len);
		if (body->left == 0)
			body->result = HTTP_BODY_DONE;
		break;
	case HTTP_BODY_CHUNKED:
		body->result = feed_chunked(body, data, len, &part);
		break;
	case HTTP_BODY_UNTIL_CLOSE:
		part.used = len;
		break;
	}
	*part_out = part;
	return body->result;
}
