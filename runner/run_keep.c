/* SPDX-License-Identifier: MIT */
/* run_keep: how long records of runs are kept (audit.keep, audit.max_size). */
#include "run_keep.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

/* A folder with more is looked at in part; the next run goes on. */
#define FILES_MAX 100000

/**
 * struct old - the file of a run
 */
struct old {
	char *name;
	uint64_t bytes;
	struct timespec written;
};

struct olds {
	struct old *items;
	size_t count;
	size_t room;
};

void run_keep_lock(int fd)
{
	/* Shared: runs may write to one file. Where locks do not work, a file
	 * that is written to is new, and so is none that would go. */
	(void)!flock(fd, LOCK_SH | LOCK_NB);
}

static bool is_run_file(const char *name)
{
	static const char ending[] = ".jsonl";
	size_t len = strlen(name);

	return name[0] != '.' && len >= sizeof(ending) &&
	       strcmp(name + len - (sizeof(ending) - 1), ending) == 0;
}

static bool add(struct olds *olds, const char *name, const struct stat *st)
{
	if (olds->count == olds->room) {
		size_t room = olds->room == 0 ? 64 : olds->room * 2;
		struct old *items =
			reallocarray(olds->items, room, sizeof(*items));

		if (items == NULL)
			return false;
		olds->items = items;
		olds->room = room;
	}
	struct old *old = &olds->items[olds->count];
	old->name = strdup(name);
	old->bytes = (uint64_t)st->st_size;
	old->written = st->st_mtim;
	olds->count += old->name != NULL ? 1 : 0;
	return old->name != NULL;
}

static void list(struct olds *olds, DIR *dir, const char *own)
{
	const struct dirent *entry;
	struct stat st;

	while (olds->count < FILES_MAX && (entry = readdir(dir)) != NULL) {
		if (!is_run_file(entry->d_name) ||
		    (own != NULL && strcmp(own, entry->d_name) == 0))
			continue;
		if (fstatat(dirfd(dir), entry->d_name, &st,
			    AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(st.st_mode) && !add(olds, entry->d_name, &st))
			break;
	}
}

static int by_age(const void *a, const void *b)
{
	const struct old *x = a, *y = b;

	if (x->written.tv_sec != y->written.tv_sec)
		return x->written.tv_sec < y->written.tv_sec ? -1 : 1;
	if (x->written.tv_nsec != y->written.tv_nsec)
		return x->written.tv_nsec < y->written.tv_nsec ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Only what nobody writes to. Return: it is gone. */
static bool remove_old(int folder, const char *name)
{
	int fd = openat(folder, name,
			O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	bool is_gone = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
		       unlinkat(folder, name, 0) == 0;

	if (fd >= 0)
		(void)close(fd);
	return is_gone;
}

static bool is_too_old(const struct old *old, uint64_t keep_ms)
{
	time_t now = time(NULL);

	return keep_ms > 0 && old->written.tv_sec < now &&
	       (uint64_t)(now - old->written.tv_sec) > keep_ms / 1000;
}

void run_keep_folder(const char *folder, const char *own, uint64_t keep_ms,
		     uint64_t max_bytes)
{
	struct olds olds = {0};
	DIR *dir = opendir(folder);
	uint64_t bytes = 0;

	if (dir == NULL)
		return;
	list(&olds, dir, own);
	if (olds.items == NULL)
		olds.count = 0;
	else
		qsort(olds.items, olds.count, sizeof(struct old), by_age);
	for (size_t i = 0; i < olds.count; i++)
		bytes += olds.items[i].bytes;
	for (size_t i = 0; i < olds.count; i++) {
		bool is_over = max_bytes > 0 && bytes > max_bytes;

		if ((is_over || is_too_old(&olds.items[i], keep_ms)) &&
		    remove_old(dirfd(dir), olds.items[i].name))
			bytes -= olds.items[i].bytes;
		free(olds.items[i].name);
	}
	free(olds.items);
	(void)closedir(dir);
}

void run_keep_file(const char *path, uint64_t max_bytes)
{
	char older[PATH_MAX];
	struct stat st;
	struct text t;

	if (max_bytes == 0 || lstat(path, &st) != 0 || !S_ISREG(st.st_mode) ||
	    (uint64_t)st.st_size <= max_bytes)
		return;
	text_init(&t, older, sizeof(older));
	text_addf(&t, "%s.1", path);
	if (!t.is_cut)
		(void)!rename(path, older);
}

void run_keep(const struct policy *policy, const char *path)
{
	char folder[PATH_MAX];
	const char *slash = strrchr(path, '/');
	struct text t;

	if (policy->audit.keep_ms == 0 && policy->audit.max_size_bytes == 0)
		return;
	if (policy->audit.file != NULL) {
		run_keep_file(path, policy->audit.max_size_bytes);
		return;
	}
	if (slash == NULL)
		return;
	text_init(&t, folder, sizeof(folder));
	text_add_bytes(&t, path, (size_t)(slash - path));
	run_keep_folder(folder, slash + 1, policy->audit.keep_ms,
			policy->audit.max_size_bytes);
}
