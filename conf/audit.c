/* SPDX-License-Identifier: MIT */
/* audit: one record as one JSON line, and where it goes. */
#include "audit.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

/* What a client can make long is cut, so that a record always fits. */
#define AUDIT_NAME_MAX_BYTES    255
#define AUDIT_WORD_MAX_BYTES    200
#define AUDIT_PARENTS_MAX_BYTES 400

/* Every byte escaped, in every field that holds foreign bytes, and the rest. */
_Static_assert(6 * (3 * AUDIT_NAME_MAX_BYTES + 6 * AUDIT_WORD_MAX_BYTES +
		    AUDIT_PARENTS_MAX_BYTES) +
			       1024 <
		       AUDIT_LINE_MAX_BYTES,
	       "a record may not fit");

static const char *const event_texts[] = {
	[AUDIT_DECISION] = "decision",   [AUDIT_CLOSE] = "close",
	[AUDIT_RESOLVE] = "resolve",     [AUDIT_LISTEN] = "listen",
	[AUDIT_LOOPBACK] = "loopback",   [AUDIT_TAP] = "tap",
	[AUDIT_RUN_START] = "run_start", [AUDIT_RUN_EXIT] = "run_exit",
};

const char *audit_event_text(enum audit_event event)
{
	return event_texts[event];
}

static const char *const via_texts[] = {
	[AUDIT_VIA_NONE] = NULL,           [AUDIT_VIA_CONNECT] = "connect",
	[AUDIT_VIA_HTTP] = "http",         [AUDIT_VIA_SOCKS5] = "socks5",
	[AUDIT_VIA_SOCKS4] = "socks4",     [AUDIT_VIA_CAPTURE] = "capture",
	[AUDIT_VIA_LOOPBACK] = "loopback", [AUDIT_VIA_LISTEN] = "listen",
	[AUDIT_VIA_DNS] = "dns",           [AUDIT_VIA_TAP] = "tap",
};

/* A record is written twice a tunnel: what is ours is copied, with its
 * punctuation, and only foreign bytes are looked at. */
#define ADD(t, literal) text_add_bytes(t, literal, sizeof(literal) - 1)
#define KEY(name)       ",\"" name "\":"

static void add_number(struct text *t, const char *key, uint64_t value)
{
	text_add(t, key);
	text_add_decimal(t, value);
}

/* @word: one of ours, with nothing in it to escape, or NULL. */
static void add_own(struct text *t, const char *key, const char *word)
{
	if (word == NULL)
		return;
	text_add(t, key);
	ADD(t, "\"");
	text_add(t, word);
	ADD(t, "\"");
}

/* Foreign bytes, cut at @max with a mark that says so. A byte becomes six
 * characters at most. */
