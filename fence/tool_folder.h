/* SPDX-License-Identifier: MIT */
/* tool_folder: what to show of a folder of programs that is in PATH but not in
 * a system root (~/.cargo/bin, pyenv, nvm). Pure. */
#ifndef TOOL_FOLDER_H
#define TOOL_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "fence_query.h"

#define TOOL_FOLDERS_MAX 5

/* Below a prefix: what programs are installed with. Without it ~/work/bin is
 * no reason to show ~/work. */
#define TOOL_FOLDER_MARK "lib"

/**
 * tool_folder_roots() - the folders to show, the programs' own first
 * @programs:	an absolute folder of programs
 * @place:	homes are never shown as a whole
 * @roots_out:	in @arena
 * @is_guess_out: the only root is a prefix; without TOOL_FOLDER_MARK in it show
 *		@programs instead
 *
 * Programs need what stands beside them: PREFIX/bin is shown as PREFIX, but
 * never a home or what holds one.
 *
 * Return: how many, at least 1; 0 when out of memory.
 */
size_t tool_folder_roots(struct arena *arena, const char *programs,
			 const struct fence_place *place,
			 const char *roots_out[static TOOL_FOLDERS_MAX],
			 bool *is_guess_out);

#endif
