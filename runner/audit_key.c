/* SPDX-License-Identifier: MIT */
/* audit_key: what a record is counted under. */
#include "audit_key.h"

#include <string.h>

#include "audit_time.h"
#include "text.h"

#define MINUTE_MS 60000

static struct audit_words words_of(const char *text)
{
	return (struct audit_words){.at = text, .len = strlen(text)};
}

/* Eight bytes a step; not for keys that somebody may choose to collide: a file
 * with such names is slow to read, and nothing else. */
static uint64_t hash_bytes(uint64_t hash, struct audit_words words)
{
	size_t at = 0;

	while (at < words.len) {
		uint64_t piece = 0;
		size_t n = words.len - at < 8 ? words.len - at : 8;

		memcpy(&piece, words.at + at, n);
		hash = (hash ^ piece) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
		at += n;
	}
	return (hash ^ words.len) * UINT64_C(0xbf58476d1ce4e5b9);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

struct audit_words audit_key_host(const struct audit_entry *entry)
{
	return entry->host.at != NULL ? entry->host : entry->address;
}

uint64_t audit_key_connection(const struct audit_entry *entry)
{
	uint64_t id = mix(hash_bytes(1, entry->run), entry->conn);

	return id != 0 ? id : 1;
}

uint64_t audit_key_destination(const struct audit_entry *entry)
{
	return mix(hash_bytes(2, audit_key_host(entry)), entry->port);
}

bool audit_entry_is_attempt(const struct audit_entry *entry)
{
	return entry->has_verdict && entry->event != AUDIT_CLOSE &&
	       entry->event != AUDIT_RUN_START &&
	       entry->event != AUDIT_RUN_EXIT;
}

enum audit_outcome audit_outcome_of(const struct audit_entry *entry)
{
	enum reason reason;

	if (entry->verdict == VERDICT_ALLOW)
		return entry->would == VERDICT_ALLOW ? AUDIT_OUTCOME_ALLOWED
						     : AUDIT_OUTCOME_OBSERVED;
	if (entry->reason.at != NULL &&
	    reason_parse(entry->reason.at, entry->reason.len, &reason) &&
	    !reason_is_refusal(reason))
		return AUDIT_OUTCOME_FAILED;
	return AUDIT_OUTCOME_DENIED;
}

const char *audit_outcome_text(enum audit_outcome outcome)
{
	static const char *const texts[AUDIT_OUTCOME_COUNT] = {
		[AUDIT_OUTCOME_DENIED] = "denied",
		[AUDIT_OUTCOME_FAILED] = "failed",
		[AUDIT_OUTCOME_OBSERVED] = "observed",
		[AUDIT_OUTCOME_ALLOWED] = "allowed",
	};

	return texts[outcome];
}

struct audit_words audit_process_of(const struct audit_entry *entry)
{
	struct audit_words words =
		entry->exe.len > 0 ? entry->exe : entry->argv0;

	if (words.len == 0)
		return entry->process;
	for (size_t i = words.len; i > 0; i--) {
		if (words.at[i - 1] != '/' || i == words.len)
			continue;
		words.at += i;
		words.len -= i;
		break;
	}
	return words;
}

/* "HOST:PORT"; an IPv6 address in brackets. */
static struct audit_words write_destination(const struct audit_entry *entry,
					    struct audit_key *key)
{
	struct audit_words host = audit_key_host(entry);
	struct text t;

	text_init(&t, key->buf, sizeof(key->buf));
	bool is_bare = host.len > 0 && host.at[0] != '[' &&
		       memchr(host.at, ':', host.len) != NULL &&
		       entry->port != 0;
	if (is_bare)
		text_add(&t, "[");
	if (host.len > 0)
		text_add_bytes(&t, host.at, host.len);
	else
		text_add(&t, "(no host)");
	if (is_bare)
		text_add(&t, "]");
	if (entry->port != 0) {
		text_add(&t, ":");
		text_add_decimal(&t, entry->port);
	}
	return (struct audit_words){.at = t.buf, .len = t.len};
}

static struct audit_words write_minute(const struct audit_entry *entry,
				       struct audit_key *key)
{
	audit_time_format(entry->ts_ms / MINUTE_MS * MINUTE_MS, key->buf);
	return words_of(key->buf);
}

static struct audit_words rule_of(const struct audit_entry *entry)
{
	return entry->rule.at != NULL ? entry->rule : words_of("(no rule)");
}

static struct audit_words process_of(const struct audit_entry *entry)
{
	struct audit_words process = audit_process_of(entry);

	return process.len > 0 ? process : words_of("(not recorded)");
}

static struct audit_words run_of(const struct audit_entry *entry)
{
	return entry->run.len > 0 ? entry->run : words_of("(no run)");
}

void audit_key_of(enum audit_by by, const struct audit_entry *entry,
		  struct audit_key *key_out)
{
	/* Rows that are no destination's are all of one kind. */
	key_out->outcome = AUDIT_OUTCOME_COUNT;
	key_out->reason = words_of("");
	switch (by) {
	case AUDIT_BY_DESTINATION:
		key_out->outcome = audit_outcome_of(entry);
		if (entry->reason.at != NULL && entry->verdict == VERDICT_DENY)
			key_out->reason = entry->reason;
		key_out->words = write_destination(entry, key_out);
		break;
	case AUDIT_BY_HOST:
		key_out->words = audit_key_host(entry);
		if (key_out->words.at == NULL)
			key_out->words = words_of("(no host)");
		break;
	case AUDIT_BY_PROCESS:
		key_out->words = process_of(entry);
		break;
	case AUDIT_BY_RULE:
		key_out->words = rule_of(entry);
		break;
	case AUDIT_BY_TIME:
		key_out->words = write_minute(entry, key_out);
		break;
	case AUDIT_BY_RUN:
		key_out->words = run_of(entry);
		break;
	}
	key_out->hash =
		mix(hash_bytes(hash_bytes(3, key_out->words), key_out->reason),
		    key_out->outcome);
}
