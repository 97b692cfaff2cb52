/* SPDX-License-Identifier: MIT */
/* audit_wish: destinations that a policy should allow, joined to few rules. */
#include "audit_wish.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "audit_shared.h"
#include "public_suffix.h"
#include "suggest.h"

#define HTTP_PORT 80

void audit_wishes_clear(struct audit_wishes *wishes)
{
	free(wishes->items);
	*wishes = (struct audit_wishes){0};
}

static int append(struct audit_wishes *wishes, const struct audit_wish *wish)
{
	if (wishes->count == wishes->room) {
		size_t room = wishes->room == 0 ? 64 : wishes->room * 2;
		struct audit_wish *items =
			reallocarray(wishes->items, room, sizeof(*items));

		if (items == NULL)
			return -ENOMEM;
		wishes->items = items;
		wishes->room = room;
	}
	wishes->items[wishes->count++] = *wish;
	return 0;
}

/* What was spoken, as far as it was seen; port 80 is plain HTTP. */
static enum rule_protocol protocol_of(const struct audit_row *row)
{
	struct suggest_target target = {
		.port = (uint16_t)row->port,
		.protocol = RULE_PROTOCOL_TLS,
	};

	if ((row->facts & AUDIT_FACT_HTTP) != 0)
		target.protocol = RULE_PROTOCOL_HTTP;
	else if (((row->facts & AUDIT_FACT_OTHER) != 0 &&
		  row->port != HTTP_PORT) ||
		 audit_words_are(row->reason, reason_text(REASON_NOT_TLS)))
		target.protocol = RULE_PROTOCOL_TCP;
	return suggest_protocol(&target);
}

/* Loopback and what else is special only where the user wrote the address. */
static void set_privacy(struct audit_wish *wish)
{
	enum netaddr_class c = wish->has_address
				       ? netaddr_classify(&wish->address)
				       : NETADDR_PUBLIC;

	wish->is_private = c != NETADDR_PUBLIC &&
			   !(wish->is_address && c == NETADDR_SPECIAL);
	wish->needs_answer = !wish->is_address && c != NETADDR_PUBLIC &&
			     c != NETADDR_PRIVATE;
}

int audit_wishes_add(struct audit_wishes *wishes, const struct audit_row *row)
{
	struct audit_wish wish = {
		.port = (uint16_t)row->port,
		.count = audit_row_count(row),
		.bytes_up = row->bytes_up,
		.bytes_down = row->bytes_down,
		.was_denied = row->outcome == AUDIT_OUTCOME_DENIED,
		.by_rule = row->outcome == AUDIT_OUTCOME_DENIED &&
			   (row->facts & AUDIT_FACT_RULE) != 0,
		.protocol = protocol_of(row),
		.row = row,
	};

	if (row->port == 0 || row->host.len == 0)
		return 0;
	wish.has_address = netaddr_parse(row->address, strlen(row->address),
					 &wish.address);
	if (netaddr_parse(row->host.at, row->host.len, &wish.address))
		wish.is_address = wish.has_address = true;
	else if (hostname_parse(row->host.at, row->host.len, &wish.host) !=
		 HOSTNAME_OK)
		return 0;
	set_privacy(&wish);
	int rc = append(wishes, &wish);
	return rc == 0 ? 1 : rc;
}

static const char *parent_of(const struct hostname *host)
{
	const char *dot = strchr(host->text, '.');

	return dot != NULL ? dot + 1 : "";
}

/* Names before addresses; names by their parent, so that siblings stand
 * together. */
static int compare_places(const struct audit_wish *a,
			  const struct audit_wish *b)
{
	if (a->is_address != b->is_address)
		return a->is_address ? 1 : -1;
	if (a->is_address)
		return memcmp(&a->address, &b->address, sizeof(a->address));
	int order = strcmp(parent_of(&a->host), parent_of(&b->host));
	return order != 0 ? order : strcmp(a->host.text, b->host.text);
}

static int compare(const void *x, const void *y)
{
	const struct audit_wish *a = x, *b = y;
	int order = compare_places(a, b);

	if (order != 0)
		return order;
	if (a->is_private != b->is_private)
		return a->is_private ? 1 : -1;
	order = strcmp(audit_wish_suffix(a), audit_wish_suffix(b));
	return order != 0 ? order : (a->port > b->port) - (a->port < b->port);
}

const char *audit_wish_suffix(const struct audit_wish *wish)
{
	enum rule_protocol usual = wish->port == HTTP_PORT ? RULE_PROTOCOL_HTTP
							   : RULE_PROTOCOL_TLS;

	if (wish->protocol == usual)
		return "";
	if (wish->protocol == RULE_PROTOCOL_TCP)
		return "/tcp";
	return wish->protocol == RULE_PROTOCOL_HTTP ? "/http" : "/tls";
}

