/* SPDX-License-Identifier: MIT */
/*
 * conf_read: gives what stands in a policy file to the keys of the table.
 *
 * How it works: the nodes are walked in the order of the file. The path of
 * each ("files.mode") is looked up in conf_keys, which says what must stand
 * there and what takes it.
 */
#include <stdlib.h>
#include <string.h>

#include "conf_group.h"
#include "conf_node.h"
#include "text.h"

#define PATH_BYTES  128
#define WHERE_BYTES 512

/**
 * struct reading - one file
 * @name:	for messages
 * @folder:	relative paths are below it
 */
struct reading {
	struct conf *conf;
	struct diag *diag;
	const char *name;
	char *folder;
	bool has_version;
};

static int set_value(struct reading *in, const struct conf_key *key,
		     const struct conf_node *at)
{
	char where[WHERE_BYTES];
	struct conf_value value = at->value;
	struct text t;

	text_init(&t, where, sizeof(where));
	text_addf(&t, "%s:%u", in->name, at->line);
	value.where = where;
	value.folder = in->folder;
	if (value.type == CONF_OTHER)
		return conf_refuse(key, &value, in->diag);
	return key->set(in->conf, key, &value, in->diag);
}

static int read_list(struct reading *in, const struct conf_key *key,
		     const struct conf_node *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct conf_entry entry = {
			.conf = in->conf,
			.diag = in->diag,
			.name = in->name,
			.folder = in->folder,
			.key = key,
			.node = &list->children[i],
			.index = i,
		};
		/* A group, or what a flag would take. */
		int rc = entry.node->kind == CONF_NODE_GROUP
				 ? conf_group_read(&entry)
				 : set_value(in, key, entry.node);
		if (rc != 0)
			return rc;
	}
	return 0;
}

static int read_key(struct reading *in, const struct conf_key *key,
		    const struct conf_node *at)
{
	if (strcmp(key->path, "version") == 0)
		in->has_version = true;
	if (key->shape == CONF_SCALAR)
		return set_value(in, key, at);
	if (at->kind == CONF_NODE_LIST)
		return read_list(in, key, at);
	diag_set(in->diag, "%s:%u: %s must be a list: ( ... ) or [ ... ] of %s",
		 in->name, at->line, key->path, key->accepted);
	return -1;
}

static const struct conf_key *find_key(const char *path)
{
	for (const struct conf_key *key = conf_keys; key->set != NULL; key++)
		if (key->path != NULL && strcmp(key->path, path) == 0)
			return key;
	return NULL;
}

/* "ports" is no key, but the start of some. */
static bool is_group_of_keys(const char *path)
{
	size_t len = strlen(path);

	for (const struct conf_key *key = conf_keys; key->set != NULL; key++)
		if (key->path != NULL && strncmp(key->path, path, len) == 0 &&
		    key->path[len] == '.')
			return true;
	return false;
}

static const char *key_name(size_t i)
{
	return conf_keys[i].path != NULL ? conf_keys[i].path : "";
}

static int unknown_key(const struct reading *in, const char *path,
		       const struct conf_node *at)
{
	size_t count = 0;

	while (conf_keys[count].set != NULL)
		count++;
	const char *near = conf_nearest(path, key_name, count);
	diag_set(in->diag, "%s:%u: no such key: %s%s%s", in->name, at->line,
		 path, near != NULL ? "; did you mean " : "",
		 near != NULL ? near : " (exeat-policy(5) lists them)");
	return -1;
}

static int read_group(struct reading *in, const struct conf_node *group)
{
	for (size_t i = 0; i < group->count; i++) {
		const struct conf_node *at = &group->children[i];
		const struct conf_key *key;
		char path[PATH_BYTES];
		struct text t;

		text_init(&t, path, sizeof(path));
		text_addf(&t, "%s.%s", group->name, at->name);
		key = t.is_cut ? NULL : find_key(path);
		if (key == NULL)
			return unknown_key(in, path, at);
		if (read_key(in, key, at) != 0)
			return -1;
	}
	return 0;
}

static int read_setting(struct reading *in, const struct conf_node *at)
{
	const struct conf_key *key = find_key(at->name);

	if (key != NULL)
		return read_key(in, key, at);
	if (!is_group_of_keys(at->name))
		return unknown_key(in, at->name, at);
	if (at->kind == CONF_NODE_GROUP)
		return read_group(in, at);
	diag_set(in->diag, "%s:%u: %s must be a group: { ... }", in->name,
		 at->line, at->name);
	return -1;
}

static int read_root(struct reading *in, const struct conf_node *root)
{
	for (size_t i = 0; i < root->count; i++)
		if (read_setting(in, &root->children[i]) != 0)
			return -1;
	if (in->has_version)
		return 0;
	diag_set(in->diag,
		 "%s:1: version is missing: a policy file starts with: "
		 "version = 1;",
		 in->name);
	return -1;
}

/* The folder of @name, absolute. */
static char *folder_of(const struct conf *conf, const char *name)
{
	const char *slash = strrchr(name, '/');
	size_t len = slash != NULL ? (size_t)(slash - name) : 0;
	bool is_absolute = name[0] == '/';
	size_t cwd_len = is_absolute ? 0 : strlen(conf->cwd);
	char *folder = calloc(1, cwd_len + len + 2);

	if (folder == NULL)
		return NULL;
	memcpy(folder, conf->cwd, cwd_len);
	if (is_absolute || len > 0) {
		folder[cwd_len] = '/';
		memcpy(folder + cwd_len + !is_absolute, name, len);
	}
	return folder;
}

int conf_add_file(struct conf *conf, const char *name, const char *text,
		  size_t len, struct diag *diag)
{
	const struct conf_text file = {.name = name, .text = text, .len = len};
	struct reading in = {.conf = conf, .diag = diag, .name = name};
	struct arena tree = {.blocks = NULL};
	struct conf_node root;
	int rc = -1;

	in.folder = folder_of(conf, name);
	if (in.folder == NULL)
		return conf_out_of_memory(diag);
	if (conf_file_parse(&file, &tree, &root, diag) == 0)
		rc = read_root(&in, &root);
	arena_clear(&tree);
	free(in.folder);
	return rc;
}
