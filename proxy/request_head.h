/* SPDX-License-Identifier: MIT */
/*
 * request_head: a strict HTTP/1.x request head, read as it arrives.
 *
 * How it works: the caller collects bytes in one buffer and calls
 * request_head_parse() after each read, always with the whole buffer. A scan
 * keeps the offset up to which line ends and forbidden bytes were looked at,
 * so a head that comes byte by byte costs the same as one that comes whole.
 * The request line is judged as soon as it is whole, the fields when the empty
 * line is there. The verdict does not depend on how the bytes were cut.
 */
#ifndef REQUEST_HEAD_H
#define REQUEST_HEAD_H

#include <stddef.h>
#include <stdint.h>

#include "authority.h"
#include "head_scan.h"
#include "http_text.h"

#define REQUEST_HEAD_MAX_BYTES  16384
#define REQUEST_HEAD_MAX_FIELDS 100

enum request_head_result {
	REQUEST_HEAD_OK = 0,
	REQUEST_HEAD_MORE,      /* read more and call again */
	REQUEST_HEAD_BAD,       /* 400; see reason */
	REQUEST_HEAD_TOO_LARGE, /* 431 (RFC 6585 s5) */
	REQUEST_HEAD_VERSION,   /* 505: neither HTTP/1.0 nor HTTP/1.1 */
	REQUEST_HEAD_HTTP2,     /* 505: an HTTP/2 preface (RFC 9113 s3.4) */
	REQUEST_HEAD_TLS,       /* first byte 0x16: close at once, nothing to
				   say; log once REQUEST_HEAD_TLS_HINT */
	REQUEST_HEAD_SOCKS4,    /* first byte 4 */
	REQUEST_HEAD_SOCKS5,    /* first byte 5 */
};

#define REQUEST_HEAD_TLS_HINT "TLS sent to plain proxy, use http://"

/** struct request_head_scan - progress; starts zeroed, holds no memory */
struct request_head_scan {
	struct head_scan lines;
};

enum request_head_form {                 /* RFC 9112 s3.2 */
	REQUEST_HEAD_AUTHORITY_FORM = 0, /* CONNECT */
	REQUEST_HEAD_ABSOLUTE_FORM,      /* GET http://host/path */
	REQUEST_HEAD_ORIGIN_FORM,        /* GET /path; captured connections */
};

/**
 * struct request_head - what the head says; spans are borrowed from the buffer
 * @method:	upper case; "CONNECT" if and only if @form is AUTHORITY_FORM
 * @target:	raw, for the record; filled (maybe empty, any byte) also on
 *		BAD, TOO_LARGE, VERSION and HTTP2
 * @authority:	of the target; in origin-form of the Host field
 * @path:	path and query, at least "/" ("*" is not accepted), not for
 *		CONNECT; in absolute-form it is what follows the authority and
 *		may lack the leading "/"
 * @fields:	the field lines, each ended by CRLF, syntax checked, without
 *		the empty line; walk them with http_split_field()
 * @minor_version: 0 or 1
 * @head_len:	size of the head with its empty line: bytes after it in the
 *		buffer are the client's early data, or a request's content
 * @reason:	why, when the result is BAD: fixed text, no client bytes
 */
struct request_head {
	enum request_head_form form;
	struct http_span method;
	struct http_span target;
	struct authority authority;
	struct http_span path;
	struct http_span fields;
	uint8_t minor_version;
	size_t head_len;
	const char *reason;
};

/**
 * request_head_parse() - look at what has come of a head so far
 * @scan:	zeroed before the first call of each head
 * @data:	all bytes since the head began; may have moved between calls
 * @len:	size of @data; grows from call to call
 * @head_out:	filled on OK; on BAD, TOO_LARGE, VERSION and HTTP2
 *		only @target and @reason are
 *
 * Refuses what RFC 9112 lets a recipient repair: bare LF or CR, a fold, space
 * before a colon or round the request line, lower-case methods, an empty line
 * before the request. CONNECT takes exactly host ":" port and may not carry
 * Content-Length or Transfer-Encoding (its content has no meaning, RFC 9110
 * s9.3.6, and the bytes would be read twice). Host: required in HTTP/1.1 and
 * well-formed, at most once in either version (RFC 9112 s3.2: MUST be 400);
 * its value decides nothing but in origin-form.
 *
 * A refusal may come while the rest of the head is still on its way: drain
 * before closing, or the client's kernel drops the answer.
 *
 * Return: see enum request_head_result; final but for MORE.
 */
enum request_head_result request_head_parse(struct request_head_scan *scan,
					    const char *data, size_t len,
					    struct request_head *head_out)
	__attribute__((warn_unused_result));

#endif
