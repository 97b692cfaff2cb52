/* SPDX-License-Identifier: MIT */
/* hostname: DNS names in the one spelling that every comparison uses. */
#include "hostname.h"

#include <string.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Letters, digits and hyphen (RFC 1123 s2.1), and the underscore, which real
 * names have. */
static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-' || c == '_';
}

static enum hostname_result check_label(const char *s, size_t len)
{
	if (len == 0 || len > HOSTNAME_LABEL_MAX_BYTES || s[0] == '-' ||
	    s[len - 1] == '-')
		return HOSTNAME_BAD_LABEL;
	return HOSTNAME_OK;
}

/* What inet_aton(3) would take for a number: then some resolvers read the
 * whole name as an address, each in its own way. */
static bool is_numeric(const char *label, size_t len)
{
	size_t i = 0;

	if (len >= 2 && label[0] == '0' && label[1] == 'x')
		return true;
	while (i < len && is_digit(label[i]))
		i++;
	return i == len;
}

/* Copy @s in lower case, or say which byte does not belong in a name. */
static enum hostname_result fold(const char *s, size_t len, char *out)
{
	for (size_t i = 0; i < len; i++) {
		out[i] = lower(s[i]);
		if (out[i] != '.' && !is_name_byte(out[i]))
			return HOSTNAME_BAD_BYTE;
	}
	out[len] = '\0';
	return HOSTNAME_OK;
}

enum hostname_result hostname_parse(const char *s, size_t len,
				    struct hostname *name_out)
{
	struct hostname name;

	if (len > 0 && s[len - 1] == '.')
		len--;
	if (len == 0)
		return HOSTNAME_EMPTY;
	if (len > HOSTNAME_MAX_BYTES)
		return HOSTNAME_TOO_LONG;
	enum hostname_result rc = fold(s, len, name.text);
	if (rc != HOSTNAME_OK)
		return rc;
	name.len = (uint8_t)len;

	size_t start = 0;
	for (size_t i = 0; i <= len; i++) {
		if (i < len && name.text[i] != '.')
			continue;
		rc = check_label(name.text + start, i - start);
		if (rc != HOSTNAME_OK)
			return rc;
		if (i == len && is_numeric(name.text + start, i - start))
			return HOSTNAME_NUMERIC;
		start = i + 1;
	}
	*name_out = name;
	return HOSTNAME_OK;
}

const char *hostname_result_text(enum hostname_result result)
{
	switch (result) {
	case HOSTNAME_OK:
		return "a host name";
	case HOSTNAME_EMPTY:
		return "it is empty";
	case HOSTNAME_TOO_LONG:
		return "it is longer than 253 bytes";
	case HOSTNAME_BAD_LABEL:
		return "a label is empty, longer than 63 bytes, or has a "
		       "hyphen at an end";
	case HOSTNAME_BAD_BYTE:
		return "only letters, digits, hyphen and underscore are "
		       "allowed";
	case HOSTNAME_NUMERIC:
		return "its last label is a number, so it could be read as an "
		       "address";
	}
	return "unknown";
}

bool hostname_equal(const struct hostname *a, const struct hostname *b)
{
	return a->len == b->len && memcmp(a->text, b->text, a->len) == 0;
}

bool hostname_is_below(const struct hostname *name,
		       const struct hostname *parent)
{
	if (name->len <= parent->len + 1)
		return false;
	size_t at = (size_t)name->len - parent->len;
	return name->text[at - 1] == '.' &&
	       memcmp(name->text + at, parent->text, parent->len) == 0;
}
