/* SPDX-License-Identifier: MIT */
/* response: what the proxy says to a client: 200, or a refusal that helps. */
#ifndef RESPONSE_H
#define RESPONSE_H

#include <stddef.h>
#include <stdint.h>

#include "decision.h"

#define RESPONSE_MAX_BYTES   4096
#define RESPONSE_ALERT_BYTES 7

/**
 * struct response_refusal - why there is no tunnel
 * @reason:	decides the status where @status is 0
 * @status:	0; or 400, 408, 431, 505 with REASON_HTTP_REQUEST_ERROR
 * @host:	canonical text, or the raw target with @port 0; any byte, NULL:
 *		not known. Escaped and cut here; never shown as it came
 * @allow:	the flag that would allow it, from suggest_flag(); or NULL
 * @detail:	more about the cause in words: fixed text, a resolver's or
 *		kernel's message; NULL: none. Escaped here too
 */
struct response_refusal {
	enum reason reason;
	unsigned int status;
	const char *host;
	size_t host_len;
	uint16_t port;
	const char *allow;
	const char *detail;
};

/**
 * response_write_established() - 200 for a CONNECT (RFC 9110 s9.3.6): no
 * content, no Content-Length
 * Return: bytes written.
 */
size_t response_write_established(char buf[static RESPONSE_MAX_BYTES]);

/**
 * response_write_refusal() - status line, Proxy-Status (RFC 9209), text body
 *
 * The reason phrase carries the whole message, because most clients show
 * nothing else of an answer to CONNECT:
 *   403 exeat: other.test:8443 is not allowed (allow it with --allow
 *   other.test:8443)
 * Always Connection: close: what the client sent behind a refused CONNECT must
 * never be read as a request.
 *
 * Return: bytes written, at most RESPONSE_MAX_BYTES; always a whole response.
 */
size_t response_write_refusal(const struct response_refusal *refusal,
			      char buf[static RESPONSE_MAX_BYTES]);

/** response_status() - the status code that refusal would be sent with */
unsigned int response_status(const struct response_refusal *refusal);

/**
 * response_write_alert() - a fatal TLS alert record for a refused hello
 *
 * unrecognized_name for a name that is wrong or missing, decode_error for one
 * that cannot be read, access_denied otherwise (RFC 8446 s6.2).
 *
 * Return: bytes written; 0: none fits, the client does not speak TLS.
 */
size_t response_write_alert(enum reason reason,
			    uint8_t buf[static RESPONSE_ALERT_BYTES]);

#endif
