/* SPDX-License-Identifier: MIT */
/* graft_place: paths below a root, opened without following links and made
 * where they are missing. */
#ifndef GRAFT_PLACE_H
#define GRAFT_PLACE_H

#include <stdbool.h>

/**
 * place_open() - the thing at @path itself
 * @root:	descriptor of the folder that "/" stands for
 * @flags:	O_PATH, or as open(2)
 *
 * A link anywhere on the way is -ELOOP.
 *
 * Return: a descriptor or -errno.
 */
int place_open(int root, const char *path, int flags)
	__attribute__((warn_unused_result));

/**
 * place_parent() - the folder that @path is in, made with mode 0755 where it is
 * missing, and so are those above it
 * @name_out:	the last part of @path, in it
 * Return: a descriptor or -errno.
 */
int place_parent(int root, const char *path, const char **name_out)
	__attribute__((warn_unused_result));

/**
 * place_make() - an empty folder or file at @path, and what is above it
 *
 * What is there already stays as it is.
 *
 * Return: 0 or -errno.
 */
int place_make(int root, const char *path, bool is_folder)
	__attribute__((warn_unused_result));

#endif
