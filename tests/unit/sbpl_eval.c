/* SPDX-License-Identifier: MIT */
/* sbpl_eval: answers questions about a Seatbelt profile. */
#include "sbpl_eval.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "paths.h"
#include "text.h"

/* Operations by number; the last column is the number of what each falls back
 * to. Every other word of a profile is -1: nobody asks about it. */
static const struct {
	const char *name;
	int parent;
} operations[] = {
	{"default",            -1},
        {"file*",              0 },
	{"file-read*",         1 },
        {"file-read-data",     2 },
	{"file-read-metadata", 2 },
        {"file-write*",        1 },
	{"file-write-data",    5 },
        {"file-write-unlink",  5 },
	{"network*",           0 },
        {"network-outbound",   8 },
	{"network-inbound",    8 },
        {"network-bind",       10},
};

#define OPERATION_COUNT (sizeof(operations) / sizeof(operations[0]))

static int number_of(const char *operation)
{
	for (size_t i = 0; i < OPERATION_COUNT; i++)
		if (strcmp(operations[i].name, operation) == 0)
			return (int)i;
	return -1;
}

/* (literal "A") or (remote tcp "A"); @kind and @value */
struct filter {
	const char *kind;
	const char *value;
};

/* @operations: one bit for each */
struct rule {
	bool is_allow;
	unsigned int operations;
	const struct filter *filters;
	size_t filter_count;
};

struct sbpl_rules {
	struct arena arena;
	const struct rule *items;
	size_t count;
};

/* The text from where reading goes on, and what a word was. */
struct reader {
	struct arena *arena;
	const char *at;
	char *word; /* without quotes */
	bool is_open;
	bool is_close;
};

static void skip_blank(struct reader *r)
{
	while (*r->at == ' ' || *r->at == '\n' || *r->at == ';')
		r->at += *r->at == ';' ? strcspn(r->at, "\n") : 1;
}

/* How far it is from behind an opening quote to the closing one; -1: none. */
static long string_length(const char *at)
{
	long len = 0;

	for (; at[len] != '"'; len++) {
		if (at[len] == '\\')
			len++;
		if (at[len] == '\0')
			return -1;
	}
	return len;
}

static bool read_string(struct reader *r)
{
	long len = string_length(r->at + 1);
	size_t used = 0;

	if (len < 0)
		return false;
	r->word = arena_alloc(r->arena, (size_t)len + 1);
	if (r->word == NULL)
		return false;
	for (r->at++; *r->at != '"'; r->at++) {
		if (*r->at == '\\')
			r->at++;
		r->word[used++] = *r->at;
	}
	r->at++;
	return true;
}

/* The next bracket or word; false at the end. */
static bool next(struct reader *r)
{
	skip_blank(r);
	r->word = NULL;
	r->is_open = *r->at == '(';
	r->is_close = *r->at == ')';
	if (*r->at == '\0')
		return false;
	if (r->is_open || r->is_close) {
		r->at++;
		return true;
	}
	if (*r->at == '"')
		return read_string(r);
	size_t len = strcspn(r->at, " \n()\"");
	r->word = arena_strndup(r->arena, r->at, len);
	r->at += len;
	return r->word != NULL;
}

/* Behind the opening bracket of a filter. */
static bool read_filter(struct reader *r, struct filter *out)
{
	if (!next(r) || r->word == NULL)
		return false;
	out->kind = r->word;
	while (next(r) && r->word != NULL)
		out->value = r->word;
	return r->is_close;
}

/* Behind the opening bracket of a rule. */
static bool read_rule(struct reader *r, struct rule *out)
{
	*out = (struct rule){.is_allow = false};
	if (!next(r) || r->word == NULL)
		return false;
	out->is_allow = strcmp(r->word, "allow") == 0;
	if (!out->is_allow && strcmp(r->word, "deny") != 0 &&
	    strcmp(r->word, "version") != 0)
		return false;
	while (next(r) && !r->is_close) {
		struct filter f = {NULL, NULL};
		if (r->word != NULL) {
			int number = number_of(r->word);
			if (number >= 0)
				out->operations |= 1U << number;
		} else if (!read_filter(r, &f) ||
			   arena_append(r->arena, &out->filters,
					&out->filter_count, &f,
					sizeof(f)) != 0) {
			return false;
		}
	}
	return r->is_close;
}

