/* SPDX-License-Identifier: MIT */
/* dns_wire: one DNS question in, one answer out. */
#include "dns_wire.h"

#include <string.h>
#include <strings.h>

#include "text.h"

#define HEADER_BYTES   12
#define NAME_MAX_BYTES 255 /* on the wire, RFC 1035 s2.3.4 */
#define LABEL_MASK     0xc0
#define CLASS_IN       1
#define TTL_SECONDS    60
#define EDNS_BYTES     1232 /* that arrive unfragmented */
#define OPCODE_MASK    0x7800
#define FLAG_ANSWER    0x8000
#define FLAG_WANTED    0x0100 /* recursion desired */
#define FLAG_AVAILABLE 0x0080 /* recursion available */

/* A place in a message; is_bad: it ended too early. */
struct cursor {
	const uint8_t *data;
	size_t len;
	size_t at;
	bool is_bad;
};

static uint16_t take16(struct cursor *c)
{
	if (c->is_bad || c->len - c->at < 2) {
		c->is_bad = true;
		return 0;
	}
	c->at += 2;
	return (uint16_t)(c->data[c->at - 2] << 8 | c->data[c->at - 1]);
}

static void skip(struct cursor *c, size_t len)
{
	if (c->is_bad || c->len - c->at < len)
		c->is_bad = true;
	else
		c->at += len;
}

static void add_label(struct text *t, const uint8_t *label, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (label[i] == '.' || label[i] == '\\')
			text_addf(t, "\\%c", label[i]);
		else if (label[i] > ' ' && label[i] < 0x7f)
			text_add_bytes(t, (const char *)&label[i], 1);
		else
			text_addf(t, "\\%03u", (unsigned int)label[i]);
	}
}

/* A name in labels alone: in a question nothing comes before that a pointer
 * could lead to. */
static void take_name(struct cursor *c, struct text *t)
{
	size_t start = c->at;

	while (!c->is_bad && c->at < c->len && c->data[c->at] != 0) {
		size_t label = c->data[c->at];

		if ((label & LABEL_MASK) != 0 ||
		    c->at - start + 1 + label >= NAME_MAX_BYTES ||
		    label >= c->len - c->at) {
			c->is_bad = true;
			return;
		}
		if (c->at > start)
			text_add(t, ".");
		add_label(t, c->data + c->at + 1, label);
		c->at += 1 + label;
	}
	skip(c, 1);
}

/* As above, or cut short by a pointer, which is not followed. */
static void skip_name(struct cursor *c)
{
	while (!c->is_bad && c->at < c->len && c->data[c->at] != 0) {
		if ((c->data[c->at] & LABEL_MASK) == LABEL_MASK) {
			skip(c, 2);
			return;
		}
		skip(c, 1 + (size_t)c->data[c->at]);
	}
	skip(c, 1);
}

static bool find_edns(struct cursor *c, size_t records)
{
	bool found = false;

	for (; records > 0 && !c->is_bad; records--) {
		skip_name(c);
		uint16_t type = take16(c);
		skip(c, 6); /* class and TTL */
		uint16_t len = take16(c);
		skip(c, len);
		found |= !c->is_bad && type == DNS_TYPE_OPT;
	}
	return found;
}

static void read_question(struct cursor *c, struct dns_query *query)
{
	struct text t;

	text_init(&t, query->text, sizeof(query->text));
	take_name(c, &t);
	uint16_t type = take16(c);
	uint16_t class = take16(c);
	if (c->is_bad) {
		query->text[0] = '\0';
		return;
	}
	query->text_len = t.len;
	query->type = type;
	query->question = c->data + HEADER_BYTES;
	query->question_len = c->at - HEADER_BYTES;
	query->code = class == CLASS_IN ? DNS_OK : DNS_REFUSED;
}

bool dns_query_read(const uint8_t *data, size_t len,
		    struct dns_query *query_out)
{
	struct cursor c = {.data = data, .len = len};
	struct dns_query query = {.code = DNS_FORMERR};

	query.id = take16(&c);
	query.flags = take16(&c);
	uint16_t questions = take16(&c);
	size_t others = take16(&c);
	others += take16(&c);
	others += take16(&c);
	if (c.is_bad || (query.flags & FLAG_ANSWER) != 0)
		return false;
	if ((query.flags & OPCODE_MASK) != 0)
		query.code = DNS_NOTIMP;
	else if (questions == 1)
		read_question(&c, &query);
	if (query.question_len > 0)
		query.has_edns = find_edns(&c, others);
	*query_out = query;
	return true;
}

/* Everything that is written fits: DNS_ANSWER_MAX_BYTES is more than header,
 * the longest question, the longest record and an OPT take together. */
struct writer {
	uint8_t *out;
	size_t len;
};

