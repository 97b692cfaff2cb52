/* SPDX-License-Identifier: MIT */
/* audit: one record as one JSON line, and where it goes. */
#include "audit.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

/* What a client can make long is cut, so that a record always fits. */
#define AUDIT_NAME_MAX_BYTES 255
#define AUDIT_WORD_MAX_BYTES 200

/* Every byte escaped, in every field that holds foreign bytes, and the rest. */
_Static_assert(6 * (3 * AUDIT_NAME_MAX_BYTES + 6 * AUDIT_WORD_MAX_BYTES) +
			       1024 <
		       AUDIT_LINE_MAX_BYTES,
	       "a record may not fit");

static const char *const event_texts[] = {
	[AUDIT_DECISION] = "decision",   [AUDIT_CLOSE] = "close",
	[AUDIT_RESOLVE] = "resolve",     [AUDIT_LISTEN] = "listen",
	[AUDIT_LOOPBACK] = "loopback",   [AUDIT_TAP] = "tap",
	[AUDIT_RUN_START] = "run_start", [AUDIT_RUN_EXIT] = "run_exit",
};

static const char *const via_texts[] = {
	[AUDIT_VIA_NONE] = NULL,           [AUDIT_VIA_CONNECT] = "connect",
	[AUDIT_VIA_HTTP] = "http",         [AUDIT_VIA_SOCKS5] = "socks5",
	[AUDIT_VIA_SOCKS4] = "socks4",     [AUDIT_VIA_CAPTURE] = "capture",
	[AUDIT_VIA_LOOPBACK] = "loopback", [AUDIT_VIA_LISTEN] = "listen",
	[AUDIT_VIA_DNS] = "dns",           [AUDIT_VIA_TAP] = "tap",
};

static void add_key(struct text *t, const char *key)
{
	text_add(t, t->len > 1 ? ",\"" : "\"");
	text_add(t, key);
	text_add(t, "\":");
}

static void add_number(struct text *t, const char *key, uint64_t value)
{
	add_key(t, key);
	text_add_decimal(t, value);
}

/* Foreign bytes, cut at @max with a mark that says so. A byte becomes six
 * characters at most. */
static void add_foreign(struct text *t, const char *key, const char *s,
			size_t len, size_t max)
{
	char cut[AUDIT_NAME_MAX_BYTES + sizeof("\xe2\x80\xa6")];

	if (s == NULL)
		return;
	add_key(t, key);
	if (len <= max) {
		text_add_json(t, s, len);
		return;
	}
	memcpy(cut, s, max);
	memcpy(cut + max, "\xe2\x80\xa6", 3);
	text_add_json(t, cut, max + 3);
}

static void add_word(struct text *t, const char *key, const char *s)
{
	if (s != NULL)
		add_foreign(t, key, s, strlen(s), AUDIT_WORD_MAX_BYTES);
}

/* @value in @digits digits. */
static void add_digits(struct text *t, unsigned int value, size_t digits,
		       const char *behind)
{
	char buf[4];

	for (size_t i = digits; i > 0; i--) {
		buf[i - 1] = (char)('0' + value % 10);
		value /= 10;
	}
	text_add_bytes(t, buf, digits);
	text_add(t, behind);
}

/* RFC 3339, UTC, milliseconds. By hand: a record is written twice a tunnel, and
 * strftime() was the dearest part of it. */
static void add_time(struct text *t, uint64_t ts_ms)
{
	time_t seconds = (time_t)(ts_ms / 1000);
	struct tm utc = {.tm_mday = 1};

	(void)gmtime_r(&seconds, &utc);
	add_key(t, "ts");
	text_add(t, "\"");
	add_digits(t, (unsigned int)utc.tm_year + 1900U, 4, "-");
	add_digits(t, (unsigned int)utc.tm_mon + 1U, 2, "-");
	add_digits(t, (unsigned int)utc.tm_mday, 2, "T");
	add_digits(t, (unsigned int)utc.tm_hour, 2, ":");
	add_digits(t, (unsigned int)utc.tm_min, 2, ":");
	add_digits(t, (unsigned int)utc.tm_sec, 2, ".");
	add_digits(t, (unsigned int)(ts_ms % 1000), 3, "Z\"");
}

