/* SPDX-License-Identifier: MIT */
/* graft_file: files and links of ours in the sandbox that bubblewrap builds. */
#include "graft_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "graft_place.h"

#define COPY_CHUNK_BYTES ((size_t)1 << 20)
/* Our root is what the sandbox's lies in, while bubblewrap waits. */
#define ASIDE "/exeat-file"

/* The host's file as it is now. */
static int copy_file(int to, int host, const char *source)
{
	int from = place_open(host, source, O_RDONLY | O_NOCTTY);
	ssize_t n;

	if (from < 0)
		return from;
	do
		n = sendfile(to, from, NULL, COPY_CHUNK_BYTES);
	while (n > 0 || (n < 0 && errno == EINTR));
	int rc = n < 0 ? -errno : 0;
	(void)close(from);
	return rc;
}

static int write_file(int folder, const char *name, int host,
		      const struct plan_file *file)
{
	mode_t mode = file->is_program ? 0555 : 0444;
	int fd = openat(folder, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
			mode);
	int rc = 0;

	if (fd < 0)
		return -errno;
	if (file->source != NULL)
		rc = copy_file(fd, host, file->source);
	else if (write(fd, file->bytes, file->len) != (ssize_t)file->len)
		rc = -EIO;
	(void)close(fd);
	return rc;
}

int graft_file(int host, int sandbox, const struct plan_file *file)
{
	const char *name;
	int folder = place_parent(sandbox, file->path, &name);

	if (folder < 0)
		return folder;
	int rc = write_file(folder, name, host, file);
	(void)close(folder);
	return rc;
}

int graft_file_aside(int host, const struct plan_file *file)
{
	int rc = write_file(AT_FDCWD, ASIDE, host, file);

	if (rc != 0)
		return rc;
	int fd = open(ASIDE, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

void graft_file_forget(void)
{
	(void)unlink(ASIDE);
}

static int is_there(int folder, const char *name, const char *text)
{
	char found[PATH_MAX];
	ssize_t n = readlinkat(folder, name, found, sizeof(found));

	return n == (ssize_t)strlen(text) &&
	       memcmp(found, text, (size_t)n) == 0;
}

int graft_link(int sandbox, const char *path, const char *text)
{
	const char *name;
	int folder = place_parent(sandbox, path, &name);
	int rc = 0;

	if (folder < 0)
		return folder;
	if (symlinkat(text, folder, name) != 0)
		rc = errno == EEXIST && is_there(folder, name, text) ? 0
								     : -errno;
	(void)close(folder);
	return rc;
}
