/* SPDX-License-Identifier: MIT */
/* proc_owner: which process holds a socket, and what it is, by a /proc. */
#include "proc_owner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

#define PIDS_MAX    8192 /* what is above is not looked at */
#define PARENTS_MAX 16
#define PATH_BYTES  48

/* A folder of @proc. A number that is all digits is a process. */
static DIR *open_folder(int proc, const char *path)
{
	int fd = openat(proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;

	if (folder == NULL && fd >= 0)
		(void)close(fd);
	return folder;
}

static bool holds(DIR *fds, const char *wanted)
{
	struct dirent *entry;
	char link[64];

	while ((entry = readdir(fds)) != NULL) {
		ssize_t n = readlinkat(dirfd(fds), entry->d_name, link,
				       sizeof(link) - 1);
		if (n <= 0)
			continue;
		link[n] = '\0';
		if (strcmp(link, wanted) == 0)
			return true;
	}
	return false;
}

/* Return: 1 it does; 0 no, or it is gone; -EACCES: cannot be seen. */
static int look_at(int proc, pid_t pid, const char *wanted)
{
	char path[PATH_BYTES];

	(void)snprintf(path, sizeof(path), "%ld/fd", (long)pid);
	errno = 0;
	DIR *fds = open_folder(proc, path);
	if (fds == NULL)
		return errno == EACCES || errno == EPERM ? -EACCES : 0;
	bool found = holds(fds, wanted);
	(void)closedir(fds);
	return found;
}

static int newest_first(const void *a, const void *b)
{
	pid_t left = *(const pid_t *)a;
	pid_t right = *(const pid_t *)b;

	return (left < right) - (left > right);
}

/* Every pid of @proc. Return: how many, or -errno; *pids_out is heap. */
static ssize_t list_pids(int proc, pid_t **pids_out)
{
	DIR *folder = open_folder(proc, ".");
	pid_t *pids = malloc(PIDS_MAX * sizeof(*pids));
	struct dirent *entry;
	uint64_t number;
	size_t count = 0;

	if (folder == NULL || pids == NULL) {
		free(pids);
		if (folder != NULL)
			(void)closedir(folder);
		return -ENOMEM;
	}
	while (count < PIDS_MAX && (entry = readdir(folder)) != NULL)
		if (text_parse_decimal(entry->d_name, strlen(entry->d_name),
				       INT32_MAX, &number))
			pids[count++] = (pid_t)number;
	(void)closedir(folder);
	qsort(pids, count, sizeof(*pids), newest_first);
	*pids_out = pids;
	return (ssize_t)count;
}

pid_t proc_owner_find(int proc, uint32_t inode, pid_t first)
{
	char wanted[PATH_BYTES];
	pid_t *pids;
	pid_t found = 0;

	(void)snprintf(wanted, sizeof(wanted), "socket:[%u]", inode);
	if (first > 0 && look_at(proc, first, wanted) == 1)
		return first;
	ssize_t count = list_pids(proc, &pids);
	if (count < 0)
		return (pid_t)count;
	for (ssize_t i = 0; i < count && found <= 0; i++) {
		int rc = look_at(proc, pids[i], wanted);

		if (rc == 1)
			found = pids[i];
		else if (rc < 0)
			found = rc;
	}
	free(pids);
	return found;
}

static ssize_t read_file(int proc, pid_t pid, const char *name, char *buf,
			 size_t size)
{
	char path[PATH_BYTES];

	(void)snprintf(path, sizeof(path), "%ld/%s", (long)pid, name);
	int fd = openat(proc, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ssize_t n = read(fd, buf, size - 1);
	(void)close(fd);
	buf[n > 0 ? n : 0] = '\0';
	return n;
}

/* As far as it fits. */
static void read_argv0(int proc, pid_t pid,
		       char argv0[static SERVICE_ARGV0_BYTES])
{
	if (read_file(proc, pid, "cmdline", argv0, SERVICE_ARGV0_BYTES) <= 0)
		argv0[0] = '\0';
}

static void read_exe(int proc, pid_t pid, char exe[static SERVICE_EXE_BYTES])
{
	char path[PATH_BYTES];

	(void)snprintf(path, sizeof(path), "%ld/exe", (long)pid);
	ssize_t n = readlinkat(proc, path, exe, SERVICE_EXE_BYTES - 1);
	exe[n > 0 ? n : 0] = '\0';
}

/* From "PID (NAME) STATE PARENT ...": the name may hold anything. */
static pid_t parent_of(int proc, pid_t pid)
{
	char bytes[512];
	uint64_t parent = 0;

	if (read_file(proc, pid, "stat", bytes, sizeof(bytes)) <= 0)
		return 0;
	const char *at = strrchr(bytes, ')');
	if (at == NULL || strlen(at) < sizeof(") S "))
		return 0;
	at += strlen(") S ");
	if (!text_parse_decimal(at, strcspn(at, " "), INT32_MAX, &parent))
		return 0;
	return (pid_t)parent;
}

/* One line each, so their names must have none of their own. */
static void add_parents(int proc, pid_t pid, struct text *out)
{
	char argv0[SERVICE_ARGV0_BYTES];

	for (int i = 0; i < PARENTS_MAX && !out->is_cut; i++) {
		pid = parent_of(proc, pid);
		if (pid <= 0)
			return;
		read_argv0(proc, pid, argv0);
		text_addf(out, "%s%ld ", out->len > 0 ? "\n" : "", (long)pid);
		text_add_printable(out, argv0, strlen(argv0));
	}
}

void proc_owner_describe(int proc, pid_t pid, bool wants_parents,
			 struct service_answer *answer)
{
	struct text text;

	answer->pid = (uint32_t)pid;
	read_exe(proc, pid, answer->exe);
	read_argv0(proc, pid, answer->argv0);
	text_init(&text, answer->parents, sizeof(answer->parents));
	if (wants_parents)
		add_parents(proc, pid, &text);
}
