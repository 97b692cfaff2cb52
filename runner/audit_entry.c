/* SPDX-License-Identifier: MIT */
/* audit_entry: one record as it was read: audit.schema.json as a struct. */
#include "audit_entry.h"

#include <limits.h>
#include <string.h>

#include "audit_time.h"

enum field_kind {
	FIELD_WORDS,
	FIELD_TIME,
	FIELD_EVENT,
	FIELD_VERDICT,
	FIELD_WOULD,
	FIELD_NUMBER,
	FIELD_PORT,
	FIELD_PID,
	FIELD_EXIT_CODE,
	FIELD_FLAG,
};

/**
 * struct audit_field - a key of the schema
 * @key:	with its quotes and the colon, as it stands in a line
 * @offset:	into struct audit_entry, of the kinds that are stored as they
 * are
 */
struct audit_field {
	const char *key;
	size_t key_len;
	enum field_kind kind;
	size_t offset;
};

#define KEY(text) .key = "\"" text "\":", .key_len = sizeof(text) + 2
#define AT(field) .offset = offsetof(struct audit_entry, field)
#define WORDS(field)                                        \
	{                                                   \
		KEY(#field), .kind = FIELD_WORDS, AT(field) \
	}
#define COUNT(field)                                         \
	{                                                    \
		KEY(#field), .kind = FIELD_NUMBER, AT(field) \
	}

/* In the order of writing (audit_format()): the next key is mostly the next
 * row. */
static const struct audit_field fields[] = {
	{KEY("ts"),      .kind = FIELD_TIME   },
	WORDS(run),
	COUNT(seq),
	COUNT(conn),
	{KEY("event"),   .kind = FIELD_EVENT  },
	{KEY("verdict"), .kind = FIELD_VERDICT},
	{KEY("would"),   .kind = FIELD_WOULD  },
	WORDS(reason),
	WORDS(rule),
	WORDS(via),
	WORDS(transport),
	WORDS(host),
	{KEY("port"),    .kind = FIELD_PORT   },
	WORDS(server_name),
	WORDS(alpn),
	{KEY("ech"),     .kind = FIELD_FLAG,    AT(ech)},
	WORDS(address),
	COUNT(bytes_up),
	COUNT(bytes_down),
	COUNT(duration_ms),
	{KEY("exit_code"),              .kind = FIELD_EXIT_CODE                   },
	WORDS(detail),
	{KEY("pid"),              .kind = FIELD_PID      },
	WORDS(exe),
	WORDS(argv0),
	WORDS(process),
};

enum {
	FIELD_COUNT = sizeof(fields) / sizeof(fields[0]),
	INDEX_TS = 0,
	INDEX_SEQ = 2,
	INDEX_EVENT = 4,
};

_Static_assert(FIELD_COUNT <= 32, "audit_entry.seen has 32 bits");

bool audit_words_are(struct audit_words words, const char *text)
{
	size_t len = strlen(text);

	return words.at != NULL && words.len == len &&
	       memcmp(words.at, text, len) == 0;
}

bool audit_words_equal(struct audit_words a, struct audit_words b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

int audit_field_find(struct audit_words key, int hint)
{
	for (int i = 0; i < FIELD_COUNT; i++) {
		int at = (hint + i) % FIELD_COUNT;

		if (key.len + 3 == fields[at].key_len &&
		    memcmp(key.at, fields[at].key + 1, key.len) == 0)
			return at;
	}
	return -1;
}

int audit_field_expect(const char *text, size_t len, int hint, size_t *used_out)
{
	for (int i = hint; i < FIELD_COUNT; i++) {
		size_t key_len = fields[i].key_len;

		if (len < key_len || text[1] != fields[i].key[1] ||
		    memcmp(text, fields[i].key, key_len) != 0)
			continue;
		*used_out = key_len;
		return i;
	}
	return -1;
}

/* A key that stands there twice says two things. */
static bool mark(struct audit_entry *entry, int index)
{
	uint32_t bit = UINT32_C(1) << index;

	if ((entry->seen & bit) != 0)
		return false;
	entry->seen |= bit;
	return true;
}

static void *member(struct audit_entry *entry, int index)
{
	return (char *)entry + fields[index].offset;
}

static void set_event(struct audit_entry *entry, struct audit_words words)
{
	for (int i = 0; i < AUDIT_EVENT_COUNT && !entry->has_event; i++) {
		entry->event = (enum audit_event)i;
		entry->has_event =
			audit_words_are(words, audit_event_text(entry->event));
	}
}

static bool read_verdict(struct audit_words words, enum verdict *verdict)
{
	bool is_allow = audit_words_are(words, "allow");

	if (!is_allow && !audit_words_are(words, "deny"))
		return false;
	*verdict = is_allow ? VERDICT_ALLOW : VERDICT_DENY;
	return true;
}

bool audit_field_set_words(struct audit_entry *entry, int index,
			   struct audit_words words)
{
	if (!mark(entry, index))
		return false;
	switch ((int)fields[index].kind) {
	case FIELD_WORDS:
		memcpy(member(entry, index), &words, sizeof(words));
		return true;
	case FIELD_TIME:
		return audit_time_parse(words.at, words.len, &entry->ts_ms);
	case FIELD_EVENT:
		set_event(entry, words);
		return true;
	case FIELD_VERDICT:
		entry->has_verdict = read_verdict(words, &entry->verdict);
		if (!entry->has_would)
			entry->would = entry->verdict;
		return entry->has_verdict;
	case FIELD_WOULD:
		entry->has_would = read_verdict(words, &entry->would);
		return entry->has_would;
	default:
		return false;
	}
}

bool audit_field_set_number(struct audit_entry *entry, int index,
			    bool is_negative, uint64_t value)
{
	bool is_small = value <= INT_MAX;
	int64_t number = 0;

	if (!mark(entry, index))
		return false;
	if (is_small)
		number = is_negative ? -(int64_t)value : (int64_t)value;
	switch ((int)fields[index].kind) {
	case FIELD_NUMBER:
		memcpy(member(entry, index), &value, sizeof(value));
		return !is_negative;
	case FIELD_PORT:
		entry->port = value;
		return !is_negative && value > 0 && value <= UINT16_MAX;
	case FIELD_PID:
		entry->pid = number;
		return is_small;
	case FIELD_EXIT_CODE:
		entry->exit_code = number;
		entry->has_exit_code = true;
		return is_small;
	default:
		return false;
	}
}

bool audit_field_set_flag(struct audit_entry *entry, int index, bool value)
{
	if (!mark(entry, index) || fields[index].kind != FIELD_FLAG)
		return false;
	entry->has_ech = true;
	entry->ech = value;
	return true;
}

bool audit_field_set_null(struct audit_entry *entry, int index)
{
	return mark(entry, index) && fields[index].kind == FIELD_PID;
}

bool audit_entry_is_whole(const struct audit_entry *entry)
{
	const uint32_t needed = UINT32_C(1) << INDEX_TS |
				UINT32_C(1) << INDEX_SEQ |
				UINT32_C(1) << INDEX_EVENT;

	return (entry->seen & needed) == needed;
}
