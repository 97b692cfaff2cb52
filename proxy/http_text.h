/* SPDX-License-Identifier: MIT */
/* http_text: spans of bytes, character classes and field lines of HTTP/1.x. */
#ifndef HTTP_TEXT_H
#define HTTP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/** struct http_span - bytes inside a buffer of the caller's; borrowed */
struct http_span {
	const char *at;
	size_t len;
};

/** http_span_end() - one behind the last byte */
const char *http_span_end(struct http_span span);
struct http_span http_span_between(const char *from, const char *to);

/** http_span_find() - the first @c, or NULL; _last: the last */
const char *http_span_find(struct http_span span, char c);
const char *http_span_find_last(struct http_span span, char c);

/** http_span_equals() - the same bytes, as methods are compared */
bool http_span_equals(struct http_span span, const char *text);

/** http_span_is() - equal but for ASCII case, as field names are compared */
bool http_span_is(struct http_span span, const char *text);

/** http_span_trim() - without space and tab at both ends (RFC 9110 s5.6.3) */
struct http_span http_span_trim(struct http_span span);

/** http_span_all() - true where every byte is of the class */
bool http_span_all(struct http_span span, bool (*is_good)(char c));

/** http_lower() - ASCII only */
char http_lower(char c);
bool http_is_digit(char c);
bool http_is_space(char c);
/** http_is_tchar() - may stand in a token (RFC 9110 s5.6.2) */
bool http_is_tchar(char c);
/** http_is_vchar() - visible ASCII */
bool http_is_vchar(char c);
/** http_is_host_char() - may stand in a Host field (RFC 3986 s3.2.2, and :) */
bool http_is_host_char(char c);

/**
 * http_byte_error() - is the byte at @at wrong where it stands in a line?
 * @line_start:	offset of the line's first byte
 *
 * Bare CR and LF are refused (RFC 9112 s2.2 lets a recipient accept LF; two
 * recipients that differ in that see two different messages), and so is every
 * other control byte but tab.
 *
 * Return: NULL, or why, in fixed text.
 */
const char *http_byte_error(const char *data, size_t line_start, size_t at);

/**
 * http_split_field() - take the first field line, ended by CRLF, off @rest
 *
 * Return: false, nothing taken: there is none, or it has no colon. Names are
 * not judged. The value comes without space around it.
 */
bool http_split_field(struct http_span *rest, struct http_span *name_out,
		      struct http_span *value_out)
	__attribute__((warn_unused_result));

/** http_check_field() - the first line of @rest: folded, no colon, no token
 * before the colon? Return: NULL where it is sound, or why not. */
const char *http_check_field(struct http_span rest);

#endif
