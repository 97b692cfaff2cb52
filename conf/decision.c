/* SPDX-License-Identifier: MIT */
/* decision: reasons as text. */
#include "decision.h"

#include <string.h>

static const struct {
	const char *text;
	bool is_rfc9209;
} reasons[REASON_COUNT] = {
	[REASON_NONE] = {"none",                      false},
	[REASON_HTTP_REQUEST_DENIED] = {"http_request_denied",       true },
	[REASON_PORT_NOT_ALLOWED] = {"port_not_allowed",          false},
	[REASON_DESTINATION_IP_PROHIBITED] = {"destination_ip_prohibited",
                         true                              },
	[REASON_DNS_ERROR] = {"dns_error",                 true },
	[REASON_DNS_TIMEOUT] = {"dns_timeout",               true },
	[REASON_CONNECTION_REFUSED] = {"connection_refused",        true },
	[REASON_CONNECTION_TIMEOUT] = {"connection_timeout",        true },
	[REASON_CONNECTION_LIMIT_REACHED] = {"connection_limit_reached",  true },
	[REASON_TLS_PROTOCOL_ERROR] = {"tls_protocol_error",        true },
	[REASON_HTTP_REQUEST_ERROR] = {"http_request_error",        true },
	[REASON_PROXY_INTERNAL_ERROR] = {"proxy_internal_error",      true },
	[REASON_SERVER_NAME_ABSENT] = {"server_name_absent",        false},
	[REASON_SERVER_NAME_MISMATCH] = {"server_name_mismatch",      false},
	[REASON_SERVER_NAME_MALFORMED] = {"server_name_malformed",     false},
	[REASON_SERVER_NAME_ENCRYPTED] = {"server_name_encrypted",     false},
	[REASON_NOT_TLS] = {"not_tls",                   false},
	[REASON_HELLO_TIMEOUT] = {"hello_timeout",             false},
	[REASON_AUDIT_FAILED] = {"audit_failed",              false},
};

const char *reason_text(enum reason reason)
{
	if ((size_t)reason >= REASON_COUNT)
		return "proxy_internal_error";
	return reasons[reason].text;
}

bool reason_parse(const char *s, size_t len, enum reason *reason_out)
{
	for (size_t i = 0; i < REASON_COUNT; i++) {
		if (strlen(reasons[i].text) != len ||
		    memcmp(s, reasons[i].text, len) != 0)
			continue;
		*reason_out = (enum reason)i;
		return true;
	}
	return false;
}

bool reason_is_refusal(enum reason reason)
{
	switch ((int)reason) {
	case REASON_HTTP_REQUEST_DENIED:
	case REASON_PORT_NOT_ALLOWED:
	case REASON_DESTINATION_IP_PROHIBITED:
	case REASON_SERVER_NAME_ABSENT:
	case REASON_SERVER_NAME_MISMATCH:
	case REASON_SERVER_NAME_MALFORMED:
	case REASON_SERVER_NAME_ENCRYPTED:
	case REASON_NOT_TLS:
		return true;
	default:
		return false;
	}
}

bool reason_is_rfc9209(enum reason reason)
{
	return (size_t)reason < REASON_COUNT && reasons[reason].is_rfc9209;
}
