/* SPDX-License-Identifier: MIT */
/* forbidden: folders that are never given to a command as a whole (DESIGN.md
 * section 5, Files). Pure. */
#ifndef FORBIDDEN_H
#define FORBIDDEN_H

#include "arena.h"
#include "fence_facts.h"

/**
 * forbidden_reason() - why @path may not be a working directory, a mount
 * source or a write grant
 * @path:	real
 * Return: "is your home folder" and the like, in @arena or static; NULL: it
 * may be.
 */
const char *forbidden_reason(struct arena *arena,
			     const struct fence_facts *facts, const char *path);

/** forbidden_read_reason() - the same for a read grant, which may be wider */
const char *forbidden_read_reason(const char *path);

#endif
