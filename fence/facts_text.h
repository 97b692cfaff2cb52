/* SPDX-License-Identifier: MIT */
/*
 * facts_text: facts as text, so that a plan can be made for a machine that is
 * not this one. Pure.
 *
 * How it works: one fact a line, words with one space between, "#" starts a
 * comment line. A byte that is not printable ASCII, a space and a backslash in
 * a word are written \xNN.
 *
 *   user NAME UID		group NAME GID
 *   home PATH			account-home PATH	cwd PATH
 *   landlock ABI		interpreter PATH (of a command that is a script)
 *   path KIND PATH [REAL]	KIND: unknown file linked folder empty socket
 *				other; with REAL, PATH is a link to it; a
 *				linked file has a second name (hard link)
 *   real KIND PATH REAL	PATH has links in its folders only
 *   socket PATH		mount DEVICE ROOT POINT
 *   own-link PATH		a link on the way to exeat's own files
 */
#ifndef FACTS_TEXT_H
#define FACTS_TEXT_H

#include <stddef.h>

#include "bytes.h"
#include "diag.h"
#include "fence_facts.h"
#include "fence_query.h"

/**
 * facts_text_read() - the facts that @text states
 * @name:	for messages
 * @text:	any bytes (borrowed)
 * Return: the caller's, freed with fence_facts_free(); NULL with @diag set.
 */
struct fence_facts *facts_text_read(const char *name, const char *text,
				    size_t len, struct diag *diag)
	__attribute__((warn_unused_result));

/**
 * facts_text_complete() - every path that a plan for @query asks about and
 * that was not stated is absent
 * Return: 0 or -ENOMEM.
 */
int facts_text_complete(struct fence_facts *facts,
			const struct fence_query *query)
	__attribute__((warn_unused_result));

/** facts_text_write() - @facts as text, without what is absent */
void facts_text_write(const struct fence_facts *facts, struct bytes *out);

#endif
