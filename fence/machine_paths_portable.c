/* SPDX-License-Identifier: MIT */
/* machine_paths_portable: what paths are and lead to, by POSIX alone; for
 * systems where machine_paths.c has no /proc to ask. */
#include "machine_internal.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"

/* A longer way is a circle. */
#define LINKS_MAX 40

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
	const char *whole = path_join(arena, real, path + len);
	return whole == NULL ? NULL : path_clean(arena, whole);
}

/* Where @path leads, even if the last link leads to nothing. */
static const char *real_of_dangling(struct arena *arena, const char *path)
{
	char text[PATH_MAX];
	const char *real = machine_real(arena, path);

	for (int i = 0; real != NULL && i < LINKS_MAX; i++) {
		ssize_t len = readlink(real, text, sizeof(text) - 1);
		if (len <= 0)
			return real;
		text[len] = '\0';
		const char *folder = path_parent(arena, real);
		const char *next = text;
		if (text[0] != '/')
			next = folder == NULL ? NULL
					      : path_join(arena, folder, text);
		real = next == NULL ? NULL : machine_real(arena, next);
	}
	return real;
}

static enum fence_kind kind_of(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return errno == ENOENT || errno == ENOTDIR ? FENCE_ABSENT
							   : FENCE_UNKNOWN;
	if (S_ISREG(st.st_mode))
		return FENCE_FILE;
	if (S_ISDIR(st.st_mode))
		return FENCE_FOLDER;
	return S_ISSOCK(st.st_mode) ? FENCE_SOCKET : FENCE_OTHER;
}

/* The folder that @path stands in, part by part: a link on the way may lead to
 * what does not exist, and then goes on from there. */
static const char *folder_of(struct arena *arena, const char *path)
{
	const char *real = "/";
	const char *last = path_base(path);

	for (const char *part = path + 1; real != NULL && part < last;) {
		size_t len = strcspn(part, "/");
		char *name = arena_strndup(arena, part, len);
		const char *next =
			name == NULL ? NULL : path_join(arena, real, name);
		real = next == NULL ? NULL : real_of_dangling(arena, next);
		part += len + 1;
	}
	return real;
}

static int look(struct arena *arena, struct fence_path *fp)
{
	const char *clean = path_clean(arena, fp->path);

	if (clean == NULL)
		return -ENOMEM;
	fp->kind = kind_of(fp->path);
	/* With ".." in it only the kernel knows where it stands. */
	if (strstr(fp->path, "/..") != NULL || strcmp(clean, "/") == 0) {
		fp->real = real_of_dangling(arena, fp->path);
		fp->at = fp->real;
	} else {
		const char *folder = folder_of(arena, clean);
		fp->at = folder == NULL
				 ? NULL
				 : path_join(arena, folder, path_base(clean));
		fp->real =
			fp->at == NULL ? NULL : real_of_dangling(arena, fp->at);
	}
	return fp->real == NULL ? -ENOMEM : 0;
}

int machine_fill_paths(struct fence_facts *facts, const char *const *asked,
		       size_t count)
{
	struct arena *arena = &facts->arena;
	struct fence_path *paths =
		arena_alloc(arena, (count + 1) * sizeof(*paths));

	if (paths == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		paths[i] = (struct fence_path){.path = asked[i]};
		if (look(arena, &paths[i]) != 0)
			return -ENOMEM;
	}
	return fence_facts_add(facts, paths, count);
}
