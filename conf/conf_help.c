/* SPDX-License-Identifier: MIT */
/* conf_help: the policy flags for --help, from the table of keys. */
#include <stdio.h>
#include <string.h>

#include "conf_internal.h"
#include "text.h"

#define HELP_COLUMN 34

void conf_flags_help(char *buf, size_t size)
{
	struct text t;

	text_init(&t, buf, size);
	for (const struct conf_key *key = conf_keys; key->set != NULL; key++) {
		if (key->flag == NULL)
			continue;
		const char *operand = key->operand != NULL ? key->operand : "";
		int used = 3 + (int)(strlen(key->flag) + strlen(operand));

		text_addf(&t, "  %s %s", key->flag, operand);
		if (used >= HELP_COLUMN) {
			text_add(&t, "\n");
			used = 0;
		}
		text_addf(&t, "%*s%s\n", HELP_COLUMN - used, "", key->help);
	}
}
