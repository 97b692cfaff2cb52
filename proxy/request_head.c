/* SPDX-License-Identifier: MIT */
/* request_head: a strict HTTP/1.x request head, read as it arrives. */
#include "request_head.h"

#include <string.h>

#define HTTP_PORT 80

static const struct head_limits limits = {
	.bytes = REQUEST_HEAD_MAX_BYTES,
	.fields = REQUEST_HEAD_MAX_FIELDS,
};

/* The request line. */

/* What stands where the target should, whatever it is. */
static struct http_span raw_target(const char *data, size_t len)
{
	struct http_span line = {data, len};
	const char *lf = http_span_find(line, '\n');

	if (lf != NULL)
		line = http_span_between(data, lf);
	if (line.len > 0 && line.at[line.len - 1] == '\r')
		line.len--;

	const char *space = http_span_find(line, ' ');
	if (space == NULL)
		return (struct http_span){http_span_end(line), 0};
	struct http_span target =
		http_span_between(space + 1, http_span_end(line));
	const char *last = http_span_find_last(target, ' ');
	if (last != NULL && http_span_end(target) - last > 5 &&
	    memcmp(last + 1, "HTTP/", 5) == 0)
		target = http_span_between(target.at, last);
	return target;
}

static enum request_head_result parse_version(struct http_span version,
					      struct request_head *head)
{
	const char *v = version.at;

	if (version.len != 8 || memcmp(v, "HTTP/", 5) != 0 ||
	    !http_is_digit(v[5]) || v[6] != '.' || !http_is_digit(v[7])) {
		head->reason = "version is not HTTP/1.0 or HTTP/1.1";
		return REQUEST_HEAD_BAD;
	}
	/* Nobody has ever sent HTTP/1.2; what claims to is not understood. */
	if (v[5] != '1' || v[7] > '1') {
		head->reason = "only HTTP/1.0 and HTTP/1.1 are spoken";
		return REQUEST_HEAD_VERSION;
	}
	head->minor_version = (uint8_t)(v[7] - '0');
	return REQUEST_HEAD_OK;
}

static bool is_method_char(char c)
{
	return http_is_tchar(c) && !(c >= 'a' && c <= 'z');
}

static const char *parse_absolute(struct request_head *head)
{
	static const char scheme[] = "http://";
	size_t scheme_len = sizeof(scheme) - 1;
	struct http_span start = {head->target.at, scheme_len};

	if (head->target.len < scheme_len || !http_span_is(start, scheme))
		return "target is neither http://host/path nor /path";

	struct http_span rest = http_span_between(head->target.at + scheme_len,
						  http_span_end(head->target));
	const char *path = rest.at;
	while (path < http_span_end(rest) && *path != '/' && *path != '?')
		path++;
	head->form = REQUEST_HEAD_ABSOLUTE_FORM;
	head->path = http_span_between(path, http_span_end(rest));
	return authority_parse(rest.at, (size_t)(path - rest.at), HTTP_PORT,
			       &head->authority);
}

/* RFC 9112 s3.2: which form, and that it fits the method. */
static const char *parse_target(struct request_head *head)
{
	if (head->target.len == 0)
		return "target is empty";
	if (!http_span_all(head->target, http_is_vchar))
		return "target holds a space or a byte that is not ASCII";
	if (http_span_equals(head->method, "CONNECT")) {
		head->form = REQUEST_HEAD_AUTHORITY_FORM;
		return authority_parse(head->target.at, head->target.len, 0,
				       &head->authority);
	}
	if (http_span_find(head->target, '#') != NULL)
		return "target holds a fragment";
	if (head->target.at[0] != '/')
		return parse_absolute(head);
	head->form = REQUEST_HEAD_ORIGIN_FORM;
	head->path = head->target;
	return NULL;
}

static enum request_head_result parse_line(struct http_span line,
					   struct request_head *head)
{
	const char *first = http_span_find(line, ' ');
	const char *last = http_span_find_last(line, ' ');

	if (first == NULL || first == last) {
		head->reason = "request line is not METHOD TARGET VERSION";
		return REQUEST_HEAD_BAD;
	}
	head->method = http_span_between(line.at, first);
	head->target = http_span_between(first + 1, last);

	struct http_span version =
		http_span_between(last + 1, http_span_end(line));
	if (http_span_equals(head->method, "PRI") &&
	    http_span_equals(head->target, "*") &&
	    http_span_equals(version, "HTTP/2.0")) {
		head->reason = "HTTP/2 is not spoken here";
		return REQUEST_HEAD_HTTP2;
	}
	enum request_head_result result = parse_version(version, head);
	if (result != REQUEST_HEAD_OK)
		return result;
	if (head->method.len == 0 ||
	    !http_span_all(head->method, is_method_char))
		head->reason = "method is not an upper-case token";
	else
		head->reason = parse_target(head);
	return head->reason == NULL ? REQUEST_HEAD_OK : REQUEST_HEAD_BAD;
}