struct sbpl_rules *sbpl_rules_read(const char *profile)
{
	struct sbpl_rules *rules = calloc(1, sizeof(*rules));
	struct reader r = {.at = profile};
	bool is_good = rules != NULL;

	r.arena = is_good ? &rules->arena : NULL;
	while (is_good && next(&r)) {
		struct rule rule;
		is_good = r.is_open && read_rule(&r, &rule) &&
			  arena_append(&rules->arena, &rules->items,
				       &rules->count, &rule, sizeof(rule)) == 0;
	}
	if (is_good)
		return rules;
	sbpl_rules_free(rules);
	return NULL;
}

void sbpl_rules_free(struct sbpl_rules *rules)
{
	if (rules == NULL)
		return;
	struct arena arena = rules->arena;
	arena_clear(&arena);
	free(rules);
}

static bool matches_address(const char *address, const struct sbpl_question *q)
{
	const char *colon = strrchr(address, ':');
	uint16_t port = 0;

	if (strncmp(address, "localhost:", 10) == 0 && !q->is_loopback)
		return false;
	if (strcmp(colon, ":*") == 0)
		return true;
	return text_parse_port(colon + 1, strlen(colon + 1), &port) &&
	       port == q->port;
}

static bool matches_one(const struct filter *f, const struct sbpl_question *q)
{
	if (q->path != NULL && strcmp(f->kind, "literal") == 0)
		return strcmp(f->value, q->path) == 0;
	if (q->path != NULL && strcmp(f->kind, "subpath") == 0)
		return path_is_within(q->path, f->value);
	return q->end != NULL && strcmp(f->kind, q->end) == 0 &&
	       matches_address(f->value, q);
}

static bool matches(const struct rule *rule, const struct sbpl_question *q)
{
	for (size_t i = 0; i < rule->filter_count; i++)
		if (matches_one(&rule->filters[i], q))
			return true;
	return rule->filter_count == 0;
}

/* The newest rule of @operation that decides: filtered ones first. */
static const struct rule *own_rule(const struct sbpl_rules *rules,
				   int operation, const struct sbpl_question *q)
{
	const struct rule *plain = NULL;

	for (size_t i = rules->count; i > 0; i--) {
		const struct rule *rule = &rules->items[i - 1];
		if ((rule->operations & 1U << operation) == 0)
			continue;
		if (rule->filter_count > 0 && matches(rule, q))
			return rule;
		if (rule->filter_count == 0 && plain == NULL)
			plain = rule;
	}
	return plain;
}

static bool ask_own(const struct sbpl_rules *rules,
		    const struct sbpl_question *q)
{
	for (int op = number_of(q->operation); op >= 0;
	     op = operations[op].parent) {
		const struct rule *rule = own_rule(rules, op, q);
		if (rule != NULL)
			return rule->is_allow;
	}
	return false;
}

static bool ask_last(const struct sbpl_rules *rules,
		     const struct sbpl_question *q)
{
	unsigned int chain = 0;

	for (int op = number_of(q->operation); op >= 0;
	     op = operations[op].parent)
		chain |= 1U << op;
	for (size_t i = rules->count; i > 0; i--) {
		const struct rule *rule = &rules->items[i - 1];
		if ((rule->operations & chain) != 0 && matches(rule, q))
			return rule->is_allow;
	}
	return false;
}

enum sbpl_answer sbpl_ask(const struct sbpl_rules *rules,
			  const struct sbpl_question *question)
{
	bool own = ask_own(rules, question);

	if (own != ask_last(rules, question))
		return SBPL_DISPUTED;
	return own ? SBPL_ALLOW : SBPL_DENY;
}
