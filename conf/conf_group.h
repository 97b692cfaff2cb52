/* SPDX-License-Identifier: MIT */
/* conf_group: the groups that stand in lists: rules, mounts, answers. */
#ifndef CONF_GROUP_H
#define CONF_GROUP_H

#include <stddef.h>

#include "conf_internal.h"
#include "conf_node.h"

/**
 * struct conf_entry - an entry of a list that is read
 * @name:	of the file, for messages
 * @folder:	relative paths are below it
 * @index:	of @node in the list at @key, from 0
 */
struct conf_entry {
	struct conf *conf;
	struct diag *diag;
	const char *name;
	const char *folder;
	const struct conf_key *key;
	const struct conf_node *node;
	size_t index;
};

/** conf_group_read() - take a group by the shape of its key. Return: 0, or -1
 * with the diag set. */
int conf_group_read(const struct conf_entry *entry);

#endif
