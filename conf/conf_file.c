/* SPDX-License-Identifier: MIT */
/*
 * conf_file: reads a policy file by way of libconfig, and leaves it there.
 *
 * How it works: libconfig makes a tree of settings; it is copied into nodes of
 * our own, level by level, so that nothing else knows the library.
 */
#include <libconfig.h>
#include <stdlib.h>
#include <string.h>

#include "conf_internal.h"
#include "conf_node.h"

/** struct pending - a node whose children are still to be copied */
struct pending {
	const config_setting_t *from;
	struct conf_node *to;
	struct pending *next;
};

/**
 * struct copying - one tree
 * @first, @last:	nodes that wait, in order
 */
struct copying {
	struct arena *arena;
	struct pending *first;
	struct pending *last;
};

static int await(struct copying *copy, const config_setting_t *from,
		 struct conf_node *to)
{
	struct pending *wait = arena_alloc(copy->arena, sizeof(*wait));

	if (wait == NULL)
		return -1;
	wait->from = from;
	wait->to = to;
	if (copy->last != NULL)
		copy->last->next = wait;
	else
		copy->first = wait;
	copy->last = wait;
	return 0;
}

static int copy_text(struct copying *copy, const char *text,
		     struct conf_value *value)
{
	value->type = CONF_TEXT;
	value->len = strlen(text);
	value->text = arena_strndup(copy->arena, text, value->len);
	return value->text != NULL ? 0 : -1;
}

static int copy_value(struct copying *copy, const config_setting_t *from,
		      struct conf_value *value)
{
	value->text = "";
	switch (config_setting_type(from)) {
	case CONFIG_TYPE_STRING:
		return copy_text(copy, config_setting_get_string(from), value);
	case CONFIG_TYPE_INT:
		value->type = CONF_INTEGER;
		value->number = config_setting_get_int(from);
		return 0;
	case CONFIG_TYPE_INT64:
		value->type = CONF_INTEGER;
		value->number = config_setting_get_int64(from);
		return 0;
	case CONFIG_TYPE_BOOL:
		value->type = CONF_BOOLEAN;
		value->number = config_setting_get_bool(from);
		return 0;
	default:
		value->type = CONF_OTHER;
		return 0;
	}
}

static int copy_one(struct copying *copy, const config_setting_t *from,
		    struct conf_node *to)
{
	const char *name = config_setting_name(from);

	to->name = "";
	if (name != NULL)
		to->name = arena_strndup(copy->arena, name, strlen(name));
	if (to->name == NULL)
		return -1;
	to->line = config_setting_source_line(from);
	if (!config_setting_is_aggregate(from))
		return copy_value(copy, from, &to->value);
	to->kind = config_setting_is_group(from) ? CONF_NODE_GROUP
						 : CONF_NODE_LIST;
	to->value.type = CONF_OTHER;
	to->value.text = "";
	return await(copy, from, to);
}

static int copy_children(struct copying *copy, const struct pending *of)
{
	size_t count = (size_t)config_setting_length(of->from);
	struct conf_node *children =
		arena_alloc(copy->arena, count * sizeof(*children));

	if (children == NULL)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (copy_one(copy,
			     config_setting_get_elem(of->from, (unsigned int)i),
			     &children[i]) != 0)
			return -1;
	of->to->children = children;
	of->to->count = count;
	return 0;
}

static int copy_tree(const config_t *config, struct arena *arena,
		     struct conf_node *root_out)
{
	struct copying copy = {.arena = arena};
	struct conf_node root = {.name = NULL};

	if (copy_one(&copy, config_root_setting(config), &root) != 0)
		return -1;
	for (; copy.first != NULL; copy.first = copy.first->next)
		if (copy_children(&copy, copy.first) != 0)
			return -1;
	*root_out = root;
	return 0;
}

int conf_file_parse(const struct conf_text *file, struct arena *arena,
		    struct conf_node *root_out, struct diag *diag)
{
	config_t config;
	int rc = -1;

	if (conf_scan(file, diag) != 0)
		return -1;
	/* libconfig wants a NUL at the end. */
	char *text = arena_strndup(arena, file->text, file->len);
	if (text == NULL)
		return conf_out_of_memory(diag);
	config_init(&config);
	if (config_read_string(&config, text) != CONFIG_TRUE)
		diag_set(diag, "%s:%d: %s", file->name,
			 config_error_line(&config),
			 config_error_text(&config));
	else if (copy_tree(&config, arena, root_out) != 0)
		(void)conf_out_of_memory(diag);
	else
		rc = 0;
	config_destroy(&config);
	return rc;
}
