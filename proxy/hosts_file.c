/* SPDX-License-Identifier: MIT */
/* hosts_file: what a hosts file says of one name; a parser, no I/O. */
#include "hosts_file.h"

#include <stdbool.h>
#include <string.h>

struct word {
	const char *at;
	size_t len;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Take the next word off @line; a comment ends it. */
static struct word next_word(struct word *line)
{
	while (line->len > 0 && is_blank(*line->at)) {
		line->at++;
		line->len--;
	}
	struct word word = {line->at, 0};
	while (line->len > 0 && !is_blank(*line->at) && *line->at != '#') {
		line->at++;
		line->len--;
		word.len++;
	}
	return word;
}

static struct word next_line(struct word *text)
{
	const char *end = memchr(text->at, '\n', text->len);
	struct word line = {text->at,
			    end != NULL ? (size_t)(end - text->at) : text->len};
	size_t used = line.len + (end != NULL ? 1 : 0);

	text->at += used;
	text->len -= used;
	return line;
}

static bool names(struct word line, const struct hostname *host)
{
	for (struct word word = next_word(&line); word.len > 0;
	     word = next_word(&line)) {
		struct hostname name;

		if (hostname_parse(word.at, word.len, &name) == HOSTNAME_OK &&
		    hostname_equal(&name, host))
			return true;
	}
	return false;
}

size_t hosts_file_find(const char *text, size_t len,
		       const struct hostname *host, struct netaddr *addrs_out,
		       size_t max)
{
	struct word rest = {text, len};
	size_t count = 0;

	while (rest.len > 0 && count < max) {
		struct word line = next_line(&rest);
		struct word word = next_word(&line);
		struct netaddr addr;

		if (!netaddr_parse(word.at, word.len, &addr) ||
		    !names(line, host))
			continue;
		addrs_out[count++] = addr;
	}
	return count;
}
