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

/* Of a folder that cannot be opened. Where the first part that is missing is
 * not there at all, no link can lead elsewhere, and text is enough. */
static const char *real_of_absent(const struct folders *known, const char *path)
{
	struct stat st;
	const char *slash = strrchr(path, '/');

	while (slash != NULL) {
		const struct folder *up =
			find_folder(known, path, (size_t)(slash - path));
		if (up != NULL && up->fd >= 0) {
			size_t len = strcspn(slash + 1, "/");
			char *name =
				arena_strndup(known->arena, slash + 1, len);
			if (name != NULL &&
			    fstatat(up->fd, name, &st, AT_SYMLINK_NOFOLLOW) !=
				    0 &&
			    errno == ENOENT)
				return path_join(known->arena, up->real, slash);
			break;
		}
		slash = slash == path
				? NULL
				: memrchr(path, '/', (size_t)(slash - path));
	}
	return machine_real(known->arena, path);
}

static const struct folder *open_folder(struct folders *known, const char *path,
					size_t len)
{
	const struct folder *found = find_folder(known, path, len);
	struct folder f = {.fd = -1};
	char real[PATH_MAX];

	if (found != NULL)
		return found;
	f.path = arena_strndup(known->arena, path, len);
	if (f.path == NULL)
		return NULL;
	f.fd = open(len == 0 ? "/" : f.path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	f.error = f.fd < 0 ? errno : 0;
	if (f.fd >= 0 && name_of_fd(f.fd, real))
		f.real = arena_strndup(known->arena, real, strlen(real));
	else if (f.error == EACCES)
		f.real = path_clean(known->arena, f.path);
	else
		f.real = real_of_absent(known, f.path);
	if (f.real == NULL || arena_append(known->arena, &known->items,
					   &known->count, &f, sizeof(f)) != 0) {
		if (f.fd >= 0)
			(void)close(f.fd);
		return NULL;
	}
	return &known->items[known->count - 1];
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

static int follow(struct arena *arena, struct fence_path *fp)
{
	struct stat st;

	fp->real = machine_real(arena, fp->at);
	if (fp->real == NULL)
		return -ENOMEM;
	fp->kind = stat(fp->at, &st) == 0 ? kind_of(st.st_mode)
					  : kind_of_failure(errno);
	return 0;
}

/* What stands in @folder (an open folder, or AT_FDCWD) as @name is, which is
 * fp->at: a path with no link in its folders. */
static int look_at(struct arena *arena, int folder, const char *name,
		   struct fence_path *fp)
{
	struct stat st;

	fp->real = fp->at;
	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
		fp->kind = kind_of_failure(errno);
		return 0;
	}
	if (S_ISLNK(st.st_mode))
		return follow(arena, fp);
	fp->kind = kind_of(st.st_mode);
	fp->is_empty = strcmp(fp->at, "/opt") == 0 && is_empty(fp->at);
	return 0;
}

static int look(struct folders *known, struct fence_path *fp)
{
	struct arena *arena = known->arena;
	const char *name = path_base(fp->path);

	if (!is_plain_name(name)) {
		fp->at = machine_real(arena, fp->path);
		return fp->at == NULL ? -ENOMEM
				      : look_at(arena, AT_FDCWD, fp->at, fp);
	}
	size_t len = (size_t)(name - fp->path);
	const struct folder *folder =
		open_folder(known, fp->path, len > 0 ? len - 1 : 0);
	fp->at = folder == NULL ? NULL : path_join(arena, folder->real, name);
	if (fp->at == NULL)
		return -ENOMEM;
	if (folder->fd >= 0)
		return look_at(arena, folder->fd, name, fp);
	fp->real = fp->at;
	fp->kind = kind_of_failure(folder->error);
	return 0;
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
	struct folders known = {arena, NULL, 0};
	const char **sorted = arena_alloc(arena, (count + 1) * sizeof(*sorted));
	struct fence_path *paths =
		arena_alloc(arena, (count + 1) * sizeof(*paths));
	size_t used = 0;
	int rc = sorted == NULL || paths == NULL ? -ENOMEM : 0;

	if (rc == 0 && count > 0) {
		memcpy(sorted, asked, count * sizeof(*sorted));
		qsort(sorted, count, sizeof(*sorted), compare);
	}
	for (size_t i = 0; rc == 0 && i < count; i++) {
		if (used > 0 && strcmp(paths[used - 1].path, sorted[i]) == 0)
			continue;
		paths[used].path = sorted[i];
		rc = look(&known, &paths[used]);
		used++;
	}
	close_folders(&known);
	facts->paths = paths;
	facts->path_count = rc == 0 ? used : 0;
	return rc;
}
