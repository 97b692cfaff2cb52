/* SPDX-License-Identifier: MIT */
/* response: what the proxy says to a client: 200, or a refusal that helps. */
#include "response.h"

#include <stdbool.h>
#include <string.h>

#include "text.h"

#define HOST_SHOWN_BYTES   256
#define DETAIL_SHOWN_BYTES 128
#define MESSAGE_BYTES      832

/* One row a reason: status, RFC 9209 s2.3 type, and what follows host:port. */
struct reason_words {
	unsigned int status;
	const char *error;
	const char *words;
};

static const struct reason_words words_of[REASON_COUNT] = {
	[REASON_NONE] = {500, "proxy_internal_error",      "internal error"          },
	[REASON_HTTP_REQUEST_DENIED] = {403, "http_request_denied",
                         "is not allowed"                                            },
	[REASON_PORT_NOT_ALLOWED] = {403, "http_request_denied",
                         "is not allowed, other ports are"                           },
	[REASON_DESTINATION_IP_PROHIBITED] = {403, "destination_ip_prohibited",
                         "is not allowed at its address"                             },
	[REASON_DNS_ERROR] = {502, "dns_error",                 "has no address"          },
	[REASON_DNS_TIMEOUT] = {504, "dns_timeout",               "was not resolved in time"},
	[REASON_CONNECTION_REFUSED] = {502, "connection_refused",
                         "cannot be reached"                                         },
	[REASON_CONNECTION_TIMEOUT] = {504, "connection_timeout",
                         "did not answer in time"                                    },
	[REASON_CONNECTION_LIMIT_REACHED] = {503, "connection_limit_reached",
                         "has to wait, too many tunnels"                             },
	[REASON_TLS_PROTOCOL_ERROR] = {502, "tls_protocol_error",
                         "TLS protocol error"                                        },
	[REASON_HTTP_REQUEST_ERROR] = {400, "http_request_error",
                         "bad request"                                               },
	[REASON_PROXY_INTERNAL_ERROR] = {500, "proxy_internal_error",
                         "internal error"                                            },
	[REASON_SERVER_NAME_ABSENT] = {403, "http_request_denied",
                         "server_name is missing"                                    },
	[REASON_SERVER_NAME_MISMATCH] = {403, "http_request_denied",
                         "server_name is another"                                    },
	[REASON_SERVER_NAME_MALFORMED] = {403, "http_request_denied",
                         "server_name is malformed"                                  },
	[REASON_SERVER_NAME_ENCRYPTED] = {403, "http_request_denied",
                         "server_name is encrypted"                                  },
	[REASON_NOT_TLS] = {403, "http_request_denied",       "what came is not TLS"    },
	[REASON_HELLO_TIMEOUT] = {408, "http_request_error",
                         "no ClientHello in time"                                    },
	[REASON_AUDIT_FAILED] = {503, "proxy_internal_error",
                         "is refused, it cannot be recorded"                         },
};

static const struct reason_words *find_words(enum reason reason)
{
	if ((size_t)reason >= REASON_COUNT)
		reason = REASON_PROXY_INTERNAL_ERROR;
	return &words_of[reason];
}

unsigned int response_status(const struct response_refusal *refusal)
{
	return refusal->status != 0 ? refusal->status
				    : find_words(refusal->reason)->status;
}

static const char *words_for(const struct response_refusal *refusal)
{
	switch (refusal->status) {
	case 408:
		return "request did not come in time";
	case 431:
		return "request head is too large";
	case 505:
		return "HTTP version not supported";
	default:
		return find_words(refusal->reason)->words;
	}
}

/* Foreign bytes, escaped and cut to @max bytes of output. */
static void add_foreign(struct text *t, const void *bytes, size_t len,
			size_t max)
{
	char buf[HOST_SHOWN_BYTES + sizeof("...")];
	bool is_cut = len > max;
	struct text part;

	text_init(&part, buf, max + 1);
	text_add_printable(&part, bytes, is_cut ? max : len);
	if (part.is_cut || is_cut) {
		while (part.len > max - 3)
			part.len--;
		part.is_cut = false;
		text_add(&part, "...");
	}
	text_add_bytes(t, part.buf, part.len);
}

static void add_destination(struct text *t,
			    const struct response_refusal *refusal)
{
	bool is_v6 = refusal->port != 0 &&
		     memchr(refusal->host, ':', refusal->host_len) != NULL;

	text_add(t, is_v6 ? "[" : "");
	add_foreign(t, refusal->host, refusal->host_len, HOST_SHOWN_BYTES);
	text_add(t, is_v6 ? "]" : "");
	if (refusal->port != 0)
		text_addf(t, ":%u", (unsigned int)refusal->port);
}

