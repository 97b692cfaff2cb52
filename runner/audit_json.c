/* SPDX-License-Identifier: MIT */
/* audit_json: lines that are JSON but not as we write it, by json-c. */
#include <string.h>

#include <json-c/json.h>

#include "audit_line.h"

/* A record is flat; what a later version nests is passed over, so it need not
 * be deep. */
#define JSON_MAX_DEPTH 16

/* json-c keeps text only as long as the object. False: no room, which cannot
 * be: what is decoded is shorter than the line, but U+FFFD is three bytes where
 * one was. */
static bool keep(struct audit_line_space *space, struct json_object *value,
		 struct audit_words *words)
{
	size_t len = (size_t)json_object_get_string_len(value);

	if (len > sizeof(space->bytes) - space->used)
		return false;
	memcpy(space->bytes + space->used, json_object_get_string(value), len);
	words->at = space->bytes + space->used;
	words->len = len;
	space->used += len;
	return true;
}

static bool set_number(struct audit_entry *entry, int field,
		       struct json_object *value)
{
	int64_t number = json_object_get_int64(value);

	if (number < 0)
		return audit_field_set_number(entry, field, true,
					      0 - (uint64_t)number);
	return audit_field_set_number(entry, field, false,
				      json_object_get_uint64(value));
}

static bool set_field(struct audit_entry *entry, int field,
		      struct json_object *value, struct audit_line_space *space)
{
	struct audit_words words;

	switch (json_object_get_type(value)) {
	case json_type_null:
		return audit_field_set_null(entry, field);
	case json_type_boolean:
		return audit_field_set_flag(
			entry, field, json_object_get_boolean(value) != 0);
	case json_type_int:
		return set_number(entry, field, value);
	case json_type_string:
		return keep(space, value, &words) &&
		       audit_field_set_words(entry, field, words);
	case json_type_double:
	case json_type_object:
	case json_type_array:
		break;
	}
	return false;
}

static bool set_fields(struct audit_entry *entry, struct json_object *object,
		       struct audit_line_space *space)
{
	struct json_object_iterator at = json_object_iter_begin(object);
	struct json_object_iterator end = json_object_iter_end(object);
	int hint = 0;

	for (; !json_object_iter_equal(&at, &end); json_object_iter_next(&at)) {
		const char *name = json_object_iter_peek_name(&at);
		struct audit_words key = {.at = name, .len = strlen(name)};
		int field = audit_field_find(key, hint);

		if (field < 0)
			continue;
		hint = field + 1;
		if (!set_field(entry, field, json_object_iter_peek_value(&at),
			       space))
			return false;
	}
	return true;
}

static struct json_object *parse(const char *line, size_t len)
{
	struct json_tokener *tokener = json_tokener_new_ex(JSON_MAX_DEPTH);
	struct json_object *object = NULL;

	if (tokener == NULL)
		return NULL;
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
	object = json_tokener_parse_ex(tokener, line, (int)len);
	if (json_tokener_get_error(tokener) != json_tokener_success ||
	    json_tokener_get_parse_end(tokener) != len) {
		(void)json_object_put(object);
		object = NULL;
	}
	json_tokener_free(tokener);
	return object;
}

enum audit_line_result audit_json_parse(const char *line, size_t len,
					struct audit_line_space *space,
					struct audit_entry *entry_out)
{
	struct audit_entry entry = {0};
	struct json_object *object;
	bool is_good;

	if (len >= AUDIT_LINE_READ_BYTES)
		return AUDIT_LINE_BAD;
	space->used = 0;
	object = parse(line, len);
	is_good = json_object_is_type(object, json_type_object) != 0 &&
		  set_fields(&entry, object, space) &&
		  audit_entry_is_whole(&entry);
	(void)json_object_put(object);
	if (!is_good)
		return AUDIT_LINE_BAD;
	if (!entry.has_event)
		return AUDIT_LINE_UNKNOWN;
	*entry_out = entry;
	return AUDIT_LINE_OK;
}
