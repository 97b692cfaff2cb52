/* SPDX-License-Identifier: MIT */
/*
 * sbpl: a plan as a profile for macOS' Seatbelt. Pure.
 *
 * How it works: the rules stand in the order of DESIGN.md section 4. For one
 * operation the newest filtered rule that matches decides, and an unfiltered
 * one is the default wherever it stands; a rule on a group of operations never
 * undoes one on a member. So every rule of one concern names the same
 * operations, the unfiltered one first, then from the outermost folder to the
 * innermost, hard denies last: read that way or as "the last match wins", a
 * profile of ours says the same.
 *
 * Seatbelt judges names after links are followed, so every path is real.
 */
#ifndef SBPL_H
#define SBPL_H

#include "bytes.h"
#include "diag.h"
#include "explain.h"
#include "fence_plan.h"

/**
 * sbpl_write() - append the profile
 * Return: 0, or -1 with @diag set: out of memory, or the plan asks for what
 * Seatbelt cannot do (a mount elsewhere, a listen port under another number).
 */
int sbpl_write(const struct fence_plan *plan, struct bytes *out,
	       struct diag *diag) __attribute__((warn_unused_result));

/** sbpl_write_words() - the same as NUL-terminated options of sandbox-exec: -D
 * for each path, then -p and the profile, in which no path is quoted */
int sbpl_write_words(const struct fence_plan *plan, struct bytes *out,
		     struct diag *diag) __attribute__((warn_unused_result));

struct explanation sbpl_explain(const struct fence_plan *plan,
				enum guarantee guarantee);

#endif
