/* SPDX-License-Identifier: MIT */
/* audit_help: the text of `exeat audit --help`. */
#include "audit_help.h"

#include <stdio.h>

static const char text[] =
	"usage: exeat audit [FLAGS] [RUN|FILE]\n"
	"       exeat audit diff [FLAGS] RUN1 RUN2\n"
	"\n"
	"Shows what a run tried to reach and how that was answered; the last "
	"run unless\n"
	"another is named. RUN is a run's id, its beginning, last, or last-1 "
	"for the one\n"
	"before it; FILE is a file of records, - standard input.\n"
	"\n"
	"  --by destination|host|process|rule|time|run   what a row stands "
	"for; run lists\n"
	"                       all runs\n"
	"  --denied             only what was denied, or would have been "
	"(--observe)\n"
	"  --since T, --until T only records from then on, or before: 2h, "
	"7d, 2025-12-01,\n"
	"                       2025-12-01T10:30 (local), "
	"2025-12-01T10:30:00Z; looks through\n"
	"                       all runs unless one is named\n"
	"  --all                all runs\n"
	"  --run RUN            only that run's records, in a FILE that holds "
	"several\n"
	"  --follow             print records as they come, until the run "
	"ends\n"
	"  --json, --csv        rows as JSON Lines, or CSV\n"
	"  --suggest            print a policy that allows what was seen\n"
	"  --include-denied     with it: and what was denied, but for deny "
	"rules\n"
	"  --siblings N         with it: so many names make a wildcard (4)\n"
	"\n"
	"diff shows the destinations of RUN2 that RUN1 did not have; exit "
	"code 1: there are some.\n"
	"A file that is cut, damaged or still being written to is read as far "
	"as it is whole;\n"
	"what could not be read is said. Exit code: 0, or 125 error.\n"
	"Records: ~/.local/state/exeat/runs; their fields: exeat-audit(7).\n";

int audit_help_print(void)
{
	(void)fputs(text, stdout);
	return fflush(stdout) == 0 ? 0 : -1;
}
