/* SPDX-License-Identifier: MIT */
/* prove_run: the attacker behind the fence and without it, and runs whose fence
 * is broken on purpose. */
#ifndef PROVE_RUN_H
#define PROVE_RUN_H

#include <stdbool.h>

#include "prove_stage.h"

/** struct prove_flags - policy flags of the user, to be added to ours */
struct prove_flags {
	char **words;
	int count;
};

/**
 * prove_run_attack() - let the attacker try every case
 * @flags:	NULL: without the fence
 * Return: 0, or -1 with @diag set: it could not be run.
 */
int prove_run_attack(struct prove_stage *stage, const struct prove_flags *flags,
		     struct diag *diag) __attribute__((warn_unused_result));

/** prove_run_is_recorded() - what was denied stands in the records */
bool prove_run_is_recorded(struct prove_stage *stage);

/** prove_run_asks() - a name server is asked for an allowed name, and for no
 * other */
enum prove_verdict prove_run_asks(struct prove_stage *stage);

/** prove_run_listens() - a declared port is reached from here, no other is */
enum prove_verdict prove_run_listens(struct prove_stage *stage);

/** prove_run_refuses() - with a bubblewrap that fails the command is not run */
bool prove_run_refuses(struct prove_stage *stage);

/** prove_run_ends() - when the proxy is killed the command is */
bool prove_run_ends(struct prove_stage *stage);

#endif
