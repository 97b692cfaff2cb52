/* SPDX-License-Identifier: MIT */
/* connect_dialogue: asks a proxy for a tunnel, as its client. Pure. */
#include "connect_dialogue.h"

#include <stdbool.h>
#include <string.h>

#include "netaddr.h"

#define PHRASE_MAX_BYTES 512 /* shown of what the proxy says */

static void clear(struct text *say)
{
	text_init(say, say->buf, say->size);
}

static void say_connect(const struct connect_dialogue *d, struct text *say)
{
	const char *open = strchr(d->host, ':') != NULL ? "[" : "";
	const char *shut = open[0] != '\0' ? "]" : "";
	unsigned int port = d->port;

	text_addf(say,
		  "CONNECT %s%s%s:%u HTTP/1.1\r\n"
		  "Host: %s%s%s:%u\r\n",
		  open, d->host, shut, port, open, d->host, shut, port);
	if (d->proxy->has_user) {
		text_add(say, "Proxy-Authorization: ");
		proxy_url_add_basic(d->proxy, say);
		text_add(say, "\r\n");
	}
	text_add(say, "\r\n");
}

static void add_byte(struct text *say, size_t value)
{
	const uint8_t byte = (uint8_t)value;

	text_add_bytes(say, &byte, 1);
}

/* RFC 1928 s4: a name goes as a name, so that the proxy judges it. */
static void say_request(const struct connect_dialogue *d, struct text *say)
{
	static const uint8_t connect[] = {5, 1, 0};
	size_t len = strlen(d->host);
	struct netaddr addr;

	text_add_bytes(say, connect, sizeof(connect));
	if (netaddr_parse(d->host, len, &addr)) {
		bool is_six = addr.family == AF_INET6;

		add_byte(say, is_six ? 4 : 1);
		text_add_bytes(say, addr.bytes, is_six ? 16 : 4);
	} else {
		add_byte(say, 3);
		add_byte(say, len);
		text_add_bytes(say, d->host, len);
	}
	add_byte(say, d->port >> 8);
	add_byte(say, d->port & 0xff);
}

void connect_dialogue_start(struct connect_dialogue *dialogue, struct text *say)
{
	static const uint8_t plain[] = {5, 1, 0};
	static const uint8_t with_user[] = {5, 2, 0, 2};

	clear(say);
	if (dialogue->proxy->scheme != PROXY_URL_SOCKS5) {
		dialogue->stage = CONNECT_STAGE_HTTP;
		say_connect(dialogue, say);
		return;
	}
	dialogue->stage = CONNECT_STAGE_METHOD;
	if (dialogue->proxy->has_user)
		text_add_bytes(say, with_user, sizeof(with_user));
	else
		text_add_bytes(say, plain, sizeof(plain));
}

