/* SPDX-License-Identifier: MIT */
/* graft: puts what the host shows into the sandbox that bubblewrap builds. */
#include "graft.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mount_calls.h"
#include "netns.h"
#include "plan_grafts.h"

/**
 * struct roots - the two views that bubblewrap's child has for a while
 * @host:	/oldroot
 * @sandbox:	/newroot
 */
struct roots {
	int host;
	int sandbox;
};

/* The thing at @path itself. Return: an O_PATH descriptor or -errno. */
static int open_exactly(int root, const char *path)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS |
			   RESOLVE_IN_ROOT,
	};
	int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));

	return fd < 0 ? -errno : fd;
}

static int make_last(int folder, const char *name, bool is_folder)
{
	int fd = is_folder ? mkdirat(folder, name, 0755)
			   : openat(folder, name,
				    O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
				    0444);

	if (fd < 0)
		return errno == EEXIST ? 0 : -errno;
	if (!is_folder)
		(void)close(fd);
	return 0;
}

/* Makes @path, folder by folder; its last part as a file unless @is_folder. */
static int make_place(int root, const char *path, bool is_folder)
{
	int folder = openat(root, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	int rc = folder < 0 ? -errno : 0;

	while (rc == 0) {
		char name[256];
		path += strspn(path, "/");
		size_t len = strcspn(path, "/");
		bool is_last = path[len + strspn(path + len, "/")] == '\0';

		if (len >= sizeof(name)) {
			rc = -ENAMETOOLONG;
			break;
		}
		memcpy(name, path, len);
		name[len] = '\0';
		rc = make_last(folder, name, is_folder || !is_last);
		if (rc != 0 || is_last)
			break;
		int next =
			openat(folder, name,
			       O_PATH | O_NOFOLLOW | O_DIRECTORY | O_CLOEXEC);
		rc = next < 0 ? -errno : 0;
		(void)close(folder);
		folder = next;
		path += len;
	}
	if (folder >= 0)
		(void)close(folder);
	return rc;
}

static int open_place(int root, const struct plan_entry *e, bool is_folder)
{
	int fd = open_exactly(root, e->path);

	if (fd != -ENOENT)
		return fd;
	int rc = make_place(root, e->path, is_folder);
	return rc != 0 ? rc : open_exactly(root, e->path);
}

/* What @source shows, as a mount that is nowhere yet. */
static int clone_source(int source, bool is_writable)
{
	struct mount_attr attr = {
		.attr_set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
	};

	if (!is_writable)
		attr.attr_set |= MOUNT_ATTR_RDONLY;
	int tree = mount_clone(source);
	if (tree < 0)
		return -errno;
	if (mount_change(tree, AT_RECURSIVE, &attr) != 0) {
		int rc = -errno;
		(void)close(tree);
		return rc;
	}
	return tree;
}

static int move_to(int tree, int place)
{
	return mount_move(tree, place) == 0 ? 0 : -errno;
}

static bool is_same(int a, int b)
{
	struct stat left, right;

	return fstat(a, &left) == 0 && fstat(b, &right) == 0 &&
	       left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/* A protected path lies over itself: otherwise it has been exchanged. */
static bool is_exchanged(const struct plan_entry *e, int source, int place)
{
	return e->is_over_host && e->source != NULL &&
	       strcmp(e->path, e->source) == 0 && !is_same(source, place);
}

static int show(const struct roots *roots, const struct plan_entry *e)
{
	bool is_writable = e->access == PLAN_WRITE || e->access == PLAN_SOCKET;
	int source = open_exactly(roots->host, e->source);

	if (source < 0)
		return source;
	int place = open_place(roots->sandbox, e, e->is_folder);
	int tree = -1;
	int rc = place < 0 ? place : 0;
	if (rc == 0 && is_exchanged(e, source, place))
		rc = -ESTALE;
	if (rc == 0) {
		tree = clone_source(source, is_writable);
		rc = tree < 0 ? tree : move_to(tree, place);
	}
	if (tree >= 0)
		(void)close(tree);
	if (place >= 0)
		(void)close(place);
	(void)close(source);
	return rc;
}

/* A device without the right to be one opens for nobody. */
static int make_nothing(const struct roots *roots)
{
	int null = open_exactly(roots->host, "/dev/null");

	if (null < 0)
		return null;
	int tree = clone_source(null, false);
	(void)close(null);
	return tree;
}

static int make_empty_folder(void)
{
	int tree = mount_tmpfs("0555", MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);

	return tree < 0 ? -errno : tree;
}

static int hide(const struct roots *roots, const struct plan_entry *e)
{
	int place = open_exactly(roots->sandbox, e->path);

	/* What is gone by now is hidden well. */
	if (place == -ENOENT)
		return 0;
	if (place < 0)
		return place;
	int tree = e->access == PLAN_HIDE_FOLDER ? make_empty_folder()
						 : make_nothing(roots);
	int rc = tree < 0 ? tree : move_to(tree, place);
	if (tree >= 0)
		(void)close(tree);
	(void)close(place);
	return rc;
}

static int seal(const struct roots *roots, const struct plan_entry *e)
{
	struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY};
	int place = open_exactly(roots->sandbox, e->path);
	int rc = 0;

	if (place < 0)
		return e->access == PLAN_HIDE_FOLDER && place == -ENOENT
			       ? 0
			       : place;
	if (mount_change(place, 0, &attr) != 0)
		rc = -errno;
	(void)close(place);
	return rc;
}

static int graft_entry(const struct roots *roots, const struct plan_entry *e)
{
	switch (e->access) {
	case PLAN_READ:
	case PLAN_WRITE:
	case PLAN_SOCKET:
		return show(roots, e);
	case PLAN_HIDE_FOLDER:
	case PLAN_HIDE_FILE:
		return hide(roots, e);
	case PLAN_SEAL:
		return seal(roots, e);
	case PLAN_PRIVATE:
	case PLAN_FOLDER:
	case PLAN_LINK:
	case PLAN_FILE:
	case PLAN_PROC:
	case PLAN_DEV:
		break;
	}
	return -EINVAL;
}

static void explain(struct text *why, const struct plan_entry *e, int rc)
{
	text_add(why, "mounting ");
	text_add_printable(why, e->path, strlen(e->path));
	text_addf(why, " inside: %s", strerror(-rc));
	if (rc == -ENOSYS)
		text_add(why, "\n  exeat needs Linux 5.12 or newer");
	else if (rc == -ELOOP || rc == -ESTALE || rc == -ENOENT ||
		 rc == -ENOTDIR)
		text_add(why, "\n  it changed while the fence was raised: "
			      "another program works there, or put a link in "
			      "its place");
}

/* What is shown again below a hidden folder needs a place made in it, so such a
 * folder is sealed when all is in place. */
static int seal_hidden(const struct roots *roots, const struct plan_entry *e)
{
	return e->access == PLAN_HIDE_FOLDER ? seal(roots, e) : 0;
}

static int for_each(const struct roots *roots, const struct fence_plan *plan,
		    int (*step)(const struct roots *,
				const struct plan_entry *),
		    struct text *why)
{
	for (size_t i = 0; i < plan->entry_count; i++) {
		const struct plan_entry *e = &plan->entries[i];
		int rc = plan_is_graft(plan, i) ? step(roots, e) : 0;
		if (rc != 0) {
			explain(why, e, rc);
			return -1;
		}
	}
	return 0;
}

/* bubblewrap makes its mounts slaves of the host's: a disk that is mounted
 * later would appear inside, writable, below whatever folder is shown. */
static int cut_off(const struct roots *roots)
{
	struct mount_attr attr = {.propagation = MS_PRIVATE};

	return mount_change(roots->sandbox, AT_RECURSIVE, &attr) == 0 ? 0
								      : -errno;
}

int graft(const struct fence_plan *plan, pid_t child, struct text *why)
{
	struct roots roots = {-1, -1};
	int rc = mntns_join(child);
	int done = -1;

	if (rc == 0)
		roots.host = open("/oldroot", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (roots.host >= 0)
		roots.sandbox =
			open(GRAFT_SANDBOX, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (rc != 0 || roots.sandbox < 0) {
		text_addf(why, "entering the sandbox's files: %s",
			  strerror(rc != 0 ? -rc : errno));
	} else {
		done = for_each(&roots, plan, graft_entry, why);
		if (done == 0)
			done = for_each(&roots, plan, seal_hidden, why);
		rc = done == 0 ? cut_off(&roots) : 0;
		if (rc != 0) {
			text_addf(why, "keeping later mounts out: %s",
				  strerror(-rc));
			done = -1;
		}
	}
	if (roots.host >= 0)
		(void)close(roots.host);
	if (roots.sandbox >= 0)
		(void)close(roots.sandbox);
	return done;
}
