/* SPDX-License-Identifier: MIT */
/*
 * http_message: what a forwarder makes of a request or a response head.
 *
 * How it works: judge a head, which finds where the content ends and whether
 * the connection lives on; then write it anew for the other side. Nothing of
 * the framing is copied: Host comes from the authority that was judged, length
 * or chunked from the judgement, so that both sides cannot see two messages in
 * one. The content itself goes through unchanged (http_body.h).
 */
#ifndef HTTP_MESSAGE_H
#define HTTP_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "http_body.h"
#include "request_head.h"
#include "response_head.h"
#include "text.h"

/* Enough for any head that was OK, written anew. */
#define HTTP_MESSAGE_MAX_BYTES (RESPONSE_HEAD_MAX_BYTES + 1024)

/**
 * struct http_plan - what to do with a message
 * @is_last:	its connection closes after it (a response until close is too)
 * @is_upgrade:	request: asks for a WebSocket; response: 101, both sides become
 *		a relay behind it
 * @is_interim:	a response of 1xx but 101: another head follows
 */
struct http_plan {
	struct http_framing framing;
	bool is_last;
	bool is_upgrade;
	bool is_interim;
};

/**
 * struct http_exchange - what a response answers
 * @is_head:	to HEAD: no content, whatever the fields say
 * @is_upgrade:	the request asked for a WebSocket
 * @minor_version: of the request
 * @client_closes: the client's connection closes after this exchange
 */
struct http_exchange {
	bool is_head;
	bool is_upgrade;
	unsigned int minor_version;
	bool client_closes;
};

/**
 * http_message_judge_request() - framing and persistence (RFC 9112 s6, s9)
 * @head:	absolute-form or origin-form
 * @plan_out:	untouched on failure
 *
 * 400 where two readers could differ: Content-Length beside Transfer-Encoding,
 * either of them twice, a list or an empty value, a coding that is not exactly
 * "chunked", a coding in HTTP/1.0, a Connection field that is no token list.
 * An Upgrade to anything but "websocket" is dropped: h2c inside would not be
 * judged request by request.
 *
 * Return: NULL, or why, in fixed text.
 */
const char *http_message_judge_request(const struct request_head *head,
				       struct http_plan *plan_out)
	__attribute__((warn_unused_result));

/** http_message_judge_response() - the same for a response: 502 on failure */
const char *http_message_judge_response(const struct response_head *head,
					const struct http_exchange *exchange,
					struct http_plan *plan_out)
	__attribute__((warn_unused_result));

/**
 * http_message_write_request() - the head for the origin, in origin-form
 * @out:	empty, of HTTP_MESSAGE_MAX_BYTES
 *
 * Left out: hop-by-hop fields (RFC 9110 s7.6.1), what Connection names, the
 * proxy's credentials, and the client's Host, which may say anything. The
 * version is the client's: an HTTP/1.0 client could not read chunks.
 *
 * Return: false where it does not fit.
 */
bool http_message_write_request(const struct request_head *head,
				const struct http_plan *plan, struct text *out)
	__attribute__((warn_unused_result));

/** http_message_write_response() - the head for the client; the same */
bool http_message_write_response(const struct response_head *head,
				 const struct http_exchange *exchange,
				 const struct http_plan *plan, struct text *out)
	__attribute__((warn_unused_result));

#endif
