/* SPDX-License-Identifier: MIT */
/* machine_paths: what the paths that a plan asks about are and lead to. */
#include "machine_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "paths.h"

/* The kernel follows 40 (path_resolution(7)); a longer way is a circle. */
#define LINKS_MAX 40

/*
 * Many paths stand in few folders, and system calls are what looking costs: a
 * folder is opened and resolved once, and what is in it is asked for by name.
 * @fd is -1 for a folder that does not exist (@error says why).
 */
struct folder {
	const char *path;
	const char *real;
	int fd;
	int error;
};

struct folders {
	struct arena *arena;
	struct folder *items;
	size_t count;
};

/* What the kernel calls an open file; false: it has no path. */
static bool name_of_fd(int fd, char real[static PATH_MAX])
{
	char name[32];

	(void)snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	ssize_t len = readlink(name, real, PATH_MAX);
	if (len <= 0 || len == PATH_MAX || real[0] != '/')
		return false;
	real[len] = '\0';
	return true;
}

/* realpath(3) asks about every part of a path; the kernel knows at once. Its
 * name of a deleted file would end in " (deleted)", so that one is asked. */
static bool real_at_once(const char *path, char real[static PATH_MAX])
{
	int fd = open(path, O_PATH | O_CLOEXEC);
	struct stat st;
	bool found = fd >= 0 && name_of_fd(fd, real) && fstat(fd, &st) == 0 &&
		     st.st_nlink > 0;

	if (fd >= 0)
		(void)close(fd);
	return found || realpath(path, real) != NULL;
}

