/* SPDX-License-Identifier: MIT */
/* audit_line: what one line of an audit file says. */
#include "audit_line.h"

#include <string.h>

#include "text.h"

/**
 * struct scan - a line that is being read; @end is no byte of it
 */
struct scan {
	const char *at;
	const char *end;
	struct audit_line_space *space;
};

static bool take(struct scan *scan, char c)
{
	if (scan->at == scan->end || *scan->at != c)
		return false;
	scan->at++;
	return true;
}

static bool take_word(struct scan *scan, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(scan->end - scan->at) < len ||
	    memcmp(scan->at, word, len) != 0)
		return false;
	scan->at += len;
	return true;
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* Four hexadecimal digits. */
static bool take_unit(struct scan *scan, uint32_t *unit)
{
	uint32_t value = 0;

	if (scan->end - scan->at < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		int digit = hex_value(*scan->at++);

		if (digit < 0)
			return false;
		value = value << 4 | (uint32_t)digit;
	}
	*unit = value;
	return true;
}

/* There is room: what is decoded is shorter than what was written. */
static void put(struct scan *scan, uint32_t byte)
{
	scan->space->bytes[scan->space->used++] = (char)byte;
}

static void put_code_point(struct scan *scan, uint32_t code)
{
	if (code < 0x80) {
		put(scan, code);
	} else if (code < 0x800) {
		put(scan, 0xc0 | code >> 6);
		put(scan, 0x80 | (code & 0x3f));
	} else if (code < 0x10000) {
		put(scan, 0xe0 | code >> 12);
		put(scan, 0x80 | (code >> 6 & 0x3f));
		put(scan, 0x80 | (code & 0x3f));
	} else {
		put(scan, 0xf0 | code >> 18);
		put(scan, 0x80 | (code >> 12 & 0x3f));
		put(scan, 0x80 | (code >> 6 & 0x3f));
		put(scan, 0x80 | (code & 0x3f));
	}
}

/* After "\u". A byte 0xNN that was no UTF-8 is written \udcNN
 * (text_add_json()); a half of a pair that stands alone is nothing of ours. */
static enum audit_line_result take_code_point(struct scan *scan)
{
	uint32_t code, low;

	if (!take_unit(scan, &code))
		return AUDIT_LINE_BAD;
	if (code >= 0xdc80 && code <= 0xdcff) {
		put(scan, code & 0xff);
		return AUDIT_LINE_OK;
	}
	if (code >= 0xd800 && code <= 0xdbff) {
		if (!take_word(scan, "\\u") || !take_unit(scan, &low) ||
		    low < 0xdc00 || low > 0xdfff)
			return AUDIT_LINE_UNUSUAL;
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	} else if (code >= 0xdc00 && code <= 0xdfff) {
		return AUDIT_LINE_UNUSUAL;
	}
	put_code_point(scan, code);
	return AUDIT_LINE_OK;
}

/* After the backslash. */
static enum audit_line_result take_escape(struct scan *scan)
{
	static const char names[] = "\"\\/bfnrt";
	static const char bytes[] = "\"\\/\b\f\n\r\t";
	const char *found;

	if (scan->at == scan->end)
		return AUDIT_LINE_BAD;
	if (take(scan, 'u'))
		return take_code_point(scan);
	found = *scan->at == '\0' ? NULL : strchr(names, *scan->at);
	if (found == NULL)
		return AUDIT_LINE_BAD;
	scan->at++;
	put(scan, (uint32_t)(unsigned char)bytes[found - names]);
	return AUDIT_LINE_OK;
}

static bool is_plain(char c)
{
	return c != '"' && c != '\\' && (unsigned char)c >= 0x20;
}

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Eight bytes at once: bit 7 of a byte is set where it is not plain, but for
 * bytes behind the first such (a byte is zero where bit 7 of (x - 1) & ~x is
 * set, and alike for "< 0x20"). */
static uint64_t find_special(const char at[static 8])
{
	uint64_t bytes, quotes, slashes;

	memcpy(&bytes, at, sizeof(bytes));
	quotes = bytes ^ EACH('"');
	slashes = bytes ^ EACH('\\');
	return (((quotes - EACH(1)) & ~quotes) |
		((slashes - EACH(1)) & ~slashes) |
		((bytes - EACH(0x20)) & ~bytes)) &
	       EACH(0x80);
}

/* The plain bytes that come next. */
static size_t plain_length(const struct scan *scan)
{
	const char *at = scan->at;

	while (scan->end - at >= 8) {
		uint64_t special = find_special(at);

		if (special == 0) {
			at += 8;
			continue;
		}
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		at += __builtin_ctzll(special) / 8;
		return (size_t)(at - scan->at);
#else
		break;
#endif
	}
	while (at < scan->end && is_plain(*at))
		at++;
	return (size_t)(at - scan->at);
}

/* After the opening quote, where a backslash stands at @plain. */
static enum audit_line_result take_escaped(struct scan *scan, size_t plain,
					   struct audit_words *words)
{
	char *bytes = scan->space->bytes;
	size_t start = scan->space->used;
	enum audit_line_result rc = AUDIT_LINE_OK;

