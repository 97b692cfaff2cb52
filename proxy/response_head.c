/* SPDX-License-Identifier: MIT */
/* response_head: a strict HTTP/1.x response head of an origin's. */
#include "response_head.h"

#include <string.h>

static const struct head_limits limits = {
	.bytes = RESPONSE_HEAD_MAX_BYTES,
	.fields = RESPONSE_HEAD_MAX_FIELDS,
};

/* RFC 9112 s4: HTTP/1.x SP 3DIGIT SP phrase */
static const char *parse_line(struct http_span line, struct response_head *head)
{
	const char *l = line.at;

	if (line.len < 12 || memcmp(l, "HTTP/1.", 7) != 0 || l[7] < '0' ||
	    l[7] > '1' || l[8] != ' ' || (line.len > 12 && l[12] != ' '))
		return "status line is not HTTP/1.0 or HTTP/1.1";
	if (l[9] < '1' || l[9] > '5' || !http_is_digit(l[10]) ||
	    !http_is_digit(l[11]))
		return "status is not 100 to 599";
	head->minor_version = (uint8_t)(l[7] - '0');
	head->status = (uint16_t)((l[9] - '0') * 100 + (l[10] - '0') * 10 +
				  (l[11] - '0'));
	head->phrase = http_span_between(line.len > 12 ? l + 13 : l + 12,
					 http_span_end(line));
	return NULL;
}

static const char *parse_head(const char *data, size_t len,
			      struct response_head *head)
{
	struct http_span all = {data, len};
	const char *lf = http_span_find(all, '\n');

	if (lf == NULL || lf == data)
		return "status line does not end";
	const char *why = parse_line(http_span_between(data, lf - 1), head);
	head->fields = http_span_between(lf + 1, http_span_end(all) - 2);
	head->head_len = len;

	struct http_span rest = head->fields;
	while (why == NULL && rest.len > 0) {
		struct http_span name;
		struct http_span value;

		why = http_check_field(rest);
		if (why == NULL && !http_split_field(&rest, &name, &value))
			why = "field line without a colon";
	}
	return why;
}

enum response_head_result response_head_parse(struct head_scan *scan,
					      const char *data, size_t len,
					      struct response_head *head_out)
{
	struct response_head head = {.reason = NULL};

	switch (head_scan_lines(scan, &limits, data, len)) {
	case HEAD_SCAN_MORE:
		return RESPONSE_HEAD_MORE;
	case HEAD_SCAN_BAD:
		head.reason = scan->bad;
		break;
	case HEAD_SCAN_TOO_LARGE:
		head.reason = "head is over 32 KiB or 200 fields";
		break;
	case HEAD_SCAN_END:
		head.reason = parse_head(data, scan->offset, &head);
		break;
	}
	if (head.reason != NULL) {
		head_out->reason = head.reason;
		return RESPONSE_HEAD_BAD;
	}
	*head_out = head;
	return RESPONSE_HEAD_OK;
}
