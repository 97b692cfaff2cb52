/* SPDX-License-Identifier: MIT */
/*
 * conf_scan: looks through a policy's text before libconfig does.
 *
 * How it works: libconfig stops at a NUL, follows @include, turns \x00 into an
 * early end of a string, and wraps integers that are too large. Each of these
 * would let a file mean something else than it seems to, so one pass over the
 * bytes, which knows strings and comments, refuses them.
 */
#include <stdbool.h>
#include <string.h>

#include "conf_node.h"
#include "text.h"

#define SCAN_MAX_DEPTH 16

enum scan_state {
	SCAN_PLAIN = 0,
	SCAN_STRING,
	SCAN_LINE_COMMENT,
	SCAN_BLOCK_COMMENT,
};

struct scan {
	const char *name;
	const char *text;
	size_t len;
	size_t at;
	unsigned int line;
	unsigned int depth;
	enum scan_state state;
	struct diag *diag;
};

static int refuse(const struct scan *scan, const char *why)
{
	diag_set(scan->diag, "%s:%u: %s", scan->name, scan->line, why);
	return -1;
}

static char peek(const struct scan *scan, size_t ahead)
{
	return scan->at + ahead < scan->len ? scan->text[scan->at + ahead]
					    : '\0';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '*';
}

/* Without a suffix libconfig 1.5 keeps the low 32 bits: 4294967739 would be
 * 443. No key takes more, so nothing else is a number here. */
static int check_number(const struct scan *scan, const char *word, size_t len)
{
	uint64_t number;

	if (len > 1 && word[0] == '0')
		return refuse(scan, "numbers are decimal, without a leading "
				    "zero");
	for (size_t i = 0; i < len; i++)
		if (!is_digit(word[i]))
			return refuse(scan, "numbers are decimal digits; a "
					    "unit makes it a string, such as "
					    "\"10s\"");
	if (!text_parse_decimal(word, len, INT32_MAX, &number))
		return refuse(scan, "this number is out of range (at most "
				    "2147483647)");
	return 0;
}

/* A run of letters and digits: a name, or a number. */
static int scan_word(struct scan *scan)
{
	size_t start = scan->at;

	while (scan->at < scan->len && is_word(scan->text[scan->at]))
		scan->at++;
	size_t len = scan->at - start;
	scan->at--; /* the caller steps over the last byte */
	const char *word = scan->text + start;
	if (word[0] == '-' && len > 1)
		word++, len--;
	return is_digit(word[0]) ? check_number(scan, word, len) : 0;
}

static int scan_plain(struct scan *scan)
{
	char c = peek(scan, 0);

	if (c == '"') {
		scan->state = SCAN_STRING;
	} else if (c == '#' || (c == '/' && peek(scan, 1) == '/')) {
		scan->state = SCAN_LINE_COMMENT;
	} else if (c == '/' && peek(scan, 1) == '*') {
		scan->state = SCAN_BLOCK_COMMENT;
		scan->at++;
	} else if (c == '@') {
		return refuse(scan, "@include is not supported: a policy is "
				    "one file");
	} else if (c == '(' || c == '[' || c == '{') {
		if (++scan->depth > SCAN_MAX_DEPTH)
			return refuse(scan, "nested too deeply");
	} else if (c == ')' || c == ']' || c == '}') {
		scan->depth -= scan->depth > 0;
	} else if (is_word(c)) {
		return scan_word(scan);
	}
	return 0;
}

static int scan_string(struct scan *scan)
{
	char c = peek(scan, 0);

	if (c == '"') {
		scan->state = SCAN_PLAIN;
	} else if (c == '\\') {
		if ((peek(scan, 1) | 0x20) == 'x' && peek(scan, 2) == '0' &&
		    peek(scan, 3) == '0')
			return refuse(scan, "\\x00 in a string");
		scan->at++;
		scan->line += peek(scan, 0) == '\n';
	}
	return 0;
}

static int scan_byte(struct scan *scan)
{
	unsigned char c = (unsigned char)peek(scan, 0);

	if (c == '\0')
		return refuse(scan, "a NUL byte: this is no text file");
	if (c < 0x20 && c != '\n' && c != '\t' && c != '\r' && c != '\f')
		return refuse(scan, "a control byte");
	switch (scan->state) {
	case SCAN_PLAIN:
		return scan_plain(scan);
	case SCAN_STRING:
		return scan_string(scan);
	case SCAN_LINE_COMMENT:
		if (c == '\n')
			scan->state = SCAN_PLAIN;
		break;
	case SCAN_BLOCK_COMMENT:
		if (c == '*' && peek(scan, 1) == '/') {
			scan->state = SCAN_PLAIN;
			scan->at++;
		}
		break;
	}
	return 0;
}

int conf_scan(const struct conf_text *file, struct diag *diag)
{
	struct scan scan = {
		.name = file->name,
		.text = file->text,
		.len = file->len,
		.line = 1,
		.diag = diag,
	};

	for (; scan.at < scan.len; scan.at++) {
		if (scan_byte(&scan) != 0)
			return -1;
		if (scan.at < scan.len && scan.text[scan.at] == '\n')
			scan.line++;
	}
	if (scan.state == SCAN_STRING || scan.state == SCAN_BLOCK_COMMENT)
		return refuse(&scan, scan.state == SCAN_STRING
					     ? "a string has no end"
					     : "a comment has no end");
	return 0;
}