static void add_foreign(struct text *t, const char *key, const char *s,
			size_t len, size_t max)
{
	char cut[AUDIT_NAME_MAX_BYTES + sizeof("\xe2\x80\xa6")];

	if (s == NULL)
		return;
	text_add(t, key);
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

/* A year, month and day of the Gregorian calendar. */
struct date {
	unsigned int year;
	unsigned int month;
	unsigned int day;
};

#define DAYS_PER_ERA    146097U /* of 400 years */
#define DAYS_BEFORE_ERA 719468U /* from 1 March of year 0 to 1 January 1970 */

/* Years are counted from 1 March, so that a leap day is the last of its year,
 * and months from March on have 153 days in every five. */
static struct date date_of(uint64_t days_since_1970)
{
	uint64_t days = days_since_1970 + DAYS_BEFORE_ERA;
	unsigned int rest = (unsigned int)(days % DAYS_PER_ERA);
	unsigned int year = (rest - rest / 1460 + rest / 36524 -
			     rest / (DAYS_PER_ERA - 1)) /
			    365;
	unsigned int day = rest - (365 * year + year / 4 - year / 100);
	unsigned int month = (5 * day + 2) / 153;
	struct date date = {
		.year = (unsigned int)(days / DAYS_PER_ERA) * 400 + year,
		.month = month < 10 ? month + 3 : month - 9,
		.day = day - (153 * month + 2) / 5 + 1,
	};

	if (date.month <= 2)
		date.year++;
	return date;
}

static void put_digits(char *at, unsigned int value, size_t digits)
{
	for (size_t i = digits; i > 0; i--) {
		at[i - 1] = (char)('0' + value % 10);
		value /= 10;
	}
}

/* RFC 3339, UTC, milliseconds. gmtime_r(3) reads the time zone and takes a lock
 * for it. */
static void add_time(struct text *t, uint64_t ts_ms)
{
	unsigned int ms = (unsigned int)(ts_ms % 86400000);
	struct date date = date_of(ts_ms / 86400000);
	char text[] = "0000-00-00T00:00:00.000Z";

	put_digits(text, date.year, 4);
	put_digits(text + 5, date.month, 2);
	put_digits(text + 8, date.day, 2);
	put_digits(text + 11, ms / 3600000, 2);
	put_digits(text + 14, ms / 60000 % 60, 2);
	put_digits(text + 17, ms / 1000 % 60, 2);
	put_digits(text + 20, ms % 1000, 3);
	text_add_bytes(t, text, sizeof(text) - 1);
}

static const char *verdict_text(enum verdict verdict)
{
	return verdict == VERDICT_ALLOW ? "allow" : "deny";
}

static void add_verdict(struct text *t, const struct audit_record *r)
{
	if (!r->has_verdict)
		return;
	add_own(t, KEY("verdict"), verdict_text(r->verdict));
	if (r->would != r->verdict)
		add_own(t, KEY("would"), verdict_text(r->would));
	if (r->reason != REASON_NONE)
		add_own(t, KEY("reason"), reason_text(r->reason));
}

static void add_address(struct text *t, const struct netaddr *address)
{
	char text[NETADDR_TEXT_BYTES];

	if (address == NULL)
		return;
	/* As the kernel dials it: the IPv4 inside an IPv6 spelling. */
	struct netaddr folded = netaddr_fold(address);
	netaddr_format(&folded, text);
	add_own(t, KEY("address"), text);
}

static void add_destination(struct text *t, const struct audit_record *r)
{
	add_own(t, KEY("via"), via_texts[r->via]);
	add_own(t, KEY("transport"), r->transport);
	add_foreign(t, KEY("host"), r->host, r->host_len, AUDIT_NAME_MAX_BYTES);
	if (r->port != 0)
		add_number(t, KEY("port"), r->port);
	add_foreign(t, KEY("server_name"), r->server_name, r->server_name_len,
		    AUDIT_NAME_MAX_BYTES);
	add_foreign(t, KEY("alpn"), r->alpn, r->alpn_len, AUDIT_NAME_MAX_BYTES);
	if (r->has_ech) {
		ADD(t, KEY("ech"));
		text_add(t, r->ech ? "true" : "false");
	}
	add_address(t, r->address);
}

/* Each line a string of its own. */
static void add_parents(struct text *t, const char *lines)
{
	size_t left = AUDIT_PARENTS_MAX_BYTES;

	if (lines == NULL)
		return;
	ADD(t, KEY("parents") "[");
	for (const char *at = lines; *at != '\0' && left > 0;) {
		size_t len = strcspn(at, "\n");
		size_t shown = len < left ? len : left;

		if (at != lines)
			ADD(t, ",");
		text_add_json(t, at, shown);
		left -= shown;
		at += len + (at[len] == '\n');
	}
	ADD(t, "]");
}

static void add_process(struct text *t, const struct audit_record *r)
{
	if (r->pid > 0) {
		add_number(t, KEY("pid"), (uint64_t)r->pid);
	} else if (r->process != NULL) {
		/* It was asked for, and there is no answer but @process. */
		ADD(t, KEY("pid") "null");
	}
	add_word(t, KEY("exe"), r->exe);
	add_word(t, KEY("argv0"), r->argv0);
	add_own(t, KEY("process"), r->process);
	add_parents(t, r->parents);
}

static void add_end(struct text *t, const struct audit_record *r)
{
	if (r->has_bytes) {
		add_number(t, KEY("bytes_up"), r->bytes_up);
		add_number(t, KEY("bytes_down"), r->bytes_down);
		add_number(t, KEY("duration_ms"), r->duration_ms);
	}
	if (r->has_exit_code) {
		ADD(t, KEY("exit_code"));
		text_addf(t, "%d", r->exit_code);
	}
	add_word(t, KEY("detail"), r->detail);
}

size_t audit_format(const struct audit_record *record,
		    char line_out[static AUDIT_LINE_MAX_BYTES])
{
	struct text t;

	text_init(&t, line_out, AUDIT_LINE_MAX_BYTES);
	ADD(&t, "{\"ts\":\"");
	add_time(&t, record->ts_ms);
	ADD(&t, "\"");
	add_word(&t, KEY("run"), record->run);
	add_number(&t, KEY("seq"), record->seq);
	if (record->conn != 0)
		add_number(&t, KEY("conn"), record->conn);
	add_own(&t, KEY("event"), event_texts[record->event]);
	add_verdict(&t, record);
	add_word(&t, KEY("rule"), record->rule);
	add_destination(&t, record);
	add_end(&t, record);
	add_process(&t, record);
	ADD(&t, "}\n");
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
