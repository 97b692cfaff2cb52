/* SPDX-License-Identifier: MIT */
/* prove_attack: the attacker's life: one line for each step. */
#include <stdio.h>
#include <string.h>

#include "prove.h"

static const struct prove_probe *find(const char *word, size_t len)
{
	for (const struct prove_probe *p = prove_table; p->name != NULL; p++)
		if (strlen(p->name) == len && memcmp(p->name, word, len) == 0)
			return p;
	return NULL;
}

int prove_attack(char *const *words)
{
	for (; *words != NULL; words++) {
		size_t len = strcspn(*words, "=");
		const struct prove_probe *p = find(*words, len);
		if (p == NULL || (*words)[len] != '=')
			return 2;
		int rc = p->attempt(*words + len + 1);
		(void)printf("%s %s %s\n", p->name,
			     rc == 0 ? "reached" : "blocked",
			     rc == 0 ? "" : strerror(-rc));
		(void)fflush(stdout);
	}
	return 0;
}