/* The fields. */

static const char *judge_field(const struct request_head *head,
			       struct http_span name, struct http_span value)
{
	if (http_span_is(name, "Host") &&
	    !http_span_all(value, http_is_host_char))
		return "Host is malformed";
	if (head->form == REQUEST_HEAD_AUTHORITY_FORM &&
	    (http_span_is(name, "Content-Length") ||
	     http_span_is(name, "Transfer-Encoding")))
		return "CONNECT with content";
	return NULL;
}

/* RFC 9112 s3.2: MUST be 400 where Host is missing in 1.1 or comes twice. */
static const char *check_host(struct request_head *head, unsigned int hosts,
			      struct http_span host)
{
	bool decides = head->form == REQUEST_HEAD_ORIGIN_FORM;

	if (hosts > 1)
		return "more than one Host";
	if (hosts == 0)
		return head->minor_version > 0 || decides ? "Host is missing"
							  : NULL;
	return decides ? authority_parse(host.at, host.len, HTTP_PORT,
					 &head->authority)
		       : NULL;
}

static const char *parse_fields(struct request_head *head)
{
	struct http_span rest = head->fields;
	struct http_span host = {0};
	unsigned int hosts = 0;

	while (rest.len > 0) {
		struct http_span name;
		struct http_span value;
		const char *why = http_check_field(rest);

		if (why == NULL && !http_split_field(&rest, &name, &value))
			why = "field line without a colon";
		if (why == NULL)
			why = judge_field(head, name, value);
		if (why != NULL)
			return why;
		if (http_span_is(name, "Host")) {
			host = value;
			hosts++;
		}
	}
	return check_host(head, hosts, host);
}

static enum request_head_result parse_first_line(const char *data, size_t len,
						 struct request_head *head)
{
	struct http_span all = {data, len};
	const char *lf = http_span_find(all, '\n');

	if (lf == NULL || lf == data)
		return REQUEST_HEAD_BAD;
	head->fields = http_span_between(lf + 1, http_span_end(all));
	return parse_line(http_span_between(data, lf - 1), head);
}

static enum request_head_result parse_head(const char *data, size_t len,
					   struct request_head *head)
{
	enum request_head_result result = parse_first_line(data, len, head);

	if (result != REQUEST_HEAD_OK)
		return result;
	head->fields.len -= 2; /* the empty line */
	head->head_len = len;
	head->reason = parse_fields(head);
	return head->reason == NULL ? REQUEST_HEAD_OK : REQUEST_HEAD_BAD;
}

/* Scans what is new. A wrong request line is refused without waiting for the
 * fields: whoever speaks another protocol may never send them. */
static enum request_head_result parse(struct request_head_scan *scan,
				      const char *data, size_t len,
				      struct request_head *head)
{
	struct head_scan *lines = &scan->lines;
	bool had_line = lines->has_line;
	enum head_scan_result result =
		head_scan_lines(lines, &limits, data, len);

	if (result == HEAD_SCAN_END)
		return parse_head(data, lines->offset, head);
	if (!had_line && lines->has_line) {
		enum request_head_result line =
			parse_first_line(data, lines->offset, head);

		if (line != REQUEST_HEAD_OK)
			return line;
	}
	if (result == HEAD_SCAN_MORE)
		return REQUEST_HEAD_MORE;
	head->reason = result == HEAD_SCAN_BAD
			       ? lines->bad
			       : "head is over 16 KiB or 100 fields";
	return result == HEAD_SCAN_BAD ? REQUEST_HEAD_BAD
				       : REQUEST_HEAD_TOO_LARGE;
}

/* What the first byte gives away, before any line has come. */
static enum request_head_result judge_first_byte(char c)
{
	switch (c) {
	case 0x16:
		return REQUEST_HEAD_TLS;
	case 4:
		return REQUEST_HEAD_SOCKS4;
	case 5:
		return REQUEST_HEAD_SOCKS5;
	default:
		return http_is_tchar(c) ? REQUEST_HEAD_OK : REQUEST_HEAD_BAD;
	}
}

enum request_head_result request_head_parse(struct request_head_scan *scan,
					    const char *data, size_t len,
					    struct request_head *head_out)
{
	struct request_head head = {.reason = "first byte is not HTTP's"};

	if (len == 0)
		return REQUEST_HEAD_MORE;
	enum request_head_result result = judge_first_byte(data[0]);
	if (result == REQUEST_HEAD_OK) {
		head.reason = NULL;
		result = parse(scan, data, len, &head);
	}
	if (result == REQUEST_HEAD_OK) {
		*head_out = head;
	} else if (result != REQUEST_HEAD_MORE) {
		head_out->target = raw_target(data, scan->lines.offset);
		head_out->reason = head.reason;
	}
	return result;
}