const char *machine_real(struct arena *arena, const char *path)
{
	char real[PATH_MAX];
	size_t len = strlen(path);
	const char *head = arena_strndup(arena, path, len);

	while (head != NULL && !real_at_once(head, real)) {
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

/* Where @path leads, even if the last link of the way leads to nothing: that is
 * where something would be made. */
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

static const struct folder *find_folder(const struct folders *known,
					const char *path, size_t len)
{
	for (size_t i = known->count; i > 0; i--) {
		const struct folder *f = &known->items[i - 1];
		if (strncmp(f->path, path, len) == 0 && f->path[len] == '\0')
			return f;
	}
	return NULL;
}

static const struct folder *add_folder(struct folders *known,
				       const struct folder *f)
{
	if (f->path != NULL && f->real != NULL &&
	    arena_append(known->arena, &known->items, &known->count, f,
			 sizeof(*f)) == 0)
		return &known->items[known->count - 1];
	if (f->fd >= 0)
		(void)close(f->fd);
	return NULL;
}

/* What @name in @up is: where it is a folder and no link, @up tells its real
 * path; else the kernel is asked for it. */
static struct folder enter(struct folders *known, const struct folder *up,
			   const char *path, const char *name)
{
	struct folder f = {.path = path, .fd = -1, .error = up->error};
	char real[PATH_MAX];

	f.real = path_join(known->arena, up->real, name);
	if (up->fd < 0 || f.real == NULL)
		return f;
	f.fd = openat(up->fd, name,
		      O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	f.error = f.fd < 0 ? errno : 0;
	if (f.fd >= 0 || f.error == ENOENT || f.error == EACCES)
		return f;
	f.fd = openat(up->fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	f.error = f.fd < 0 ? errno : 0;
	if (f.fd >= 0 && name_of_fd(f.fd, real))
		f.real = arena_strndup(known->arena, real, strlen(real));
	else
		f.real = real_of_dangling(known->arena, f.real);
	return f;
}

/* The folder @path up to @len, entered part by part from the longest one that
 * is known. */
static const struct folder *open_folder(struct folders *known, const char *path,
					size_t len)
{
	const struct folder *up = NULL;
	size_t at = len;

	while ((up = find_folder(known, path, at)) == NULL && at > 0)
		while (at > 0 && path[--at] != '/')
			;
	if (up == NULL) {
		const struct folder root = {
			.path = "",
			.real = "/",
			.fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC),
			.error = errno,
		};
		up = add_folder(known, &root);
	}
	while (up != NULL && at < len) {
		size_t part = strcspn(path + at + 1, "/");
		if (part > len - at - 1)
			part = len - at - 1;
		const char *name =
			arena_strndup(known->arena, path + at + 1, part);
		const char *whole =
			arena_strndup(known->arena, path, at + 1 + part);
		if (name == NULL || whole == NULL)
			return NULL;
		/* Appending may move what @up points to. */
		const struct folder from = *up;
		const struct folder f = enter(known, &from, whole, name);
		up = add_folder(known, &f);
		at += 1 + part;
	}
	return up;
}

static void close_folders(const struct folders *known)
{
	for (size_t i = 0; i < known->count; i++)
		if (known->items[i].fd >= 0)
			(void)close(known->items[i].fd);
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

/* Every part is a name: no ".", "..", doubled or trailing slash. */
static bool is_clean(const char *path)
{
	for (const char *part = path; *part == '/';) {
		size_t len = strcspn(part + 1, "/");
		if (len == 0 || (len <= 2 && strspn(part + 1, ".") >= len))
			return false;
		part += 1 + len;
	}
	return true;
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

/* Of a link in a folder whose real path is @folder: where its text leads, if
 * that can be told from the text; NULL: ask the kernel. */
static const char *link_target(struct arena *arena, int fd, const char *name,
			       const char *folder)
{
	char text[PATH_MAX];
	ssize_t len = readlinkat(fd, name, text, sizeof(text) - 1);

	if (len <= 0)
		return NULL;
	text[len] = '\0';
	/* Further down ".." would go up from what may be a link. */
	const char *rest = text;
	while (strncmp(rest, "../", 3) == 0)
		rest += 3;
	if (strstr(rest, "..") != NULL || strstr(rest, "./") != NULL)
		return NULL;
	const char *whole = text[0] == '/'
				    ? arena_strndup(arena, text, (size_t)len)
				    : path_join(arena, folder, text);
	return whole == NULL ? NULL : path_clean(arena, whole);
}

static int follow_slowly(struct arena *arena, struct fence_path *fp)
{
	struct stat st;

	fp->real = real_of_dangling(arena, fp->at);
	if (fp->real == NULL)
		return -ENOMEM;
	fp->kind = stat(fp->at, &st) == 0 ? kind_of(st.st_mode)
					  : kind_of_failure(errno);
	return 0;
}

static int follow(struct folders *known, int fd, const char *name,
		  struct fence_path *fp)
{
	struct stat st;
	struct arena *arena = known->arena;
	const char *folder = path_parent(arena, fp->at);
	const char *target =
		folder == NULL ? NULL : link_target(arena, fd, name, folder);

	if (target == NULL || !is_plain_name(path_base(target)))
		return follow_slowly(arena, fp);
	size_t len = (size_t)(path_base(target) - target) - 1;
	const struct folder *in = open_folder(known, target, len);
	if (in == NULL || in->fd < 0 ||
	    fstatat(in->fd, path_base(target), &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    S_ISLNK(st.st_mode))
		return follow_slowly(arena, fp);
	fp->real = path_join(arena, in->real, path_base(target));
	fp->kind = kind_of(st.st_mode);
	return fp->real == NULL ? -ENOMEM : 0;
}

/* What stands in the open folder @fd as @name is, which is fp->at: a path with
 * no link in its folders. */
static int look_at(struct folders *known, int fd, const char *name,
		   struct fence_path *fp)
{
	struct stat st;

	fp->real = fp->at;
	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
		fp->kind = kind_of_failure(errno);
		return 0;
	}
	if (S_ISLNK(st.st_mode))
		return follow(known, fd, name, fp);
	fp->kind = kind_of(st.st_mode);
	fp->has_other_name = S_ISREG(st.st_mode) && st.st_nlink > 1 &&
			     faccessat(fd, name, W_OK, AT_EACCESS) == 0;
	fp->is_empty = strcmp(fp->at, "/opt") == 0 && is_empty(fp->at);
	return 0;
}

static int look(struct folders *known, struct fence_path *fp)
{
	struct arena *arena = known->arena;
	const char *name = path_base(fp->path);

	if (!is_clean(fp->path)) {
		fp->at = machine_real(arena, fp->path);
		return fp->at == NULL ? -ENOMEM
				      : look_at(known, AT_FDCWD, fp->at, fp);
	}
	const struct folder *folder =
		open_folder(known, fp->path, (size_t)(name - fp->path) - 1);
	fp->at = folder == NULL ? NULL : path_join(arena, folder->real, name);
	if (fp->at == NULL)
		return -ENOMEM;
	if (folder->fd >= 0)
		return look_at(known, folder->fd, name, fp);
	fp->real = fp->at;
	fp->kind = kind_of_failure(folder->error);
	return 0;
}

int machine_fill_paths(struct fence_facts *facts, const char *const *asked,
		       size_t count)
{
	struct arena *arena = &facts->arena;
	struct folders known = {arena, NULL, 0};
	struct fence_path *paths =
		arena_alloc(arena, (count + 1) * sizeof(*paths));
	int rc = paths == NULL ? -ENOMEM : 0;

	for (size_t i = 0; rc == 0 && i < count; i++) {
		paths[i].path = asked[i];
		rc = look(&known, &paths[i]);
	}
	close_folders(&known);
	return rc == 0 ? fence_facts_add(facts, paths, count) : rc;
}