	while (rc == AUDIT_LINE_OK) {
		memcpy(bytes + scan->space->used, scan->at, plain);
		scan->space->used += plain;
		scan->at += plain;
		if (!take(scan, '\\'))
			break;
		rc = take_escape(scan);
		plain = plain_length(scan);
	}
	words->at = bytes + start;
	words->len = scan->space->used - start;
	if (rc != AUDIT_LINE_OK)
		return rc;
	return take(scan, '"') ? AUDIT_LINE_OK : AUDIT_LINE_BAD;
}

/* After the opening quote. */
static enum audit_line_result take_string(struct scan *scan,
					  struct audit_words *words)
{
	size_t plain = plain_length(scan);

	words->at = scan->at;
	words->len = plain;
	if (scan->at + plain < scan->end && scan->at[plain] == '\\')
		return take_escaped(scan, plain, words);
	scan->at += plain;
	/* Else a control character, or the end. */
	return take(scan, '"') ? AUDIT_LINE_OK : AUDIT_LINE_BAD;
}

static bool ends_value(const struct scan *scan)
{
	return scan->at < scan->end && (*scan->at == ',' || *scan->at == '}');
}

static enum audit_line_result take_number(struct scan *scan, int field,
					  struct audit_entry *entry)
{
	bool is_negative = take(scan, '-');
	const char *start = scan->at;
	uint64_t value;

	while (scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9')
		scan->at++;
	if (!ends_value(scan) ||
	    !text_parse_decimal(start, (size_t)(scan->at - start), UINT64_MAX,
				&value))
		return AUDIT_LINE_UNUSUAL;
	if (field < 0)
		return AUDIT_LINE_OK;
	return audit_field_set_number(entry, field, is_negative, value)
		       ? AUDIT_LINE_OK
		       : AUDIT_LINE_BAD;
}

static enum audit_line_result take_literal(struct scan *scan, int field,
					   struct audit_entry *entry)
{
	bool is_set = true;

	if (take_word(scan, "true"))
		is_set = field < 0 || audit_field_set_flag(entry, field, true);
	else if (take_word(scan, "false"))
		is_set = field < 0 || audit_field_set_flag(entry, field, false);
	else if (take_word(scan, "null"))
		is_set = field < 0 || audit_field_set_null(entry, field);
	else
		return AUDIT_LINE_UNUSUAL;
	if (!ends_value(scan))
		return AUDIT_LINE_UNUSUAL;
	return is_set ? AUDIT_LINE_OK : AUDIT_LINE_BAD;
}

/* @field < 0: a key that a later version added; its value is passed over. */
static enum audit_line_result take_value(struct scan *scan, int field,
					 struct audit_entry *entry)
{
	struct audit_words words;

	if (scan->at == scan->end)
		return AUDIT_LINE_BAD;
	if (*scan->at == '-' || (*scan->at >= '0' && *scan->at <= '9'))
		return take_number(scan, field, entry);
	if (!take(scan, '"'))
		return take_literal(scan, field, entry);
	enum audit_line_result rc = take_string(scan, &words);
	if (rc != AUDIT_LINE_OK || field < 0)
		return rc;
	return audit_field_set_words(entry, field, words) ? AUDIT_LINE_OK
							  : AUDIT_LINE_BAD;
}

static enum audit_line_result take_pair(struct scan *scan, int *hint,
					struct audit_entry *entry)
{
	struct audit_words key;
	size_t used;
	int field = audit_field_expect(scan->at, (size_t)(scan->end - scan->at),
				       *hint, &used);

	if (field >= 0) {
		*hint = field + 1;
		scan->at += used;
		return take_value(scan, field, entry);
	}
	if (!take(scan, '"'))
		return AUDIT_LINE_UNUSUAL;
	enum audit_line_result rc = take_string(scan, &key);
	if (rc != AUDIT_LINE_OK)
		return rc;
	if (!take(scan, ':'))
		return AUDIT_LINE_UNUSUAL;
	return take_value(scan, audit_field_find(key, *hint), entry);
}

enum audit_line_result audit_line_parse_plain(const char *line, size_t len,
					      struct audit_line_space *space,
					      struct audit_entry *entry_out)
{
	struct scan scan = {.at = line, .end = line + len, .space = space};
	struct audit_entry entry = {0};
	int hint = 0;

	space->used = 0;
	if (!take(&scan, '{'))
		return AUDIT_LINE_UNUSUAL;
	do {
		enum audit_line_result rc = take_pair(&scan, &hint, &entry);
		if (rc != AUDIT_LINE_OK)
			return rc;
	} while (take(&scan, ','));
	if (!take(&scan, '}') || scan.at != scan.end)
		return AUDIT_LINE_UNUSUAL;
	if (!audit_entry_is_whole(&entry))
		return AUDIT_LINE_BAD;
	if (!entry.has_event)
		return AUDIT_LINE_UNKNOWN;
	*entry_out = entry;
	return AUDIT_LINE_OK;
}

enum audit_line_result audit_line_parse(const char *line, size_t len,
					struct audit_line_space *space,
					struct audit_entry *entry_out)
{
	/* An editor's ends of lines. */
	while (len > 0 && (line[len - 1] == '\r' || line[len - 1] == ' '))
		len--;
	enum audit_line_result rc =
		audit_line_parse_plain(line, len, space, entry_out);

	return rc == AUDIT_LINE_UNUSUAL
		       ? audit_json_parse(line, len, space, entry_out)
		       : rc;
}
