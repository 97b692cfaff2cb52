/* SPDX-License-Identifier: MIT */
/* runtime_dir: where exeat keeps what is of use only while it runs. */
#ifndef RUNTIME_DIR_H
#define RUNTIME_DIR_H

#include <limits.h>

/**
 * runtime_dir_path() - the path of file @name there
 *
 * $XDG_RUNTIME_DIR/exeat/NAME, where that is a folder of ours that nobody else
 * can write to; else exeat/live/NAME below $XDG_STATE_HOME or ~/.local/state.
 * "" is the folder itself.
 *
 * Return: 0, or -ENOENT: there is no such place.
 */
int runtime_dir_path(const char *name, char path_out[static PATH_MAX])
	__attribute__((warn_unused_result));

/** runtime_dir_folder() - the folder itself, made where it is not there yet.
 * Return: a descriptor or -errno. */
int runtime_dir_folder(void) __attribute__((warn_unused_result));

/** runtime_dir_create() - a new file, open for writing, for us alone; its
 * folder is made. Return: a descriptor or -errno. */
int runtime_dir_create(const char *path) __attribute__((warn_unused_result));

/** runtime_dir_open() - for reading: a plain file of our own, through no link.
 * Return: a descriptor or -errno. */
int runtime_dir_open(const char *path) __attribute__((warn_unused_result));

#endif
