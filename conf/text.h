/* SPDX-License-Identifier: MIT */
/* text: a bounded text builder, escaping, and strict decimal numbers. */
#ifndef TEXT_H
#define TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct text - text that grows inside a buffer of the caller's
 * @buf:	the caller's buffer, always NUL-terminated after text_init()
 * @size:	size of @buf in bytes
 * @len:	bytes used, without the NUL
 * @is_cut:	something did not fit; what is there is whole up to @len
 */
struct text {
	char *buf;
	size_t size;
	size_t len;
	bool is_cut;
};

/** text_init() - start an empty text in @buf of @size (> 0) bytes */
void text_init(struct text *t, char *buf, size_t size);

/** text_add() - append a NUL-terminated string */
void text_add(struct text *t, const char *s);

/** text_add_bytes() - append @len bytes as they are */
void text_add_bytes(struct text *t, const void *bytes, size_t len);

/** text_add_decimal() - append a number; cheaper than text_addf() */
void text_add_decimal(struct text *t, uint64_t value);

/** text_addf() - append as printf does */
void text_addf(struct text *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * text_add_json() - append a JSON string, quotes included (RFC 8259 s7)
 *
 * Well-formed UTF-8 passes; every other byte, every control character, DEL,
 * U+2028, U+2029 and the bidirectional controls are written as \uXXXX (a bad
 * byte 0xNN as \udcNN, the surrogate-escape form), so one record stays one
 * line and a terminal is never steered by what a client sent.
 */
void text_add_json(struct text *t, const void *bytes, size_t len);

/** text_add_printable() - append for a terminal or a log: bytes outside
 * 0x20-0x7e, and the backslash, become \xNN */
void text_add_printable(struct text *t, const void *bytes, size_t len);

/**
 * text_parse_decimal() - strict unsigned decimal: digits only, no sign, no
 * space, no leading zero (but "0"), at most @max
 * @len:	length of @s in bytes
 * @value_out:	the number; untouched on failure
 *
 * Return: true when the whole of @s is such a number.
 */
bool text_parse_decimal(const char *s, size_t len, uint64_t max,
			uint64_t *value_out)
	__attribute__((warn_unused_result));

/** text_parse_port() - text_parse_decimal() for 1 to 65535 */
bool text_parse_port(const char *s, size_t len, uint16_t *port_out)
	__attribute__((warn_unused_result));

#endif
