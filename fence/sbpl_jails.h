/* SPDX-License-Identifier: MIT */
/* sbpl_jails: the folders that a profile speaks of, sorted. */
#ifndef SBPL_JAILS_H
#define SBPL_JAILS_H

#include "sbpl_internal.h"

enum jail_kind {
	JAIL_READ = 0, /* may be read */
	JAIL_WRITE,    /* may be read and written */
	JAIL_FREEZE,   /* is not written, whatever holds it */
	JAIL_SHUT,     /* is neither read nor written */
};

struct jail {
	const char *path;
	enum jail_kind kind;
};

/**
 * struct jails - sorted by path
 * @secrets:	shut by default, with their real paths
 */
struct jails {
	struct jail *items;
	size_t count;
	const char *const *secrets;
	size_t secret_count;
};

/** sbpl_jails_collect() - from the plan's entries, the protected names and the
 * secrets of homes; nothing where @s has failed */
void sbpl_jails_collect(struct sbpl *s, struct jails *jails_out);

/** sbpl_sort_paths() - @list sorted, each once, with a final NULL
 * Return: in the arena; NULL when out of memory. */
const char **sbpl_sort_paths(struct sbpl *s, const char *const *list,
			     size_t *count);

/** sbpl_is_open_mode() - everything but secrets may be read */
bool sbpl_is_open_mode(const struct sbpl *s);

#endif
