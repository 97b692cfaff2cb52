/* SPDX-License-Identifier: MIT */
/* runtime_dir: where exeat keeps what is of use only while it runs. */
#include "runtime_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

/* Under sudo the variable may name another user's folder. */
static bool is_ours(const char *folder)
{
	struct stat st;

	return folder != NULL && folder[0] == '/' && stat(folder, &st) == 0 &&
	       S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

int runtime_dir_path(const char *name, char path_out[static PATH_MAX])
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	struct text path;

	text_init(&path, path_out, PATH_MAX);
	if (is_ours(runtime))
		text_addf(&path, "%s/exeat/", runtime);
	else if (state != NULL && state[0] == '/')
		text_addf(&path, "%s/exeat/live/", state);
	else if (home != NULL && home[0] == '/')
		text_addf(&path, "%s/.local/state/exeat/live/", home);
	else
		return -ENOENT;
	text_add(&path, name);
	return path.is_cut ? -ENOENT : 0;
}

static int make_folders(const char *path)
{
	char folder[PATH_MAX];
	struct text text;

	text_init(&text, folder, sizeof(folder));
	text_add(&text, path);
	if (text.is_cut || path[0] != '/')
		return -ENOENT;
	for (char *slash = strchr(folder + 1, '/'); slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(folder, 0700) != 0 && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return 0;
}

int runtime_dir_folder(void)
{
	const int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
	char path[PATH_MAX];
	int rc = runtime_dir_path("", path);

	if (rc != 0)
		return rc;
	int fd = open(path, flags);
	if (fd >= 0 || errno != ENOENT)
		return fd < 0 ? -errno : fd;
	rc = make_folders(path);
	if (rc != 0)
		return rc;
	fd = open(path, flags);
	return fd < 0 ? -errno : fd;
}

static int create(const char *path)
{
	int fd =
		open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
		     0600);

	return fd < 0 ? -errno : fd;
}

int runtime_dir_create(const char *path)
{
	int fd = create(path);

	if (fd != -ENOENT)
		return fd;
	int rc = make_folders(path);
	return rc != 0 ? rc : create(path);
}

int runtime_dir_open(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_uid == geteuid())
		return fd;
	(void)close(fd);
	return -EPERM;
}
