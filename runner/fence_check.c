/* SPDX-License-Identifier: MIT */
/* fence_check: looks whether the fence that was raised is the one that was
 * planned. */
#include "fence_check.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The thing at @path itself: no link on the way is followed. @root AT_FDCWD:
 * the host's. Return: 0 or -errno. */
static int look(int root, const char *path, struct stat *st_out)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};

	if (root != AT_FDCWD)
		how.resolve |= RESOLVE_IN_ROOT;
	int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
	if (fd < 0)
		return -errno;
	int rc = fstat(fd, st_out) == 0 ? 0 : -errno;
	(void)close(fd);
	return rc;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The next entry that lies over the same path is what is seen there. */
static bool is_covered(const struct fence_plan *plan, size_t at)
{
	return at + 1 < plan->entry_count &&
	       strcmp(plan->entries[at].path, plan->entries[at + 1].path) == 0;
}

static int check_entry(const struct plan_entry *e, int root)
{
	struct stat host = {.st_ino = 0}, inside = {.st_ino = 0};
	bool is_shown = e->access == PLAN_READ || e->access == PLAN_WRITE ||
			e->access == PLAN_SOCKET;
	bool is_hidden =
		e->access == PLAN_HIDE_FOLDER || e->access == PLAN_HIDE_FILE;

	if (!is_shown && !is_hidden)
		return 0;
	int rc = look(root, e->path, &inside);
	if (rc == 0)
		rc = look(AT_FDCWD, is_shown ? e->source : e->path, &host);
	/* What is hidden may be gone by now; then it is hidden well. */
	if (is_hidden && rc == -ENOENT)
		return 0;
	if (rc != 0)
		return rc;
	return is_same(&host, &inside) == is_shown ? 0 : -ESTALE;
}

int fence_check(const struct fence_plan *plan, pid_t init, struct text *why)
{
	char path[64];
	int rc = 0;

	(void)snprintf(path, sizeof(path), "/proc/%ld/root", (long)init);
	int root = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0) {
		text_addf(why, "the sandbox's files cannot be looked at: %s",
			  strerror(errno));
		return -1;
	}
	for (size_t i = 0; rc == 0 && i < plan->entry_count; i++) {
		if (is_covered(plan, i))
			continue;
		rc = check_entry(&plan->entries[i], root);
		if (rc != 0)
			text_addf(why,
				  "%s changed while the fence was raised "
				  "(%s): another program works in that folder, "
				  "or a link was put there",
				  plan->entries[i].path, strerror(-rc));
	}
	(void)close(root);
	return rc == 0 ? 0 : -1;
}
