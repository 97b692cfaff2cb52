/* SPDX-License-Identifier: MIT */
/* tunnel_http: plain HTTP on a client connection; inside of tunnel. */
#ifndef TUNNEL_HTTP_H
#define TUNNEL_HTTP_H

#include <stdbool.h>

#include "authority.h"
#include "byte_store.h"
#include "head_scan.h"
#include "http_body.h"
#include "http_message.h"

struct tunnel;

/**
 * struct tunnel_http - the requests of one client, one at a time
 * @origin:	what the socket is connected to, while there is one
 * @is_inside:	the client used CONNECT: every request must be for @origin
 * @is_captured: the client knows of no proxy: origin-form, and each request
 *		names its host, on @captured_port
 * @request:	the head for the origin, written anew
 * @response:	of the response's head what has come so far
 * @is_idle:	between two requests
 * @has_surplus: the origin said more than its response
 */
struct tunnel_http {
	struct authority origin;
	bool is_inside;
	bool is_captured;
	uint16_t captured_port;
	struct byte_store request;
	struct byte_store response;
	struct head_scan scan;
	struct http_exchange exchange;
	struct http_plan up_plan;
	struct http_plan down_plan;
	struct http_body up;
	struct http_body down;
	bool is_up_done;
	bool is_down_done;
	bool has_head;
	bool has_answered;
	bool is_idle;
	bool has_surplus;
};

/* tunnel_exchange.c: how many bytes moved; the tunnel's state tells when it
 * went wrong. */
size_t tunnel_exchange_up(struct tunnel *tunnel);
size_t tunnel_exchange_down(struct tunnel *tunnel);

#endif
