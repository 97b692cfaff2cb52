/* SPDX-License-Identifier: MIT */
/* audit_suggest: the smallest policy that allows what was seen. */
#include "audit_suggest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit_cell.h"
#include "audit_shared.h"
#include "audit_source.h"
#include "audit_wish.h"
#include "text.h"

#define RULE_BYTES    4096
#define COMMENT_BYTES 4096

/* libconfig wants commas between, and none behind the last. */
struct list {
	bool has_items;
};

static int take(const struct audit_entry *entry, void *arg)
{
	return audit_rows_add(arg, entry);
}

static bool is_wanted(const struct audit_wish *wish,
		      const struct audit_options *options)
{
	return !wish->by_rule && (!wish->was_denied || options->include_denied);
}

/* Metadata addresses are allowed by hand or not at all. */
static bool can_be_allowed(const struct audit_wish *wish)
{
	return !wish->has_address ||
	       netaddr_classify(&wish->address) != NETADDR_METADATA;
}

static void add_host(const struct audit_wish *wish, struct text *t)
{
	char address[NETADDR_TEXT_BYTES];

	if (!wish->is_address) {
		text_addf(t, "%s%s", wish->is_below ? "*." : "",
			  wish->host.text);
		return;
	}
	netaddr_format(&wish->address, address);
	text_addf(t, wish->address.family == AF_INET6 ? "[%s]" : "%s", address);
}

/* The rule for @count wishes that differ in their ports. */
static void write_rule(const struct audit_wish *wish, size_t count,
		       struct text *t)
{
	add_host(wish, t);
	if (count > 1 || wish->port != 443)
		for (size_t i = 0; i < count; i++)
			text_addf(t, "%s%u", i == 0 ? ":" : ",",
				  (unsigned int)wish[i].port);
	text_add(t, audit_wish_suffix(wish));
	text_add(t, wish->is_private ? "+private" : "");
}

static void add_processes(const struct audit_row *row, struct text *t)
{
	if (row->process_count == 0)
		return;
	text_add(t, " by ");
	audit_cell_write(row, AUDIT_BY_DESTINATION, AUDIT_COLUMN_PROCESS, t);
}

/* A comment cannot be left by what is printable ASCII. */
static void write_comment(const struct audit_wish *wish, size_t count,
			  struct text *t)
{
	uint64_t times = 0, up = 0, down = 0;
	const char *kind =
		wish->is_address ? NULL : audit_shared_kind(&wish->host);

	for (size_t i = 0; i < count; i++) {
		times += wish[i].count;
		up += wish[i].bytes_up;
		down += wish[i].bytes_down;
	}
	text_addf(t, "%" PRIu64 " time%s", times, times == 1 ? "" : "s");
	add_processes(wish->row, t);
	text_add(t, ", up ");
	audit_write_bytes(up, t);
	text_add(t, ", down ");
	audit_write_bytes(down, t);
	if (wish->is_below)
		text_addf(t, "; %" PRIu64 " names below it were seen",
			  wish->siblings);
	if (wish->was_denied)
		text_add(t, "; was denied");
	if (wish->by_rule)
		text_add(t, " by a deny rule, which beats every allow rule");
	if (kind != NULL)
		text_addf(t, "; SHARED by many (%s): this allows all of them",
			  kind);
}

static void put_rule(const struct audit_wish *wish, size_t count, bool is_on,
		     struct list *list)
{
	char rule[RULE_BYTES], comment[COMMENT_BYTES];
	struct text r, c;

	text_init(&r, rule, sizeof(rule));
	text_init(&c, comment, sizeof(comment));
	write_rule(wish, count, &r);
	write_comment(wish, count, &c);
	if (is_on && list->has_items)
		printf(",\n");
	list->has_items = list->has_items || is_on;
	printf("  # %s\n", comment);
	if (is_on)
		printf("  \"%s\"", rule);
	else
		printf("  # \"%s\"\n", rule);
}

