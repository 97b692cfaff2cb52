/* SPDX-License-Identifier: MIT */
/* sbpl_internal: a profile in the making, for the parts of sbpl.c. */
#ifndef SBPL_INTERNAL_H
#define SBPL_INTERNAL_H

#include "sbpl.h"

/**
 * struct sbpl - the parts' common hand
 * @params:	values of the parameters P0, P1, ... where has_params
 */
struct sbpl {
	const struct fence_plan *plan;
	struct bytes *out;
	struct diag *diag;
	struct arena arena;
	bool has_params;
	const char *const *params;
	size_t param_count;
	bool is_failed;
};

/* How a path is matched. */
enum sbpl_match {
	SBPL_LITERAL = 1, /* the path itself */
	SBPL_SUBPATH = 2, /* the path and all below */
};

/** sbpl_real() - @path as the kernel of macOS compares it: /tmp, /var and /etc
 * are links into /private, /home into the data volume. Return: in the arena, or
 * @path. */
const char *sbpl_real(struct sbpl *s, const char *path);

/** sbpl_filter() - append " (literal P)", " (subpath P)" or both
 * @match:	of enum sbpl_match */
void sbpl_filter(struct sbpl *s, unsigned int match, const char *path);

/** sbpl_rule() - one rule for one path, on a line: "(HEAD FILTERS)" */
void sbpl_rule(struct sbpl *s, const char *head, unsigned int match,
	       const char *path);

/** sbpl_rules() - one rule with a filter for each path of a list that ends with
 * NULL */
void sbpl_rules(struct sbpl *s, const char *head, unsigned int match,
		const char *const *paths);

/** sbpl_refuse() - give up, with what, why and the remedy */
void sbpl_refuse(struct sbpl *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void sbpl_files(struct sbpl *s);    /* steps 2 to 4 */
void sbpl_network(struct sbpl *s);  /* steps 5 to 9 */
void sbpl_services(struct sbpl *s); /* step 9: who would act for it */

#endif