static void put(struct writer *w, const void *bytes, size_t len)
{
	memcpy(w->out + w->len, bytes, len);
	w->len += len;
}

static void put16(struct writer *w, unsigned int value)
{
	const uint8_t bytes[] = {(uint8_t)(value >> 8), (uint8_t)value};

	put(w, bytes, sizeof(bytes));
}

static void put_name(struct writer *w, const struct hostname *name)
{
	const char *label = name->text;

	while (*label != '\0') {
		uint8_t len = (uint8_t)strcspn(label, ".");

		put(w, &len, 1);
		put(w, label, len);
		label += len;
		if (*label == '.')
			label++;
	}
	put(w, "", 1);
}

static void put_record_head(struct writer *w, enum dns_type type)
{
	put16(w, 0xc000 | HEADER_BYTES); /* the name of the question */
	put16(w, type);
	put16(w, CLASS_IN);
	put16(w, 0);
	put16(w, TTL_SECONDS);
}

static void put_address(struct writer *w, const struct netaddr *address)
{
	bool is_ipv6 = address->family == AF_INET6;
	size_t len = is_ipv6 ? 16 : 4;

	put_record_head(w, is_ipv6 ? DNS_TYPE_AAAA : DNS_TYPE_A);
	put16(w, (unsigned int)len);
	put(w, address->bytes, len);
}

static void put_pointer(struct writer *w, const struct hostname *name)
{
	put_record_head(w, DNS_TYPE_PTR);
	put16(w, name->len + 2U); /* a length before the first label, a 0 */
	put_name(w, name);
}

static void put_edns(struct writer *w)
{
	put(w, "", 1); /* the root */
	put16(w, DNS_TYPE_OPT);
	put16(w, EDNS_BYTES);
	put16(w, 0);
	put16(w, 0);
	put16(w, 0);
}

size_t dns_answer_write(const struct dns_query *query,
			const struct dns_answer *answer,
			uint8_t out[static DNS_ANSWER_MAX_BYTES])
{
	struct writer w;
	bool has_record = answer->address != NULL || answer->name != NULL;

	w.out = out;
	w.len = 0;
	put16(&w, query->id);
	put16(&w, FLAG_ANSWER | FLAG_AVAILABLE | (unsigned int)answer->code |
			  (query->flags & (OPCODE_MASK | FLAG_WANTED)));
	put16(&w, query->question_len > 0);
	put16(&w, has_record);
	put16(&w, 0);
	put16(&w, query->has_edns);
	if (query->question_len > 0)
		put(&w, query->question, query->question_len);
	if (answer->address != NULL)
		put_address(&w, answer->address);
	else if (answer->name != NULL)
		put_pointer(&w, answer->name);
	if (query->has_edns)
		put_edns(&w);
	return w.len;
}

static bool take_suffix(const char *text, size_t *len, const char *suffix)
{
	size_t n = strlen(suffix);

	if (*len < n || strcmp(text + *len - n, suffix) != 0)
		return false;
	*len -= n;
	return true;
}

static bool read_reverse_ipv4(const char *text, size_t len,
			      struct netaddr *addr)
{
	uint64_t number = 0;
	size_t end = len;

	for (size_t i = 0; i < 4; i++) {
		size_t start = end;

		while (start > 0 && text[start - 1] != '.')
			start--;
		if (!text_parse_decimal(text + start, end - start, UINT8_MAX,
					&number))
			return false;
		addr->bytes[i] = (uint8_t)number;
		if (start == 0)
			return i == 3;
		end = start - 1;
	}
	return false;
}

/* "b.a.9.8. ... .ip6.arpa": the last digit comes first. */
static bool read_reverse_ipv6(const char *text, size_t len,
			      struct netaddr *addr)
{
	static const char digits[] = "0123456789abcdef";

	if (len != 63)
		return false;
	for (size_t i = 0; i < 32; i++) {
		char c = text[62 - 2 * i];
		const char *digit = memchr(digits, c, 16);

		if (digit == NULL || (i > 0 && text[63 - 2 * i] != '.'))
			return false;
		unsigned int value = (unsigned int)(digit - digits);
		addr->bytes[i / 2] |=
			(uint8_t)(i % 2 == 0 ? value << 4 : value);
	}
	return true;
}

bool dns_reverse_read(const struct hostname *name, struct netaddr *addr_out)
{
	struct netaddr addr = {.family = AF_INET};
	size_t len = name->len;
	bool found = false;

	if (take_suffix(name->text, &len, ".in-addr.arpa")) {
		found = read_reverse_ipv4(name->text, len, &addr);
	} else if (take_suffix(name->text, &len, ".ip6.arpa")) {
		addr.family = AF_INET6;
		found = read_reverse_ipv6(name->text, len, &addr);
	}
	if (found)
		*addr_out = addr;
	return found;
}