bool audit_wish_is_like(const struct audit_wish *a, const struct audit_wish *b)
{
	return a->is_below == b->is_below && compare_places(a, b) == 0 &&
	       a->is_private == b->is_private &&
	       strcmp(audit_wish_suffix(a), audit_wish_suffix(b)) == 0;
}

/* One that speaks anything speaks the rest as well. */
static void merge(struct audit_wish *to, const struct audit_wish *from)
{
	to->count += from->count;
	to->bytes_up += from->bytes_up;
	to->bytes_down += from->bytes_down;
	to->was_denied = to->was_denied && from->was_denied;
	to->by_rule = to->by_rule || from->by_rule;
	to->is_private = to->is_private || from->is_private;
	to->needs_answer = to->needs_answer || from->needs_answer;
	if (from->protocol == RULE_PROTOCOL_TCP)
		to->protocol = RULE_PROTOCOL_TCP;
	if (!to->has_address && from->has_address) {
		to->address = from->address;
		to->has_address = true;
	}
}

static int compare_ports(const void *x, const void *y)
{
	const struct audit_wish *a = x, *b = y;
	int order = compare_places(a, b);

	return order != 0 ? order : (a->port > b->port) - (a->port < b->port);
}

static void merge_equal(struct audit_wishes *wishes)
{
	size_t kept = 0;

	qsort(wishes->items, wishes->count, sizeof(*wishes->items),
	      compare_ports);
	for (size_t i = 0; i < wishes->count; i++) {
		struct audit_wish *wish = &wishes->items[i];

		if (kept > 0 &&
		    compare_ports(&wishes->items[kept - 1], wish) == 0)
			merge(&wishes->items[kept - 1], wish);
		else
			wishes->items[kept++] = *wish;
	}
	wishes->count = kept;
}

/* May all names below @parent be allowed for the sake of some? */
static bool may_be_wild(const char *parent, struct hostname *name)
{
	return strchr(parent, '.') != NULL &&
	       hostname_parse(parent, strlen(parent), name) == HOSTNAME_OK &&
	       !public_suffix_is(name) && audit_shared_kind(name) == NULL;
}

/* Siblings that a wildcard with the ports of @first would serve. */
static bool is_sibling(const struct audit_wish *first,
		       const struct audit_wish *wish)
{
	return !wish->is_address && !wish->needs_answer && !wish->by_rule &&
	       wish->was_denied == first->was_denied &&
	       wish->port == first->port && wish->protocol == first->protocol &&
	       wish->is_private == first->is_private;
}

/* From @from to @to all have one parent. */
static int add_wildcard(struct audit_wishes *wishes, size_t from, size_t to,
			uint64_t siblings)
{
	struct audit_wish wild = wishes->items[from];

	if (wild.is_covered || !is_sibling(&wild, &wild) ||
	    !may_be_wild(parent_of(&wild.host), &wild.host))
		return 0;
	wild.is_below = true;
	wild.siblings = wild.count = wild.bytes_up = wild.bytes_down = 0;
	for (size_t i = from; i < to; i++) {
		if (!is_sibling(&wild, &wishes->items[i]))
			continue;
		wild.siblings++;
		merge(&wild, &wishes->items[i]);
	}
	if (wild.siblings < siblings)
		return 0;
	for (size_t i = from; i < to; i++)
		if (is_sibling(&wild, &wishes->items[i]))
			wishes->items[i].is_covered = true;
	return append(wishes, &wild);
}

static size_t end_of_family(const struct audit_wishes *wishes, size_t from,
			    size_t count)
{
	const char *parent = parent_of(&wishes->items[from].host);
	size_t at = from + 1;

	while (at < count && !wishes->items[at].is_address &&
	       strcmp(parent, parent_of(&wishes->items[at].host)) == 0)
		at++;
	return at;
}

int audit_wishes_join(struct audit_wishes *wishes, uint64_t siblings)
{
	if (wishes->count == 0)
		return 0;
	merge_equal(wishes);
	/* Wildcards are appended behind. */
	size_t count = wishes->count;
	int rc = 0;

	for (size_t from = 0; from < count && rc == 0;) {
		size_t to = end_of_family(wishes, from, count);

		for (size_t i = from; i < to && to - i >= siblings && rc == 0;
		     i++)
			rc = add_wildcard(wishes, i, to, siblings);
		from = to;
	}
	qsort(wishes->items, wishes->count, sizeof(*wishes->items), compare);
	return rc;
}
