/* SPDX-License-Identifier: MIT */
/*
 * sbpl_files: what may be read and written, as rules.
 *
 * How it works: the plan's entries become jails, sorted so that a folder comes
 * before what is in it. Writing is shut and opened jail by jail, then reading;
 * secrets are shut after that, for both, and what the user named inside one is
 * opened again. Renaming, linking and cloning have operations of their own and
 * carry a file away from the rules on its name, so they are denied last.
 */
#include <string.h>

#include "paths.h"
#include "sbpl_jails.h"
#include "sbpl_tables.h"

#define BOTH (SBPL_LITERAL | SBPL_SUBPATH)

static void write_write(struct sbpl *s, const struct jail *jail)
{
	switch (jail->kind) {
	case JAIL_WRITE:
		sbpl_rule(s, "allow file-write*", SBPL_SUBPATH, jail->path);
		return;
	case JAIL_FREEZE:
	case JAIL_SHUT:
		sbpl_rule(s, "deny file-write*", BOTH, jail->path);
		return;
	case JAIL_READ:
		return;
	}
}

static void write_read(struct sbpl *s, const struct jail *jail)
{
	switch (jail->kind) {
	case JAIL_READ:
	case JAIL_WRITE:
		sbpl_rule(s, "allow file-read*", SBPL_SUBPATH, jail->path);
		return;
	case JAIL_SHUT:
		sbpl_rule(s, "deny file-read*", BOTH, jail->path);
		return;
	case JAIL_FREEZE:
		return;
	}
}

static bool is_in_secret(const struct jails *jails, const char *path)
{
	for (size_t i = 0; i < jails->secret_count; i++)
		if (path_is_within(path, jails->secrets[i]))
			return true;
	return false;
}

static void write_secrets(struct sbpl *s, const struct jails *jails)
{
	for (size_t i = 0; i < jails->secret_count; i++)
		sbpl_rule(s, "deny file-read* file-write*", BOTH,
			  jails->secrets[i]);
	for (size_t i = 0; i < jails->count; i++) {
		if (!is_in_secret(jails, jails->items[i].path))
			continue;
		write_write(s, &jails->items[i]);
		write_read(s, &jails->items[i]);
	}
}

static void add_ancestors(struct sbpl *s, const char *const **list,
			  size_t *count, const char *path)
{
	while (strcmp(path, "/") != 0) {
		path = path_parent(&s->arena, path);
		if (path == NULL || arena_append(&s->arena, list, count, &path,
						 sizeof(path)) != 0) {
			s->is_failed = true;
			return;
		}
	}
}

/* Each path of @list once, sorted, as one rule. */
static void write_literals(struct sbpl *s, const char *head,
			   const char *const *list, size_t count)
{
	const char **sorted = sbpl_sort_paths(s, list, &count);

	if (sorted != NULL && count > 0)
		sbpl_rules(s, head, SBPL_LITERAL, sorted);
}

/* Programs ask what stands on the way to where they are. */
static void write_metadata(struct sbpl *s, const struct jails *jails)
{
	const char *const *list = NULL;
	size_t count = 0;

	for (size_t i = 0; sbpl_links[i] != NULL; i++)
		if (arena_append(&s->arena, &list, &count, &sbpl_links[i],
				 sizeof(sbpl_links[i])) != 0)
			s->is_failed = true;
	for (size_t i = 0; i < jails->count; i++)
		if (jails->items[i].kind <= JAIL_WRITE)
			add_ancestors(s, &list, &count, jails->items[i].path);
	for (size_t i = 0; sbpl_read_roots[i] != NULL; i++)
		add_ancestors(s, &list, &count, sbpl_read_roots[i]);
	write_literals(s, "allow file-read-metadata", list, count);
}

static void write_links(struct sbpl *s, const struct jails *jails)
{
	for (size_t i = 0; i < jails->count; i++)
		if (jails->items[i].kind >= JAIL_FREEZE)
			sbpl_rule(s, "deny file-link file-clone", BOTH,
				  jails->items[i].path);
	for (size_t i = 0; i < jails->secret_count; i++)
		sbpl_rule(s, "deny file-link file-clone", BOTH,
			  jails->secrets[i]);
}

static void pin_below(struct sbpl *s, const char *const **list, size_t *count,
		      const struct jails *jails, const char *path)
{
	for (size_t i = 0; i < jails->count; i++) {
		const char *root = jails->items[i].path;
		if (jails->items[i].kind != JAIL_WRITE ||
		    !path_is_within(path, root))
			continue;
		const char *at = path;
		while (at != NULL && path_is_below(at, root)) {
			if (arena_append(&s->arena, list, count, &at,
					 sizeof(at)) != 0)
				s->is_failed = true;
			at = path_parent(&s->arena, at);
		}
	}
}

/* Moving a folder away would move what is denied below it out of reach of the
 * rules; so would moving a writable folder as a whole. */
static void write_pins(struct sbpl *s, const struct jails *jails)
{
	const char *const *list = NULL;
	size_t count = 0;

	for (size_t i = 0; i < jails->count; i++) {
		if (jails->items[i].kind >= JAIL_FREEZE)
			pin_below(s, &list, &count, jails,
				  jails->items[i].path);
		else if (jails->items[i].kind == JAIL_WRITE &&
			 arena_append(&s->arena, &list, &count,
				      &jails->items[i].path,
				      sizeof(jails->items[i].path)) != 0)
			s->is_failed = true;
	}
	for (size_t i = 0; i < jails->secret_count; i++)
		pin_below(s, &list, &count, jails, jails->secrets[i]);
	write_literals(s, "deny file-write-unlink", list, count);
}

static void write_reading(struct sbpl *s, const struct jails *jails)
{
	if (!sbpl_is_open_mode(s)) {
		bytes_add_text(s->out, "\n; what may be read\n"
				       "(deny file-read*)\n");
		sbpl_rules(s, "allow file-read*", SBPL_LITERAL,
			   sbpl_read_literals);
		sbpl_rules(s, "allow file-read*", SBPL_SUBPATH,
			   sbpl_read_roots);
		sbpl_rules(s, "deny file-read*", BOTH, sbpl_read_aliases);
		sbpl_rules(s, "allow file-read*", SBPL_SUBPATH,
			   sbpl_read_cryptexes);
	}
	for (size_t i = 0; i < jails->count; i++)
		write_read(s, &jails->items[i]);
}

void sbpl_files(struct sbpl *s)
{
	struct jails jails = {NULL, 0, NULL, 0};

	sbpl_jails_collect(s, &jails);
	if (s->is_failed)
		return;
	bytes_add_text(s->out, "\n; what may be written\n(deny file-write*)\n");
	sbpl_rules(s, "allow file-write*", SBPL_LITERAL, sbpl_write_devices);
	if ((s->plan->openings & PLAN_OPEN_TERMINALS) != 0)
		bytes_add_text(s->out,
			       "(allow file-write* (literal \"/dev/ptmx\")"
			       " (regex #\"^/dev/ttys[0-9]+$\"))\n");
	for (size_t i = 0; i < jails.count; i++)
		write_write(s, &jails.items[i]);
	write_reading(s, &jails);
	bytes_add_text(s->out, "\n; secrets\n");
	write_secrets(s, &jails);
	if (!sbpl_is_open_mode(s))
		write_metadata(s, &jails);
	bytes_add_text(s->out, "\n; other names for the same files\n");
	write_links(s, &jails);
	write_pins(s, &jails);
}
