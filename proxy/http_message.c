/* SPDX-License-Identifier: MIT */
/* http_message: what a forwarder makes of a request or a response head. */
#include "http_message.h"

#include <stdint.h>
#include <string.h>

#define HTTP_PORT 80
/* Two or three are usual; each is compared with each field. */
#define CONNECTION_MAX_OPTIONS 16

/* What is found in the fields of either kind of head. */
struct fields_seen {
	unsigned int lengths;
	unsigned int codings;
	uint64_t length;
	unsigned int options; /* of Connection */
	bool has_close;
	bool has_upgrade_option;
	unsigned int upgrades;
	bool is_websocket;
};

/* Hop-by-hop, or ours to write; and what was meant for the proxy alone. */
static const char *const dropped[] = {
	"Connection",
	"Content-Length",
	"Host",
	"Keep-Alive",
	"Proxy-Authenticate",
	"Proxy-Authentication-Info",
	"Proxy-Authorization",
	"Proxy-Connection",
	"TE",
	"Trailer",
	"Transfer-Encoding",
	"Upgrade",
};

/* Takes the next element of a comma-separated list (RFC 9110 s5.6.1). */
static bool next_element(struct http_span *list, struct http_span *element_out)
{
	if (list->len == 0)
		return false;
	const char *comma = http_span_find(*list, ',');
	const char *end = comma != NULL ? comma : http_span_end(*list);
	*element_out = http_span_trim(http_span_between(list->at, end));
	*list = http_span_between(comma != NULL ? comma + 1 : end,
				  http_span_end(*list));
	return true;
}

static const char *see_connection(struct fields_seen *seen,
				  struct http_span value)
{
	struct http_span option;

	while (next_element(&value, &option)) {
		if (option.len == 0)
			continue;
		if (!http_span_all(option, http_is_tchar))
			return "Connection is malformed";
		if (++seen->options > CONNECTION_MAX_OPTIONS)
			return "Connection names too many options";
		if (http_span_is(option, "close"))
			seen->has_close = true;
		if (http_span_is(option, "upgrade"))
			seen->has_upgrade_option = true;
	}
	return NULL;
}

static const char *see_length(struct fields_seen *seen, struct http_span value)
{
	if (++seen->lengths > 1)
		return "more than one Content-Length";
	if (!text_parse_decimal(value.at, value.len, INT64_MAX, &seen->length))
		return "Content-Length is malformed";
	return NULL;
}

/* Exactly this spelling: a reader that does not fold case sees no coding. */
static const char *see_coding(struct fields_seen *seen, struct http_span value)
{
	if (++seen->codings > 1)
		return "more than one Transfer-Encoding";
	if (!http_span_equals(value, "chunked"))
		return "Transfer-Encoding is not chunked";
	return NULL;
}

static const char *see_field(struct fields_seen *seen, struct http_span name,
			     struct http_span value)
{
	if (http_span_is(name, "Content-Length"))
		return see_length(seen, value);
	if (http_span_is(name, "Transfer-Encoding"))
		return see_coding(seen, value);
	if (http_span_is(name, "Connection"))
		return see_connection(seen, value);
	if (http_span_is(name, "Upgrade")) {
		seen->upgrades++;
		seen->is_websocket = http_span_is(value, "websocket");
	}
	return NULL;
}

static const char *see_fields(struct http_span rest, unsigned int minor_version,
			      struct fields_seen *seen)
{
	struct http_span name;
	struct http_span value;

	while (http_split_field(&rest, &name, &value)) {
		const char *why = see_field(seen, name, value);

		if (why != NULL)
			return why;
	}
	if (seen->codings > 0 && seen->lengths > 0)
		return "Content-Length beside Transfer-Encoding";
	if (seen->codings > 0 && minor_version == 0)
		return "Transfer-Encoding in HTTP/1.0";
	return NULL;
}

static struct http_framing framing_of(const struct fields_seen *seen,
				      enum http_body_kind otherwise)
{
	if (seen->codings > 0)
		return (struct http_framing){.kind = HTTP_BODY_CHUNKED};
	if (seen->lengths > 0)
		return (struct http_framing){.kind = HTTP_BODY_LENGTH,
					     .length = seen->length};
	return (struct http_framing){.kind = otherwise};
}

static bool asks_for_websocket(const struct fields_seen *seen)
{
	return seen->has_upgrade_option && seen->upgrades == 1 &&
	       seen->is_websocket;
}

const char *http_message_judge_request(const struct request_head *head,
				       struct http_plan *plan_out)
{
	struct fields_seen seen = {0};
	const char *why = see_fields(head->fields, head->minor_version, &seen);

	if (why != NULL)
		return why;
	struct http_plan plan = {
		.framing = framing_of(&seen, HTTP_BODY_NONE),
		/* HTTP/1.0 keep-alive has never been safe through proxies
		 * (RFC 9112 app. C.2.2). */
		.is_last = head->minor_version == 0 || seen.has_close,
	};
	plan.is_upgrade = head->minor_version == 1 &&
			  plan.framing.kind == HTTP_BODY_NONE &&
			  asks_for_websocket(&seen);
	*plan_out = plan;
	return NULL;
}

/* RFC 9112 s6.3, items 1 to 3 and 8. */
const char *http_message_judge_response(const struct response_head *head,
					const struct http_exchange *exchange,
					struct http_plan *plan_out)
{
	struct fields_seen seen = {0};
	struct http_plan plan = {.is_last = false};
	const char *why = see_fields(head->fields, head->minor_version, &seen);

