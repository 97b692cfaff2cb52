/* SPDX-License-Identifier: MIT */
/* paths: absolute paths as text, compared by whole components. */
#include "paths.h"

#include <string.h>

static size_t folder_length(const char *folder)
{
	size_t len = strlen(folder);

	return len == 1 && folder[0] == '/' ? 0 : len;
}

bool path_is_within(const char *path, const char *folder)
{
	size_t len = folder_length(folder);

	return strncmp(path, folder, len) == 0 &&
	       (path[len] == '\0' || path[len] == '/');
}

bool path_is_below(const char *path, const char *folder)
{
	return path_is_within(path, folder) && path_rest(path, folder)[0] != 0;
}

const char *path_rest(const char *path, const char *folder)
{
	const char *rest = path + folder_length(folder);

	return strcmp(rest, "/") == 0 ? "" : rest;
}

/* The slash sorts before every other byte, so that nothing comes between a
 * folder and its contents ("/a", "/a/b", "/a-b"). */
static int rank(char c)
{
	if (c == '\0')
		return 0;
	return c == '/' ? 1 : 2 + (unsigned char)c;
}

int path_compare(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return rank(*a) - rank(*b);
}

char *path_join(struct arena *arena, const char *folder, const char *rest)
{
	size_t head = folder_length(folder);
	size_t tail = strlen(rest);
	bool needs_slash = tail > 0 && rest[0] != '/';

	if (head == 0 && tail == 0)
		return arena_strndup(arena, "/", 1);
	char *path = arena_alloc(arena, head + tail + 2);
	if (path == NULL)
		return NULL;
	memcpy(path, folder, head);
	if (needs_slash)
		path[head++] = '/';
	memcpy(path + head, rest, tail + 1);
	return path;
}

char *path_parent(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL || slash == path)
		return arena_strndup(arena, "/", 1);
	return arena_strndup(arena, path, (size_t)(slash - path));
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

static size_t drop_last(const char *path, size_t len)
{
	while (len > 0 && path[len - 1] != '/')
		len--;
	return len > 0 ? len - 1 : 0;
}

char *path_clean(struct arena *arena, const char *path)
{
	char *clean = arena_alloc(arena, strlen(path) + 2);
	size_t len = 0;

	if (clean == NULL)
		return NULL;
	while (*path != '\0') {
		size_t n = strcspn(path, "/");
		if (n == 2 && path[0] == '.' && path[1] == '.') {
			len = drop_last(clean, len);
		} else if (n > 0 && !(n == 1 && path[0] == '.')) {
			clean[len++] = '/';
			memcpy(clean + len, path, n);
			len += n;
		}
		path += n;
		path += strspn(path, "/");
	}
	if (len == 0)
		clean[len++] = '/';
	clean[len] = '\0';
	return clean;
}
