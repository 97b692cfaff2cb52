/* SPDX-License-Identifier: MIT */
/* decision: a verdict, its reason, and the rule that made it. */
#ifndef DECISION_H
#define DECISION_H

#include <stdbool.h>
#include <stddef.h>

struct rule;

enum verdict {
	VERDICT_DENY = 0,
	VERDICT_ALLOW,
};

/* Why. Text by reason_text(): an RFC 9209 s2.3 error type where one fits. */
enum reason {
	REASON_NONE = 0,            /* allowed */
	REASON_HTTP_REQUEST_DENIED, /* no rule allows it, or a rule denies */
	REASON_PORT_NOT_ALLOWED,    /* the host is allowed, not this port */
	REASON_DESTINATION_IP_PROHIBITED,
	REASON_DNS_ERROR,
	REASON_DNS_TIMEOUT,
	REASON_CONNECTION_REFUSED,
	REASON_CONNECTION_TIMEOUT,
	REASON_CONNECTION_LIMIT_REACHED,
	REASON_TLS_PROTOCOL_ERROR,
	REASON_HTTP_REQUEST_ERROR,
	REASON_PROXY_INTERNAL_ERROR,
	REASON_SERVER_NAME_ABSENT,
	REASON_SERVER_NAME_MISMATCH,
	REASON_SERVER_NAME_MALFORMED,
	REASON_SERVER_NAME_ENCRYPTED,
	REASON_NOT_TLS,
	REASON_HELLO_TIMEOUT,
	REASON_AUDIT_FAILED,
	REASON_COUNT
};

/* What must be shown before bytes pass. */
enum rule_protocol {
	RULE_PROTOCOL_TLS = 0, /* a ClientHello whose server_name matches */
	RULE_PROTOCOL_HTTP,    /* plain HTTP, judged per request */
	RULE_PROTOCOL_TCP,     /* anything */
};

/**
 * struct decision - the answer to one question put to the policy
 * @verdict:	what is done
 * @would:	what enforce had answered; differs from @verdict in observe only
 * @reason:	REASON_NONE when @would is VERDICT_ALLOW
 * @protocol:	of the rule, where @verdict is VERDICT_ALLOW
 * @rule:	the rule that decided, or NULL: none did, so the default; lives
 *		as long as the policy
 */
struct decision {
	enum verdict verdict;
	enum verdict would;
	enum reason reason;
	enum rule_protocol protocol;
	const struct rule *rule;
};

/** reason_text() - "http_request_denied"; the value of the audit's reason */
const char *reason_text(enum reason reason);

/** reason_parse() - what reason_text() wrote. Return: false: none of ours. */
bool reason_parse(const char *s, size_t len, enum reason *reason_out)
	__attribute__((warn_unused_result));

/** reason_is_refusal() - the policy said no; every other reason is a failure
 * of what was allowed */
bool reason_is_refusal(enum reason reason);

/** reason_is_rfc9209() - the text is a registered Proxy-Status error type */
bool reason_is_rfc9209(enum reason reason);

#endif
