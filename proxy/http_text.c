/* SPDX-License-Identifier: MIT */
/* http_text: spans of bytes, character classes and field lines of HTTP/1.x. */
#include "http_text.h"

#include <string.h>

const char *http_span_end(struct http_span span)
{
	return span.at + span.len;
}

struct http_span http_span_between(const char *from, const char *to)
{
	return (struct http_span){from, (size_t)(to - from)};
}

const char *http_span_find(struct http_span span, char c)
{
	return span.len == 0 ? NULL : memchr(span.at, c, span.len);
}

const char *http_span_find_last(struct http_span span, char c)
{
	for (size_t i = span.len; i > 0; i--)
		if (span.at[i - 1] == c)
			return span.at + i - 1;
	return NULL;
}

bool http_span_equals(struct http_span span, const char *text)
{
	return span.len == strlen(text) &&
	       (span.len == 0 || memcmp(span.at, text, span.len) == 0);
}

char http_lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool http_span_is(struct http_span span, const char *text)
{
	if (span.len != strlen(text))
		return false;
	for (size_t i = 0; i < span.len; i++)
		if (http_lower(span.at[i]) != http_lower(text[i]))
			return false;
	return true;
}

struct http_span http_span_trim(struct http_span span)
{
	while (span.len > 0 && http_is_space(span.at[0])) {
		span.at++;
		span.len--;
	}
	while (span.len > 0 && http_is_space(span.at[span.len - 1]))
		span.len--;
	return span;
}

bool http_span_all(struct http_span span, bool (*is_good)(char c))
{
	for (size_t i = 0; i < span.len; i++)
		if (!is_good(span.at[i]))
			return false;
	return true;
}

bool http_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool http_is_space(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_alnum(char c)
{
	return http_is_digit(c) || (c >= 'A' && c <= 'Z') ||
	       (c >= 'a' && c <= 'z');
}

/* A NUL is in no class, although strchr() would find it. */
static bool is_one_of(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

bool http_is_tchar(char c)
{
	return is_alnum(c) || is_one_of(c, "!#$%&'*+-.^_`|~");
}

bool http_is_vchar(char c)
{
	return c > 0x20 && c < 0x7f;
}

bool http_is_host_char(char c)
{
	return is_alnum(c) || is_one_of(c, "-._~!$&'()*+,;=%:[]");
}

const char *http_byte_error(const char *data, size_t line_start, size_t at)
{
	unsigned char c = (unsigned char)data[at];
	bool after_cr = at > line_start && data[at - 1] == '\r';

	if (c == '\n')
		return after_cr ? NULL : "line ends with LF alone";
	if (after_cr)
		return "CR inside a line";
	if ((c < 0x20 && c != '\t' && c != '\r') || c == 0x7f)
		return "control byte";
	return NULL;
}

/* The line without its CRLF; @rest must hold one. */
static bool first_line(struct http_span rest, struct http_span *line_out)
{
	const char *lf = http_span_find(rest, '\n');

	if (lf == NULL || lf == rest.at)
		return false;
	*line_out = http_span_between(rest.at, lf - 1);
	return true;
}

bool http_split_field(struct http_span *rest, struct http_span *name_out,
		      struct http_span *value_out)
{
	struct http_span line;

	if (!first_line(*rest, &line))
		return false;
	const char *colon = http_span_find(line, ':');
	if (colon == NULL)
		return false;
	*name_out = http_span_between(line.at, colon);
	*value_out = http_span_trim(
		http_span_between(colon + 1, http_span_end(line)));
	*rest = http_span_between(http_span_end(line) + 2,
				  http_span_end(*rest));
	return true;
}

const char *http_check_field(struct http_span rest)
{
	struct http_span line;

	if (!first_line(rest, &line))
		return "field line does not end";
	if (line.len > 0 && http_is_space(line.at[0]))
		return "folded line or space before a field";
	const char *colon = http_span_find(line, ':');
	if (colon == NULL)
		return "field line without a colon";
	if (colon == line.at)
		return "field name is empty";
	if (!http_span_all(http_span_between(line.at, colon), http_is_tchar))
		return "field name is not a token";
	return NULL;
}
