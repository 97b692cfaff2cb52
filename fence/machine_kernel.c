/* SPDX-License-Identifier: MIT */
/* machine_kernel: what the kernel says of /proc, sockets, mounts, Landlock. */
#include "machine_internal.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "paths.h"

/* A folder of /proc with more than that counts as writable unread. */
#define PROC_LOOK_MAX 256
#define SOCKETS_MAX   8192
/* Holds the names of a usual kernel, and few processes. */
#define PROC_NAMES_BYTES 2560
#define WRITE_BITS       (S_IWUSR | S_IWGRP | S_IWOTH)

/* Debian 12's headers know them, older ones do not. */
#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#endif
#define LANDLOCK_ASK_VERSION 1U

static int add_name(struct arena *arena, const char *const **items,
		    size_t *count, const char *name, size_t len)
{
	const char *copy = arena_strndup(arena, name, len);

	if (copy == NULL)
		return -ENOMEM;
	return arena_append(arena, items, count, &copy, sizeof(copy));
}

/* Sysctl files go by the host's uid 0, not by capabilities, so as uid 0 every
 * file with a write bit opens inside, core_pattern among them. */
static bool has_writable(const char *name)
{
	char path[PATH_MAX];
	char *roots[] = {path, NULL};
	bool found = false;
	int seen = 0;

	if (snprintf(path, sizeof(path), "/proc/%s", name) >= (int)sizeof(path))
		return true;
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	if (fts == NULL)
		return true;
	for (FTSENT *e; !found && (e = fts_read(fts)) != NULL;) {
		found = ++seen > PROC_LOOK_MAX ||
			(e->fts_info == FTS_F &&
			 (e->fts_statp->st_mode & WRITE_BITS) != 0);
	}
	(void)fts_close(fts);
	return found;
}

/* Names in /proc of which the kernel's own documentation knows no file that can
 * be written; everything else is looked at. */
