/* SPDX-License-Identifier: MIT */
/* prove_files: the attacker's steps at files, environment and descriptors. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "prove_steps.h"

#define ENVIRON_MAX_BYTES 65536

int step_read(const char *value)
{
	char c;
	int fd = open(value, O_RDONLY | O_CLOEXEC);
	int rc = fd < 0 ? -errno : 0;

	if (rc == 0 && read(fd, &c, 1) != 1)
		rc = -EIO;
	if (fd >= 0)
		(void)close(fd);
	return rc;
}

int step_write(const char *value)
{
	static const char line[] = "# written\n";
	int fd = open(value, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
	int rc = fd < 0 ? -errno : 0;

	if (rc == 0 && write(fd, line, sizeof(line) - 1) < 0)
		rc = -errno;
	if (fd >= 0)
		(void)close(fd);
	return rc;
}

int step_write_only(const char *value)
{
	int fd = open(value, O_WRONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	(void)close(fd);
	return 0;
}

int step_fd(const char *value)
{
	char c;

	(void)value;
	return pread(PROVE_SECRET_FD, &c, 1, 0) == 1 ? 0 : -EBADF;
}

static bool shows_secret(const char *pid)
{
	static char text[ENVIRON_MAX_BYTES];
	char path[300];

	(void)snprintf(path, sizeof(path), "/proc/%s/environ", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text));
	if (fd >= 0)
		(void)close(fd);
	return len > 0 && memmem(text, (size_t)len, PROVE_SECRET,
				 sizeof(PROVE_SECRET) - 1) != NULL;
}

int step_env(const char *value)
{
	DIR *proc = opendir("/proc");
	bool found = getenv(PROVE_SECRET) != NULL;

	(void)value;
	if (proc == NULL)
		return found ? 0 : -errno;
	for (struct dirent *item; !found && (item = readdir(proc)) != NULL;)
		found = item->d_name[0] >= '1' && item->d_name[0] <= '9' &&
			shows_secret(item->d_name);
	(void)closedir(proc);
	return found ? 0 : -ENOENT;
}
