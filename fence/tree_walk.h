/* SPDX-License-Identifier: MIT */
/* tree_walk: looks at every name below a folder, following no link. */
#ifndef TREE_WALK_H
#define TREE_WALK_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct tree_entry - one name
 * @root, @rest: its folder's beginning, and the way on from there ("a/b")
 * @name:	the last part of @rest, for calls at @dir_fd
 * @type:	DT_REG, DT_DIR, ... of dirent.h, as readdir(3) tells it
 * @is_closed:	a folder that was not opened: what is in it is not told
 */
struct tree_entry {
	const char *root;
	const char *rest;
	const char *name;
	int dir_fd;
	unsigned char type;
	bool is_closed;
};

/**
 * struct tree_walk - what to do
 * @names_max:	to look at
 * @ms_max:	milliseconds to take, or 0: any
 * @on_entry:	called for each name; other than 0 ends the walk
 */
struct tree_walk {
	size_t names_max;
	unsigned int ms_max;
	int (*on_entry)(const struct tree_entry *entry, void *arg);
	void *arg;
};

/**
 * tree_walk() - look at all that is below @root
 *
 * A folder is entered from @root on without following any link, so another
 * program that turns one meanwhile leads nowhere else. @root itself may be a
 * file or absent: then nothing is below it.
 *
 * Return: 0; 1: a limit was reached first; what @on_entry returned; -ENOMEM.
 */
int tree_walk(const char *root, const struct tree_walk *walk)
	__attribute__((warn_unused_result));

#endif