static bool is_known_read_only(const char *name)
{
	static const char *const names[] = {
		"buddyinfo",    "cgroups",     "cmdline",     "config.gz",
		"consoles",     "cpuinfo",     "crypto",      "devices",
		"diskstats",    "dma",         "execdomains", "fb",
		"filesystems",  "interrupts",  "iomem",       "ioports",
		"kallsyms",     "kcore",       "key-users",   "keys",
		"kmsg",         "kpagecgroup", "kpagecount",  "kpageflags",
		"loadavg",      "locks",       "mdstat",      "meminfo",
		"misc",         "modules",     "mounts",      "net",
		"pagetypeinfo", "partitions",  "schedstat",   "self",
		"slabinfo",     "softirqs",    "stat",        "swaps",
		"sysvipc",      "thread-self", "timer_list",  "tty",
		"uptime",       "version",     "vmallocinfo", "vmstat",
		"zoneinfo",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* And those that always hold one. */
static bool is_known_writable(const char *name)
{
	return strcmp(name, "irq") == 0 || strcmp(name, "bus") == 0 ||
	       strcmp(name, "pressure") == 0;
}

static bool is_covered(int proc, const char *name)
{
	struct stat st;

	if (is_known_writable(name))
		return true;
	if (is_known_read_only(name) || strcmp(name, "sys") == 0 ||
	    name[0] == '.')
		return false;
	if (fstatat(proc, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    S_ISLNK(st.st_mode))
		return false;
	return S_ISDIR(st.st_mode) ? has_writable(name)
				   : (st.st_mode & WRITE_BITS) != 0;
}

/* Covers of one buffer of names; @done_out: the first process was met, and
 * nothing but processes follows (proc_root_readdir() in the kernel). */
static int cover_names(struct fence_facts *facts, int proc, const char *buf,
		       size_t len, bool *done_out)
{
	int rc = 0;

	for (size_t at = 0; rc == 0 && at < len;) {
		const struct dirent64 *e = (const void *)(buf + at);
		at += e->d_reclen;
		if (isdigit((unsigned char)e->d_name[0])) {
			*done_out = true;
			return 0;
		}
		if (is_covered(proc, e->d_name))
			rc = add_name(&facts->arena, &facts->proc_covers,
				      &facts->proc_cover_count, e->d_name,
				      strlen(e->d_name));
	}
	return rc;
}

static int fill_proc(struct fence_facts *facts)
{
	_Alignas(struct dirent64) char buf[PROC_NAMES_BYTES];
	bool is_done = false;
	int rc = add_name(&facts->arena, &facts->proc_covers,
			  &facts->proc_cover_count, "sys", 3);

	if (rc != 0 || facts->uid != 0)
		return rc;
	int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (proc < 0)
		return -errno;
	while (rc == 0 && !is_done) {
		ssize_t n = getdents64(proc, buf, sizeof(buf));
		if (n < 0)
			rc = -errno;
		if (n <= 0)
			break;
		rc = cover_names(facts, proc, buf, (size_t)n, &is_done);
	}
	(void)close(proc);
	return rc;
}

/* Path names of unix(7) sockets of our network namespace: the eighth column
 * of /proc/net/unix. A socket bound with a relative path is not found by it.
 */
static int add_socket(struct fence_facts *facts, char *line)
{
	char *path = strstr(line, " /");
	struct stat st;

	if (path == NULL || facts->socket_count >= SOCKETS_MAX)
		return 0;
	path++;
	path[strcspn(path, "\n")] = '\0';
	if (stat(path, &st) != 0 || !S_ISSOCK(st.st_mode))
		return 0;
	const char *real = machine_real(&facts->arena, path);
	if (real == NULL)
		return -ENOMEM;
	return arena_append(&facts->arena, &facts->sockets,
			    &facts->socket_count, &real, sizeof(real));
}

static int fill_sockets(struct fence_facts *facts)
{
	FILE *file = fopen("/proc/net/unix", "re");
	char *line = NULL;
	size_t size = 0;
	int rc = 0;

	if (file == NULL)
		return errno == ENOENT ? 0 : -errno;
	while (rc == 0 && getline(&line, &size, file) > 0)
		rc = add_socket(facts, line);
	free(line);
	(void)fclose(file);
	return rc;
}

/* \040 and the like, as proc_pid_mountinfo(5) writes blanks. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s != '\0'; s++) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' &&
		    s[2] <= '7' && s[3] >= '0' && s[3] <= '7') {
			*to++ = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 +
				       (s[3] - '0'));
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
}

static int add_mount(struct fence_facts *facts, char *line)
{
	char *fields[5];
	char *rest = line;

	for (size_t i = 0; i < 5; i++) {
		fields[i] = strsep(&rest, " ");
		if (rest == NULL)
			return 0;
	}
	unescape(fields[3]);
	unescape(fields[4]);
	struct arena *a = &facts->arena;
	struct fence_mount mount = {
		.point = arena_strndup(a, fields[4], strlen(fields[4])),
		.device = arena_strndup(a, fields[2], strlen(fields[2])),
		.root = arena_strndup(a, fields[3], strlen(fields[3])),
	};
	if (mount.point == NULL || mount.device == NULL || mount.root == NULL)
		return -ENOMEM;
	return arena_append(a, &facts->mounts, &facts->mount_count, &mount,
			    sizeof(mount));
}

static int fill_mounts(struct fence_facts *facts)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t size = 0;
	int rc = 0;

	if (file == NULL)
		return -errno;
	while (rc == 0 && getline(&line, &size, file) > 0)
		rc = add_mount(facts, line);
	free(line);
	(void)fclose(file);
	return rc;
}

static unsigned int landlock_abi(void)
{
	long abi = syscall(__NR_landlock_create_ruleset, NULL, (size_t)0,
			   LANDLOCK_ASK_VERSION);

	return abi < 0 ? 0 : (unsigned int)abi;
}

int machine_fill_kernel(struct fence_facts *facts, bool wants_mounts)
{
	int rc = fill_proc(facts);

	if (rc == 0)
		rc = fill_sockets(facts);
	if (rc == 0 && wants_mounts)
		rc = fill_mounts(facts);
	facts->landlock_abi = landlock_abi();
	return rc;
}
