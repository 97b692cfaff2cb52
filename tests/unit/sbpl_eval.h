/* SPDX-License-Identifier: MIT */
/* sbpl_eval: answers questions about a Seatbelt profile of the form that sbpl.h
 * writes, by both known readings of rule order; for tests that ask often. */
#ifndef SBPL_EVAL_H
#define SBPL_EVAL_H

#include <stdint.h>

struct sbpl_rules;

/**
 * struct sbpl_question - what a program's step asks of the kernel
 * @operation:	"file-read-data", "network-outbound", ...
 * @path:	or NULL
 * @end:	"remote" or "local", or NULL
 * @is_loopback: the address at that end
 */
struct sbpl_question {
	const char *operation;
	const char *path;
	const char *end;
	int is_loopback;
	uint16_t port;
};

enum sbpl_answer {
	SBPL_DENY = 0,
	SBPL_ALLOW,
	SBPL_DISPUTED, /* the readings differ */
};

/** sbpl_rules_read() - NULL: not such a profile */
struct sbpl_rules *sbpl_rules_read(const char *profile);

void sbpl_rules_free(struct sbpl_rules *rules);

enum sbpl_answer sbpl_ask(const struct sbpl_rules *rules,
			  const struct sbpl_question *question);

#endif