/* @is_on: the rules of the policy; else what could be added, as comments. */
static void put_rules(const struct audit_wishes *wishes,
		      const struct audit_options *options, bool is_on)
{
	struct list list = {.has_items = false};

	for (size_t i = 0; i < wishes->count;) {
		const struct audit_wish *wish = &wishes->items[i];
		bool is_wish_on =
			is_wanted(wish, options) && can_be_allowed(wish);
		size_t same = 1;

		while (i + same < wishes->count &&
		       audit_wish_is_like(wish, &wish[same]) &&
		       wish[same].is_covered == wish->is_covered &&
		       wish[same].was_denied == wish->was_denied &&
		       wish[same].by_rule == wish->by_rule)
			same++;
		if (!wish->is_covered && is_wish_on == is_on)
			put_rule(wish, same, is_on, &list);
		i += same;
	}
	if (is_on && list.has_items)
		printf("\n");
}

static void put_answers(const struct audit_wishes *wishes,
			const struct audit_options *options)
{
	const struct audit_wish *last = NULL;
	char address[NETADDR_TEXT_BYTES];

	for (size_t i = 0; i < wishes->count; i++) {
		const struct audit_wish *wish = &wishes->items[i];

		if (!wish->needs_answer || !is_wanted(wish, options) ||
		    !can_be_allowed(wish) ||
		    (last != NULL && hostname_equal(&last->host, &wish->host)))
			continue;
		netaddr_format(&wish->address, address);
		printf("%s  { host = \"%s\"; address = \"%s\"; }",
		       last == NULL ? "resolve = (\n" : ",\n", wish->host.text,
		       address);
		last = wish;
	}
	if (last != NULL)
		printf("\n);\n");
}

static void put_policy(const struct audit_wishes *wishes,
		       const struct audit_options *options, uint64_t left_out)
{
	printf("# What was seen, as a policy: exeat-policy(5). Read it before "
	       "you use it.\n"
	       "version = 1;\n"
	       "allow = (\n");
	put_rules(wishes, options, true);
	put_rules(wishes, options, false);
	printf(");\n");
	put_answers(wishes, options);
	if (left_out > 0)
		printf("# %" PRIu64 " destinations are left out: no rule can "
		       "name them (exeat audit shows them).\n",
		       left_out);
}

/* What was allowed in vain is not needed. */
static int collect(const struct audit_rows *rows, struct audit_wishes *wishes,
		   uint64_t *left_out)
{
	size_t count;
	const struct audit_row **sorted = audit_rows_sorted(rows, &count);
	int rc = sorted == NULL ? -ENOMEM : 0;

	for (size_t i = 0; rc >= 0 && i < count; i++) {
		if (sorted[i]->outcome == AUDIT_OUTCOME_FAILED)
			continue;
		rc = audit_wishes_add(wishes, sorted[i]);
		if (rc == 0)
			(*left_out)++;
	}
	free(sorted);
	return rc < 0 ? rc : 0;
}

int audit_suggest(const struct audit_options *options, struct diag *diag)
{
	struct audit_rows *rows = audit_rows_new(AUDIT_BY_DESTINATION);
	struct audit_wishes wishes = {0};
	uint64_t left_out = 0;
	int rc = -ENOMEM;

	if (rows != NULL && audit_source_read(options, options->sources[0],
					      take, rows, diag) == 0) {
		rc = collect(rows, &wishes, &left_out);
		if (rc == 0)
			rc = audit_wishes_join(&wishes, options->siblings);
	}
	if (rc == 0) {
		put_policy(&wishes, options, left_out);
		rc = fflush(stdout) == 0 ? 0 : -errno;
	}
	if (rc != 0)
		diag_set(diag, "%s", strerror(-rc));
	audit_wishes_clear(&wishes);
	audit_rows_free(rows);
	return rc == 0 ? 0 : -1;
}