/* "other.test:8443 is not allowed", "bad request: port is missing" */
static void write_message(const struct response_refusal *refusal,
			  struct text *t)
{
	if (refusal->host != NULL && refusal->host_len > 0) {
		add_destination(t, refusal);
		text_add(t, refusal->port != 0 ? " " : ": ");
	}
	text_add(t, words_for(refusal));
	if (refusal->detail != NULL) {
		text_add(t, ": ");
		add_foreign(t, refusal->detail, strlen(refusal->detail),
			    DETAIL_SHOWN_BYTES);
	}
}

/* With the flag, where that fits. */
static void write_phrase(const char *message, const char *allow, struct text *t)
{
	text_add(t, message);
	if (allow == NULL)
		return;
	size_t without = t->len;
	text_addf(t, " (allow it with %s)", allow);
	if (!t->is_cut)
		return;
	t->len = without;
	t->buf[without] = '\0';
	t->is_cut = false;
}

/* RFC 8941 s3.3.3: a string escapes quote and backslash, all else is VCHAR or
 * space already. */
static void add_sf_string(struct text *t, const char *s)
{
	text_add(t, "\"");
	for (; *s != '\0'; s++) {
		if (*s == '"' || *s == '\\')
			text_add(t, "\\");
		text_add_bytes(t, s, 1);
	}
	text_add(t, "\"");
}

size_t response_write_established(char buf[static RESPONSE_MAX_BYTES])
{
	struct text t;

	text_init(&t, buf, RESPONSE_MAX_BYTES);
	text_add(&t, "HTTP/1.1 200 Connection established\r\n\r\n");
	return t.len;
}

size_t response_write_refusal(const struct response_refusal *refusal,
			      char buf[static RESPONSE_MAX_BYTES])
{
	char message_buf[MESSAGE_BYTES];
	char phrase_buf[MESSAGE_BYTES];
	char body_buf[MESSAGE_BYTES + 704];
	struct text message;
	struct text phrase;
	struct text body;
	struct text t;

	text_init(&message, message_buf, sizeof(message_buf));
	write_message(refusal, &message);
	text_init(&phrase, phrase_buf, sizeof(phrase_buf));
	write_phrase(message_buf, refusal->allow, &phrase);

	text_init(&body, body_buf, sizeof(body_buf));
	text_addf(&body, "exeat: %s\nreason: %s\n", message_buf,
		  reason_text(refusal->reason));
	if (refusal->allow != NULL)
		text_addf(&body, "allow it with: %s\n", refusal->allow);

	text_init(&t, buf, RESPONSE_MAX_BYTES);
	text_addf(&t,
		  "HTTP/1.1 %u exeat: %s\r\nProxy-Status: exeat; error=%s; "
		  "details=",
		  response_status(refusal), phrase_buf,
		  find_words(refusal->reason)->error);
	text_init(&phrase, phrase_buf, sizeof(phrase_buf));
	if (!reason_is_rfc9209(refusal->reason))
		text_addf(&phrase, "%s: ", reason_text(refusal->reason));
	text_add(&phrase, message_buf);
	add_sf_string(&t, phrase_buf);
	text_addf(&t,
		  "\r\nContent-Type: text/plain; charset=utf-8\r\n"
		  "Content-Length: %zu\r\nConnection: close\r\n\r\n%s",
		  body.len, body_buf);
	return t.len;
}

/* RFC 8446 s6.2 */
static int alert_for(enum reason reason)
{
	enum {
		DECODE_ERROR = 50,
		ACCESS_DENIED = 49,
		UNRECOGNIZED_NAME = 112,
	};

	switch ((int)reason) {
	case REASON_SERVER_NAME_ABSENT:
	case REASON_SERVER_NAME_MISMATCH:
		return UNRECOGNIZED_NAME;
	case REASON_SERVER_NAME_MALFORMED:
	case REASON_TLS_PROTOCOL_ERROR:
		return DECODE_ERROR;
	case REASON_NOT_TLS:
	case REASON_HELLO_TIMEOUT:
		return -1;
	default:
		return ACCESS_DENIED;
	}
}

size_t response_write_alert(enum reason reason,
			    uint8_t buf[static RESPONSE_ALERT_BYTES])
{
	int description = alert_for(reason);
	/* alert, TLS 1.2 as every ServerHello's record, 2 bytes, fatal */
	const uint8_t alert[RESPONSE_ALERT_BYTES] = {
		21, 3, 3, 0, 2, 2, (uint8_t)description};

	if (description < 0)
		return 0;
	memcpy(buf, alert, sizeof(alert));
	return sizeof(alert);
}
