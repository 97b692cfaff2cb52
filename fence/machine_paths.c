/* SPDX-License-Identifier: MIT */
/* machine_paths: what the paths that a plan asks about are and lead to. */
#include "machine_internal.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "paths.h"

/* Many paths stand in few folders: each folder is resolved once. */
struct folder {
	const char *path;
	const char *real;
};

struct folders {
	struct folder *items;
	size_t count;
};

const char *machine_real(struct arena *arena, const char *path)
{
	char real[PATH_MAX];
	size_t len = strlen(path);
	const char *head = arena_strndup(arena, path, len);

	while (head != NULL && realpath(head, real) == NULL) {
		if (strcmp(head, "/") == 0)
			return path_clean(arena, path);
		head = path_parent(arena, head);
		len = head == NULL ? 0 : strlen(head);
	}
	if (head == NULL)
		return NULL;
	if (path[len] == '\0')
		return arena_strndup(arena, real, strlen(real));
	const char *whole = path_join(arena, real, path + len);
	return whole == NULL ? NULL : path_clean(arena, whole);
}

static const char *folder_real(struct arena *arena, struct folders *known,
			       const char *path, size_t len)
{
	for (size_t i = known->count; i > 0; i--) {
		const struct folder *f = &known->items[i - 1];
		if (strncmp(f->path, path, len) == 0 && f->path[len] == '\0')
			return f->real;
	}
	struct folder f = {.path = arena_strndup(arena, path, len)};
	if (f.path == NULL)
		return NULL;
	f.real = machine_real(arena, len == 0 ? "/" : f.path);
	if (f.real == NULL || arena_append(arena, &known->items, &known->count,
					   &f, sizeof(f)) != 0)
		return NULL;
	return f.real;
}

static enum fence_kind kind_of(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return FENCE_FILE;
	case S_IFDIR:
		return FENCE_FOLDER;
	case S_IFSOCK:
		return FENCE_SOCKET;
	default:
		return FENCE_OTHER;
	}
}

static enum fence_kind kind_of_failure(int error)
{
	return error == ENOENT || error == ENOTDIR ? FENCE_ABSENT
						   : FENCE_UNKNOWN;
}

static bool is_plain_name(const char *name)
{
	return name[0] != '\0' && strcmp(name, ".") != 0 &&
	       strcmp(name, "..") != 0;
}

static bool is_empty(const char *folder)
{
	DIR *dir = opendir(folder);
	int names = 0;

	if (dir == NULL)
		return false;
	while (names <= 2 && readdir(dir) != NULL)
		names++;
	(void)closedir(dir);
	return names <= 2; /* "." and ".." */
}

/* What is at fp->at, which is known to have no link in its folders. */
static int look_at(struct arena *arena, struct fence_path *fp)
{
	struct stat st;

	fp->real = fp->at;
	if (lstat(fp->at, &st) != 0) {
		fp->kind = kind_of_failure(errno);
		return 0;
	}
	if (!S_ISLNK(st.st_mode)) {
		fp->kind = kind_of(st.st_mode);
		fp->is_empty = strcmp(fp->at, "/opt") == 0 && is_empty(fp->at);
		return 0;
	}
	fp->real = machine_real(arena, fp->at);
	if (fp->real == NULL)
		return -ENOMEM;
	fp->kind = stat(fp->at, &st) == 0 ? kind_of(st.st_mode)
					  : kind_of_failure(errno);
	return 0;
}

static int look(struct arena *arena, struct folders *known,
		struct fence_path *fp)
{
	const char *name = path_base(fp->path);

	if (is_plain_name(name)) {
		size_t len = (size_t)(name - fp->path);
		const char *folder = folder_real(arena, known, fp->path,
						 len > 0 ? len - 1 : 0);
		fp->at = folder == NULL ? NULL : path_join(arena, folder, name);
	} else {
		fp->at = machine_real(arena, fp->path);
	}
	return fp->at == NULL ? -ENOMEM : look_at(arena, fp);
}

static int compare(const void *a, const void *b)
{
	const char *const *left = a;
	const char *const *right = b;

	return strcmp(*left, *right);
}

int machine_fill_paths(struct fence_facts *facts, const char *const *asked,
		       size_t count)
{
	struct arena *arena = &facts->arena;
	struct folders known = {NULL, 0};
	const char **sorted = arena_alloc(arena, (count + 1) * sizeof(*sorted));
	struct fence_path *paths =
		arena_alloc(arena, (count + 1) * sizeof(*paths));
	size_t used = 0;

	if (sorted == NULL || paths == NULL)
		return -ENOMEM;
	if (count > 0)
		memcpy(sorted, asked, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare);
	for (size_t i = 0; i < count; i++) {
		if (used > 0 && strcmp(paths[used - 1].path, sorted[i]) == 0)
			continue;
		paths[used].path = sorted[i];
		if (look(arena, &known, &paths[used]) != 0)
			return -ENOMEM;
		used++;
	}
	facts->paths = paths;
	facts->path_count = used;
	return 0;
}