static const char *verdict_text(enum verdict verdict)
{
	return verdict == VERDICT_ALLOW ? "allow" : "deny";
}

static void add_verdict(struct text *t, const struct audit_record *r)
{
	if (!r->has_verdict)
		return;
	add_word(t, "verdict", verdict_text(r->verdict));
	if (r->would != r->verdict)
		add_word(t, "would", verdict_text(r->would));
	if (r->reason != REASON_NONE)
		add_word(t, "reason", reason_text(r->reason));
}

static void add_address(struct text *t, const struct netaddr *address)
{
	char text[NETADDR_TEXT_BYTES];

	if (address == NULL)
		return;
	/* As the kernel dials it: the IPv4 inside an IPv6 spelling. */
	struct netaddr folded = netaddr_fold(address);
	netaddr_format(&folded, text);
	add_word(t, "address", text);
}

static void add_destination(struct text *t, const struct audit_record *r)
{
	add_word(t, "via", via_texts[r->via]);
	add_word(t, "transport", r->transport);
	add_foreign(t, "host", r->host, r->host_len, AUDIT_NAME_MAX_BYTES);
	if (r->port != 0)
		add_number(t, "port", r->port);
	add_foreign(t, "server_name", r->server_name, r->server_name_len,
		    AUDIT_NAME_MAX_BYTES);
	add_foreign(t, "alpn", r->alpn, r->alpn_len, AUDIT_NAME_MAX_BYTES);
	if (r->has_ech) {
		add_key(t, "ech");
		text_add(t, r->ech ? "true" : "false");
	}
	add_address(t, r->address);
}

static void add_process(struct text *t, const struct audit_record *r)
{
	if (r->pid > 0) {
		add_number(t, "pid", (uint64_t)r->pid);
	} else if (r->process != NULL) {
		/* It was asked for, and there is no answer but @process. */
		add_key(t, "pid");
		text_add(t, "null");
	}
	add_word(t, "exe", r->exe);
	add_word(t, "argv0", r->argv0);
	add_word(t, "process", r->process);
}

static void add_end(struct text *t, const struct audit_record *r)
{
	if (r->has_bytes) {
		add_number(t, "bytes_up", r->bytes_up);
		add_number(t, "bytes_down", r->bytes_down);
		add_number(t, "duration_ms", r->duration_ms);
	}
	if (r->has_exit_code) {
		add_key(t, "exit_code");
		text_addf(t, "%d", r->exit_code);
	}
	add_word(t, "detail", r->detail);
}

size_t audit_format(const struct audit_record *record,
		    char line_out[static AUDIT_LINE_MAX_BYTES])
{
	char buf[AUDIT_LINE_MAX_BYTES + 1];
	struct text t;

	text_init(&t, buf, sizeof(buf));
	text_add(&t, "{");
	add_time(&t, record->ts_ms);
	add_word(&t, "run", record->run);
	add_number(&t, "seq", record->seq);
	if (record->conn != 0)
		add_number(&t, "conn", record->conn);
	add_word(&t, "event", event_texts[record->event]);
	add_verdict(&t, record);
	add_word(&t, "rule", record->rule);
	add_destination(&t, record);
	add_end(&t, record);
	add_process(&t, record);
	text_add(&t, "}\n");
	memcpy(line_out, buf, t.len);
	return t.len;
}

int audit_write(int fd, const struct audit_record *record)
{
	char line[AUDIT_LINE_MAX_BYTES];
	size_t len = audit_format(record, line);
	ssize_t n;

	do
		n = write(fd, line, len);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if ((size_t)n == len)
		return 0;
	/* A cut line would swallow the next one: end it, if there is room for
	 * a single byte. */
	(void)!write(fd, "\n", 1);
	return -ENOSPC;
}
