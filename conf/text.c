/* SPDX-License-Identifier: MIT */
/* text: a bounded text builder, escaping, and strict decimal numbers. */
#include "text.h"

#include <stdio.h>
#include <string.h>

void text_init(struct text *t, char *buf, size_t size)
{
	t->buf = buf;
	t->size = size;
	t->len = 0;
	t->is_cut = false;
	buf[0] = '\0';
}

void text_add_bytes(struct text *t, const void *bytes, size_t len)
{
	size_t room = t->size - 1 - t->len;

	if (len > room) {
		len = room;
		t->is_cut = true;
	}
	memcpy(t->buf + t->len, bytes, len);
	t->len += len;
	t->buf[t->len] = '\0';
}

void text_add(struct text *t, const char *s)
{
	text_add_bytes(t, s, strlen(s));
}

void text_add_decimal(struct text *t, uint64_t value)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	text_add_bytes(t, digits + at, sizeof(digits) - at);
}

void text_addf(struct text *t, const char *format, ...)
{
	size_t room = t->size - t->len;
	va_list args;

	va_start(args, format);
	int n = vsnprintf(t->buf + t->len, room, format, args);
	va_end(args);
	if (n < 0)
		n = 0;
	if ((size_t)n >= room) {
		t->is_cut = true;
		n = (int)(room - 1);
	}
	t->len += (size_t)n;
	t->buf[t->len] = '\0';
}

/* Length of the well-formed UTF-8 sequence at @s (RFC 3629 s4), 0: none. */
static size_t utf8_length(const uint8_t *s, size_t len)
{
	static const struct {
		uint8_t first, last, second_min, second_max, length;
	} forms[] = {
		{0xc2, 0xdf, 0x80, 0xbf, 2},
                {0xe0, 0xe0, 0xa0, 0xbf, 3},
		{0xe1, 0xec, 0x80, 0xbf, 3},
                {0xed, 0xed, 0x80, 0x9f, 3},
		{0xee, 0xef, 0x80, 0xbf, 3},
                {0xf0, 0xf0, 0x90, 0xbf, 4},
		{0xf1, 0xf3, 0x80, 0xbf, 4},
                {0xf4, 0xf4, 0x80, 0x8f, 4},
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (s[0] < forms[i].first || s[0] > forms[i].last)
			continue;
		if (len < forms[i].length || s[1] < forms[i].second_min ||
		    s[1] > forms[i].second_max)
			return 0;
		for (size_t k = 2; k < forms[i].length; k++)
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		return forms[i].length;
	}
	return 0;
}

static uint32_t utf8_code_point(const uint8_t *s, size_t length)
{
	static const uint8_t first_mask[] = {0, 0, 0x1f, 0x0f, 0x07};
	uint32_t code = s[0] & first_mask[length];

	for (size_t i = 1; i < length; i++)
		code = code << 6 | (s[i] & 0x3f);
	return code;
}

/* Line separators, C1 controls, and what turns the direction of text round or
 * is not seen: a reader must see what was sent. */
static bool is_treacherous(uint32_t code)
{
	return (code >= 0x80 && code <= 0x9f) || code == 0x61c ||
	       (code >= 0x200b && code <= 0x200f) ||
	       (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2060 && code <= 0x206f) || code == 0xfeff;
}

static size_t add_json_ascii(struct text *t, uint8_t c)
{
	if (c == '"' || c == '\\')
		text_addf(t, "\\%c", c);
	else
		text_addf(t, "\\u%04x", c);
	return 1;
}

static size_t add_json_unit(struct text *t, const uint8_t *s, size_t len)
{
	if (s[0] < 0x80)
		return add_json_ascii(t, s[0]);
	size_t length = utf8_length(s, len);
	if (length == 0) {
		text_addf(t, "\\udc%02x", s[0]);
		return 1;
	}
	uint32_t code = utf8_code_point(s, length);
	if (is_treacherous(code))
		text_addf(t, "\\u%04x", code);
	else
		text_add_bytes(t, s, length);
	return length;
}

static bool is_json_plain(uint8_t c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

#define EACH_BYTE(value) ((uint64_t)(value)*0x0101010101010101U)

/* The high bit of each byte below @limit (<= 0x80) is set in the result; bytes
 * behind such a one may be set, too, which costs a second look and no more. */
static uint64_t bytes_below(uint64_t word, uint8_t limit)
{
	return (word - EACH_BYTE(limit)) & ~word & EACH_BYTE(0x80);
}

/* Eight at a time: all plain? A wrong no is possible, a wrong yes is not. */
static bool are_json_plain(const uint8_t s[static 8])
{
	uint64_t word;

	memcpy(&word, s, sizeof(word));
	uint64_t special = bytes_below(word, 0x20) |
			   bytes_below(word ^ EACH_BYTE('"'), 1) |
			   bytes_below(word ^ EACH_BYTE('\\'), 1) |
			   ((word + EACH_BYTE(1)) & EACH_BYTE(0x80)) |
			   (word & EACH_BYTE(0x80));
	return special == 0;
}

static size_t json_plain_length(const uint8_t *s, size_t len)
{
	size_t i = 0;

	while (len - i >= 8 && are_json_plain(s + i))
		i += 8;
	while (i < len && is_json_plain(s[i]))
		i++;
	return i;
}

void text_add_json(struct text *t, const void *bytes, size_t len)
{
	const uint8_t *s = bytes;
	size_t i = 0;

	text_add(t, "\"");
	while (i < len) {
		/* Most names are plain: one copy. */
		size_t plain = json_plain_length(s + i, len - i);

		text_add_bytes(t, s + i, plain);
		i += plain;
		if (i < len)
			i += add_json_unit(t, s + i, len - i);
	}
	text_add(t, "\"");
}

void text_add_printable(struct text *t, const void *bytes, size_t len)
{
	const uint8_t *s = bytes;

	for (size_t i = 0; i < len; i++) {
		if (s[i] < 0x20 || s[i] > 0x7e || s[i] == '\\')
			text_addf(t, "\\x%02x", s[i]);
		else
			text_add_bytes(t, s + i, 1);
	}
}

bool text_parse_decimal(const char *s, size_t len, uint64_t max,
			uint64_t *value_out)
{
	uint64_t value = 0;

	if (len == 0 || (len > 1 && s[0] == '0'))
		return false;
	for (size_t i = 0; i < len; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		uint64_t digit = (uint64_t)(s[i] - '0');
		if (digit > max || value > (max - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*value_out = value;
	return true;
}

bool text_parse_port(const char *s, size_t len, uint16_t *port_out)
{
	uint64_t value;

	if (!text_parse_decimal(s, len, 65535, &value) || value == 0)
		return false;
	*port_out = (uint16_t)value;
	return true;
}
