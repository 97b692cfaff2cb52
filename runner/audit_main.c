/* SPDX-License-Identifier: MIT */
/* exeat-audit: what programs tried to reach, and what came of it. */
#include <stdio.h>
#include <string.h>

#include "audit_diff.h"
#include "audit_follow.h"
#include "audit_help.h"
#include "audit_options.h"
#include "audit_show.h"
#include "audit_suggest.h"
#include "audit_time.h"
#include "handoff.h"
#include "std_streams.h"

static int act(const struct audit_options *options, struct diag *diag)
{
	switch (options->action) {
	case AUDIT_ACTION_TABLE:
		return audit_show(options, diag);
	case AUDIT_ACTION_FOLLOW:
		return audit_follow(options, diag);
	case AUDIT_ACTION_SUGGEST:
		return audit_suggest(options, diag);
	case AUDIT_ACTION_DIFF:
		return audit_diff(options, diag);
	case AUDIT_ACTION_HELP:
		return audit_help_print();
	}
	return -1;
}

/* argv[0] is "audit" (as `exeat audit` starts it) or the program's own name. */
int main(int argc, char *argv[])
{
	struct diag diag = {.text = ""};
	struct audit_options options;
	int rc = -1;

	if (std_streams_fill() != 0)
		return EXIT_OWN_FAILURE;
	if (argc > 0 && audit_options_parse(&options, argc - 1, argv + 1,
					    audit_time_now(), &diag) == 0)
		rc = act(&options, &diag);
	if (diag.text[0] != '\0')
		(void)fprintf(stderr, "exeat audit: %s\n", diag.text);
	return rc < 0 ? EXIT_OWN_FAILURE : rc;
}