	if (why != NULL)
		return why;
	if (seen.codings > 0 && exchange->minor_version == 0)
		return "chunks in answer to HTTP/1.0";
	plan.framing = framing_of(&seen, HTTP_BODY_UNTIL_CLOSE);
	if (head->status < 200) {
		if (seen.codings > 0 || seen.lengths > 0)
			return "an interim response with content";
		if (exchange->minor_version == 0)
			return "an interim response to HTTP/1.0";
		plan.is_interim = head->status != 101;
	}
	if (head->status == 101) {
		if (!exchange->is_upgrade || !asks_for_websocket(&seen))
			return "an upgrade that was not asked for";
		plan.is_upgrade = true;
	}
	if (exchange->is_head || head->status < 200 || head->status == 204 ||
	    head->status == 304)
		plan.framing.kind = HTTP_BODY_NONE;
	plan.is_last = !plan.is_interim &&
		       (head->minor_version == 0 || seen.has_close ||
			plan.framing.kind == HTTP_BODY_UNTIL_CLOSE);
	*plan_out = plan;
	return NULL;
}

/* Writing. */

static void add_span(struct text *out, struct http_span span)
{
	if (span.len > 0)
		text_add_bytes(out, span.at, span.len);
}

static bool same_ignoring_case(struct http_span a, struct http_span b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++)
		if (http_lower(a.at[i]) != http_lower(b.at[i]))
			return false;
	return true;
}

/* RFC 9110 s7.6.1: what Connection names goes no further. */
static bool is_named(struct http_span fields, struct http_span wanted)
{
	struct http_span name;
	struct http_span value;
	struct http_span option;

	while (http_split_field(&fields, &name, &value)) {
		if (!http_span_is(name, "Connection"))
			continue;
		while (next_element(&value, &option))
			if (same_ignoring_case(option, wanted))
				return true;
	}
	return false;
}

static bool is_dropped(struct http_span name)
{
	for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++)
		if (http_span_is(name, dropped[i]))
			return true;
	return false;
}

static void add_fields(struct text *out, struct http_span fields)
{
	struct http_span rest = fields;
	struct http_span name;
	struct http_span value;

	while (http_split_field(&rest, &name, &value)) {
		if (is_dropped(name) || is_named(fields, name))
			continue;
		add_span(out, name);
		text_add(out, ": ");
		add_span(out, value);
		text_add(out, "\r\n");
	}
}

static void add_framing(struct text *out, const struct http_framing *framing)
{
	if (framing->kind == HTTP_BODY_CHUNKED)
		text_add(out, "Transfer-Encoding: chunked\r\n");
	if (framing->kind == HTTP_BODY_LENGTH)
		text_addf(out, "Content-Length: %llu\r\n",
			  (unsigned long long)framing->length);
}

static void add_end(struct text *out, unsigned int minor_version,
		    bool is_upgrade, bool closes)
{
	text_addf(out, "Via: 1.%u exeat\r\n", minor_version);
	if (is_upgrade)
		text_add(out, "Connection: Upgrade\r\nUpgrade: websocket\r\n");
	else if (closes)
		text_add(out, "Connection: close\r\n");
	text_add(out, "\r\n");
}

static void add_host(struct text *out, const struct authority *authority)
{
	bool is_v6 = authority->kind == AUTHORITY_ADDRESS &&
		     authority->address.family == AF_INET6;
	char host[HOSTNAME_MAX_BYTES + 1];

	(void)authority_host_text(authority, host);
	text_addf(out, is_v6 ? "Host: [%s]" : "Host: %s", host);
	if (authority->port != HTTP_PORT)
		text_addf(out, ":%u", (unsigned int)authority->port);
	text_add(out, "\r\n");
}

/* RFC 9112 s3.2.1 and s3.2.4 */
static void add_path(struct text *out, const struct request_head *head)
{
	if (head->path.len == 0 && http_span_equals(head->method, "OPTIONS")) {
		text_add(out, "*");
		return;
	}
	if (head->path.len == 0 || head->path.at[0] != '/')
		text_add(out, "/");
	add_span(out, head->path);
}

bool http_message_write_request(const struct request_head *head,
				const struct http_plan *plan, struct text *out)
{
	add_span(out, head->method);
	text_add(out, " ");
	add_path(out, head);
	text_addf(out, " HTTP/1.%u\r\n", (unsigned int)head->minor_version);
	add_host(out, &head->authority);
	add_fields(out, head->fields);
	add_framing(out, &plan->framing);
	add_end(out, head->minor_version, plan->is_upgrade, plan->is_last);
	return !out->is_cut;
}

/* Fields of a response that has no content may say how much there had been. */
static void add_unsent_length(struct text *out,
			      const struct response_head *head)
{
	struct http_span rest = head->fields;
	struct http_span name;
	struct http_span value;

	while (http_split_field(&rest, &name, &value)) {
		if (!http_span_is(name, "Content-Length"))
			continue;
		text_add(out, "Content-Length: ");
		add_span(out, value);
		text_add(out, "\r\n");
	}
}

bool http_message_write_response(const struct response_head *head,
				 const struct http_exchange *exchange,
				 const struct http_plan *plan, struct text *out)
{
	bool closes = exchange->client_closes ||
		      plan->framing.kind == HTTP_BODY_UNTIL_CLOSE;

	text_addf(out, "HTTP/1.1 %u ", (unsigned int)head->status);
	add_span(out, head->phrase);
	text_add(out, "\r\n");
	add_fields(out, head->fields);
	if (exchange->is_head || head->status == 304)
		add_unsent_length(out, head);
	else
		add_framing(out, &plan->framing);
	add_end(out, head->minor_version, plan->is_upgrade,
		closes && !plan->is_interim);
	return !out->is_cut;
}