static enum connect_result complain(struct text *say, enum connect_result what,
				    const char *why)
{
	clear(say);
	text_add(say, why);
	return what;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "HTTP/1.x NNN": the length up to the code's end, or 0. */
static size_t read_status(const char *line, size_t len, unsigned int *code_out)
{
	static const char version[] = "HTTP/1.";
	const size_t at = sizeof(version) - 1;

	if (len < at + 5 || memcmp(line, version, at) != 0 ||
	    !is_digit(line[at]) || line[at + 1] != ' ' ||
	    !is_digit(line[at + 2]) || !is_digit(line[at + 3]) ||
	    !is_digit(line[at + 4]) || (len > at + 5 && line[at + 5] != ' '))
		return 0;
	*code_out =
		(unsigned int)((line[at + 2] - '0') * 100 +
			       (line[at + 3] - '0') * 10 + line[at + 4] - '0');
	return at + 5;
}

static enum connect_result refuse_http(const char *line, size_t len, size_t at,
				       struct text *say)
{
	size_t shown = len > PHRASE_MAX_BYTES ? PHRASE_MAX_BYTES : len;
	size_t code = at - 3;

	clear(say);
	text_add(say, "the proxy says: ");
	text_add_printable(say, line + code, shown > code ? shown - code : 0);
	return CONNECT_REFUSED;
}

/* Interim answers (1xx) come before the one that counts (RFC 9110 s15.2). */
static enum connect_result hear_http(const char *data, size_t len,
				     size_t *used_out, struct text *say)
{
	size_t from = 0;

	for (;;) {
		const char *line = data + from;
		const char *eol = memmem(line, len - from, "\r\n", 2);
		const char *end = memmem(line, len - from, "\r\n\r\n", 4);
		unsigned int code = 0;

		if (end == NULL || eol == NULL)
			return len >= CONNECT_ANSWER_MAX_BYTES
				       ? complain(say, CONNECT_BAD,
						  "the proxy's answer is too "
						  "long")
				       : CONNECT_MORE;
		size_t line_len = (size_t)(eol - line);
		size_t at = read_status(line, line_len, &code);
		if (at == 0)
			return complain(say, CONNECT_BAD,
					"what answers is no HTTP proxy");
		from = (size_t)(end - data) + 4;
		if (code >= 200 && code < 300) {
			*used_out = from;
			return CONNECT_OPEN;
		}
		if (code >= 200 || code == 101)
			return refuse_http(line, line_len, at, say);
	}
}

static enum connect_result hear_method(struct connect_dialogue *d,
				       const char *data, size_t len,
				       size_t *used_out, struct text *say)
{
	if (len < 2)
		return CONNECT_MORE;
	if (data[0] != 5)
		return complain(say, CONNECT_BAD,
				"what answers is no SOCKS5 proxy");
	*used_out = 2;
	clear(say);
	if (data[1] == 0) {
		d->stage = CONNECT_STAGE_REPLY;
		say_request(d, say);
		return CONNECT_SAY;
	}
	if (data[1] != 2 || !d->proxy->has_user)
		return complain(say, CONNECT_REFUSED,
				"the proxy wants a user and a password");
	d->stage = CONNECT_STAGE_PASSWORD;
	add_byte(say, 1);
	add_byte(say, strlen(d->proxy->user));
	text_add(say, d->proxy->user);
	add_byte(say, strlen(d->proxy->password));
	text_add(say, d->proxy->password);
	return CONNECT_SAY;
}

static enum connect_result hear_password(struct connect_dialogue *d,
					 const char *data, size_t len,
					 size_t *used_out, struct text *say)
{
	if (len < 2)
		return CONNECT_MORE;
	if (data[1] != 0)
		return complain(say, CONNECT_REFUSED,
				"the proxy does not take this user");
	*used_out = 2;
	clear(say);
	d->stage = CONNECT_STAGE_REPLY;
	say_request(d, say);
	return CONNECT_SAY;
}

static const char *reply_text(unsigned char code)
{
	static const char *const texts[] = {
		"the proxy failed",
		"the proxy's policy does not allow it",
		"the network cannot be reached",
		"the host cannot be reached (or its name not be found)",
		"connection refused",
		"the connection took too long",
		"the proxy cannot connect",
		"the proxy cannot take such an address",
	};

	return code >= 1 && code <= sizeof(texts) / sizeof(texts[0])
		       ? texts[code - 1]
		       : "the proxy refused for a reason of its own";
}

static enum connect_result hear_reply(const char *data, size_t len,
				      size_t *used_out, struct text *say)
{
	size_t size;

	if (len < 2)
		return CONNECT_MORE;
	if (data[0] != 5)
		return complain(say, CONNECT_BAD,
				"what answers is no SOCKS5 proxy");
	if (data[1] != 0)
		return complain(say, CONNECT_REFUSED,
				reply_text((unsigned char)data[1]));
	if (len < 5)
		return CONNECT_MORE;
	switch (data[3]) {
	case 1:
		size = 4;
		break;
	case 3:
		size = 1 + (size_t)(unsigned char)data[4];
		break;
	case 4:
		size = 16;
		break;
	default:
		return complain(say, CONNECT_BAD,
				"what answers is no SOCKS5 proxy");
	}
	size += 4 + 2;
	if (len < size)
		return CONNECT_MORE;
	*used_out = size;
	return CONNECT_OPEN;
}

enum connect_result connect_dialogue_hear(struct connect_dialogue *dialogue,
					  const char *data, size_t len,
					  size_t *used_out, struct text *say)
{
	switch (dialogue->stage) {
	case CONNECT_STAGE_HTTP:
		return hear_http(data, len, used_out, say);
	case CONNECT_STAGE_METHOD:
		return hear_method(dialogue, data, len, used_out, say);
	case CONNECT_STAGE_PASSWORD:
		return hear_password(dialogue, data, len, used_out, say);
	case CONNECT_STAGE_REPLY:
		break;
	}
	return hear_reply(data, len, used_out, say);
}
