/* SPDX-License-Identifier: MIT */
/* graft_place: paths below a root, opened without following links. */
#include "graft_place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int place_open(int root, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned int)flags | O_CLOEXEC,
		.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS |
			   RESOLVE_IN_ROOT,
	};
	int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));

	return fd < 0 ? -errno : fd;
}

static int step_into(int folder, const char *name)
{
	if (mkdirat(folder, name, 0755) != 0 && errno != EEXIST)
		return -errno;
	int next = openat(folder, name,
			  O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC);
	return next < 0 ? -errno : next;
}

/* @path is cut into its parts. */
static int make_folders(int root, char *path)
{
	char *name = path + strspn(path, "/");
	int folder = place_open(root, "/", O_PATH | O_DIRECTORY);

	while (folder >= 0 && *name != '\0') {
		size_t len = strcspn(name, "/");
		char *rest = name + len + strspn(name + len, "/");
		name[len] = '\0';
		int next = step_into(folder, name);
		(void)close(folder);
		folder = next;
		name = rest;
	}
	return folder;
}

int place_parent(int root, const char *path, const char **name_out)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];

	if (slash == NULL || slash[1] == '\0')
		return -EINVAL;
	size_t len = slash == path ? 1 : (size_t)(slash - path);
	if (len >= sizeof(folder))
		return -ENAMETOOLONG;
	memcpy(folder, path, len);
	folder[len] = '\0';
	int fd = place_open(root, folder, O_PATH | O_DIRECTORY);
	if (fd == -ENOENT)
		fd = make_folders(root, folder);
	if (fd >= 0)
		*name_out = slash + 1;
	return fd;
}

int place_make(int root, const char *path, bool is_folder)
{
	const char *name;
	int folder = place_parent(root, path, &name);

	if (folder < 0)
		return folder;
	int rc = is_folder ? mkdirat(folder, name, 0755)
			   : mknodat(folder, name, S_IFREG | 0444, 0);
	if (rc != 0)
		rc = errno == EEXIST ? 0 : -errno;
	(void)close(folder);
	return rc;
}
