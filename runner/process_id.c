/* SPDX-License-Identifier: MIT */
/* process_id: a process that no later one can be mistaken for. */
#include "process_id.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "text.h"

#define PATH_BYTES 64

/* Fields counted from the one after the name, "state", which is 3. */
#define STAT_UTIME   14
#define STAT_CSTIME  17
#define STAT_STARTED 22
#define STAT_RSS     24

static bool read_file(pid_t pid, const char *name, char *buf, size_t size)
{
	char path[PATH_BYTES];

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t n = read(fd, buf, size - 1);
	(void)close(fd);
	buf[n > 0 ? n : 0] = '\0';
	return n > 0;
}

bool process_use_read(pid_t pid, struct process_use *use_out)
{
	struct process_use use = {.ticks = 0};
	char stat[1024];
	uint64_t pages = 0;

	if (pid <= 0 || !read_file(pid, "stat", stat, sizeof(stat)))
		return false;
	/* The name may hold anything, also blanks and parentheses. */
	const char *at = strrchr(stat, ')');
	if (at == NULL)
		return false;
	at += strspn(at, ") ");
	for (unsigned int field = 3; field <= STAT_RSS; field++) {
		size_t len = strcspn(at, " \n");
		uint64_t value = 0;

		/* Some fields may be negative: none of those that we want. */
		(void)!text_parse_decimal(at, len, UINT64_MAX, &value);
		if (field >= STAT_UTIME && field <= STAT_CSTIME)
			use.ticks += value;
		if (field == STAT_STARTED)
			use.started = value;
		if (field == STAT_RSS)
			pages = value;
		at += len + (at[len] == ' ');
	}
	use.rss_kib = pages * (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
	*use_out = use;
	return use.started != 0;
}

bool process_id_of(pid_t pid, struct process_id *id_out)
{
	struct process_use use;

	if (!process_use_read(pid, &use))
		return false;
	*id_out = (struct process_id){.pid = pid, .started = use.started};
	return true;
}

int process_id_open(const struct process_id *id)
{
	struct process_use use;

	if (id->pid <= 0)
		return -ESRCH;
	int fd = (int)syscall(SYS_pidfd_open, id->pid, 0);
	if (fd < 0)
		return -errno;
	/* Looked at while the descriptor holds whoever has the number now. */
	if (process_use_read(id->pid, &use) && use.started == id->started)
		return fd;
	(void)close(fd);
	return -ESRCH;
}

uint64_t process_pid_ns(pid_t pid)
{
	char path[PATH_BYTES];
	struct stat st;

	(void)snprintf(path, sizeof(path), "/proc/%d/ns/pid", pid);
	return stat(path, &st) == 0 ? st.st_ino : 0;
}

pid_t process_inner_pid(pid_t pid)
{
	char status[4096];
	uint64_t inner = 0;

	if (!read_file(pid, "status", status, sizeof(status)))
		return 0;
	/* "NSpid: 4711 5": outermost first. */
	const char *at = strstr(status, "\nNSpid:");
	if (at == NULL)
		return 0;
	at += strlen("\nNSpid:");
	size_t len = strcspn(at, "\n");
	while (len > 0 && at[len - 1] != '\t' && at[len - 1] != ' ')
		len--;
	if (!text_parse_decimal(at + len, strcspn(at + len, "\n"), INT32_MAX,
				&inner))
		return 0;
	return (pid_t)inner;
}
