/* SPDX-License-Identifier: MIT */
/* conf_node: a policy file as a tree, free of the library that read it. */
#ifndef CONF_NODE_H
#define CONF_NODE_H

#include <stddef.h>

#include "arena.h"
#include "conf_value.h"
#include "diag.h"

enum conf_node_kind {
	CONF_NODE_VALUE = 0,
	CONF_NODE_GROUP, /* { name = value; ... } */
	CONF_NODE_LIST,  /* ( ... ) or [ ... ] */
};

/**
 * struct conf_node - a setting
 * @name:	"" for an entry of a list
 * @line:	counted from 1
 * @value:	of a CONF_NODE_VALUE, without @where and @folder
 * @children:	@count of them, in the order of the file
 */
struct conf_node {
	const char *name;
	unsigned int line;
	enum conf_node_kind kind;
	struct conf_value value;
	const struct conf_node *children;
	size_t count;
};

/** struct conf_text - a file's bytes, any value; @name is for messages */
struct conf_text {
	const char *name;
	const char *text;
	size_t len;
};

/**
 * conf_scan() - refuse what libconfig would take in silence: NUL and control
 * bytes, @include, \x00 in strings, integers out of range, deep nesting
 * Return: 0, or -1 with @diag set ("NAME:LINE: ...").
 */
int conf_scan(const struct conf_text *file, struct diag *diag);

/**
 * conf_file_parse() - conf_scan(), then read it with libconfig
 * @arena:	where the tree lives
 * @root_out:	a group
 * Return: 0, or -1 with @diag set ("NAME:LINE: ...").
 */
int conf_file_parse(const struct conf_text *file, struct arena *arena,
		    struct conf_node *root_out, struct diag *diag);

#endif
