/* SPDX-License-Identifier: MIT */
/*
 * exeat-prove: attacks the fence of this machine, from inside.
 *
 * How it works: prove.h. Everything that is tried to be reached is this
 * program's own, on loopback and below /tmp; nothing else is touched.
 */
#include <stdio.h>
#include <string.h>

#include "handoff.h"
#include "prove_report.h"
#include "prove_run.h"

static const char help[] =
	"usage: exeat prove [--verbose] [POLICY FLAGS]\n"
	"\n"
	"Raises the fence and attacks it from inside, then tries the same "
	"without the fence,\n"
	"where it must succeed. One line for each guarantee G1 to G13. What "
	"is attacked is\n"
	"this program's own, on loopback and below /tmp.\n"
	"\n"
	"  --verbose    every attempt and its control\n"
	"\n"
	"Exit code: 0 all that was tried holds, 1 it does not, 125 error.\n";

static int prove(const struct prove_flags *flags, bool is_verbose)
{
	struct prove_stage stage;
	struct prove_extra extra = {.verdicts = {PROVE_BROKEN}};
	struct diag diag = {.text = ""};
	int rc = prove_stage_make(&stage, &diag);

	if (rc == 0)
		rc = prove_run_attack(&stage, flags, &diag);
	if (rc == 0) {
		extra.verdicts[11] = prove_run_is_recorded(&stage)
					     ? PROVE_HOLDS
					     : PROVE_FAILS;
		rc = prove_run_attack(&stage, NULL, &diag);
	}
	if (rc == 0) {
		extra.verdicts[5] = prove_run_asks(&stage);
		extra.verdicts[7] = prove_run_listens(&stage);
		extra.verdicts[12] =
			prove_run_refuses(&stage) ? PROVE_HOLDS : PROVE_FAILS;
		extra.verdicts[13] =
			prove_run_ends(&stage) ? PROVE_HOLDS : PROVE_FAILS;
		rc = prove_report(&stage, &extra, is_verbose);
	} else {
		(void)fprintf(stderr, "exeat: %s\n", diag.text);
		rc = EXIT_OWN_FAILURE;
	}
	prove_stage_remove(&stage);
	return fflush(stdout) == 0 ? rc : EXIT_OWN_FAILURE;
}

int main(int argc, char *argv[])
{
	bool is_verbose = false;
	int first = 1;

	if (argc > 1 && strcmp(argv[1], "--attack") == 0)
		return prove_attack(argv + 2);
	if (argc > 1 && strcmp(argv[1], "--serve") == 0)
		return prove_serve(argv + 2);
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--help") == 0 ||
		    strcmp(argv[i], "-h") == 0) {
			(void)fputs(help, stdout);
			return fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
		}
	if (argc > 1 && strcmp(argv[1], "--verbose") == 0) {
		is_verbose = true;
		first = 2;
	}
	const struct prove_flags flags = {argv + first, argc - first};
	return prove(&flags, is_verbose);
}
