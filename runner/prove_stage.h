/* SPDX-License-Identifier: MIT */
/* prove_stage: the folder that an attack takes place in. */
#ifndef PROVE_STAGE_H
#define PROVE_STAGE_H

#include <limits.h>

#include "diag.h"
#include "prove.h"
#include "prove_target.h"

/**
 * struct prove_stage - ROOT/app is the working directory, with a copy of this
 * program, a repository and a socket; ROOT holds what must stay out of reach
 * @cases:	every row of the table that can be tried here
 */
struct prove_stage {
	char root[64];
	char exeat[PATH_MAX];
	struct prove_target target;
	struct prove_case cases[PROVE_MAX];
	size_t case_count;
	char paths[8][PROVE_VALUE_MAX];
	unsigned int path_turn;
};

/** prove_stage_make() - Return: 0, or -1 with @diag set; prove_stage_remove()
 * is due either way. */
int prove_stage_make(struct prove_stage *stage, struct diag *diag)
	__attribute__((warn_unused_result));

/** prove_stage_remove() - leaves nothing behind */
void prove_stage_remove(struct prove_stage *stage);

/** prove_stage_path() - ROOT/@name; lasts until the eighth call from then */
const char *prove_stage_path(struct prove_stage *stage, const char *name);

#endif
