/* SPDX-License-Identifier: MIT */
/* words: any bytes as one printable word, and back. */
#include "words.h"

#include <string.h>

static void write_escaped(struct bytes *out, const char *s, char lowest)
{
	size_t plain;

	for (; *s != '\0'; s += plain) {
		for (plain = 0;
		     s[plain] >= lowest && s[plain] < 0x7f && s[plain] != '\\';
		     plain++)
			;
		bytes_add(out, s, plain);
		if (s[plain] == '\0')
			return;
		bytes_addf(out, "\\x%02x",
			   (unsigned int)(unsigned char)s[plain]);
		plain++;
	}
}

void word_write(struct bytes *out, const char *s)
{
	write_escaped(out, s, '!');
}

void word_write_line(struct bytes *out, const char *s)
{
	write_escaped(out, s, ' ');
}

static int hex_value(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *found = c == '\0' ? NULL : strchr(digits, c);

	return found == NULL ? -1 : (int)(found - digits);
}

char *word_read(struct arena *arena, const char *word, size_t len)
{
	char *text = arena_alloc(arena, len + 1);
	size_t used = 0;

	for (size_t i = 0; text != NULL && i < len; i++) {
		if (word[i] == '\0')
			return NULL;
		if (word[i] != '\\') {
			text[used++] = word[i];
			continue;
		}
		if (len - i < 4 || word[i + 1] != 'x')
			return NULL;
		int high = hex_value(word[i + 2]);
		int low = hex_value(word[i + 3]);
		if (high < 0 || low < 0 || high + low == 0)
			return NULL;
		text[used++] = (char)(high * 16 + low);
		i += 3;
	}
	return text;
}
