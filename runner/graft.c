/* SPDX-License-Identifier: MIT */
/* graft: puts files into the sandbox that bubblewrap builds. */
#include "graft.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "graft_file.h"
#include "graft_place.h"
#include "mount_calls.h"
#include "netns.h"
#include "plan_grafts.h"

/**
 * struct roots - the two views that bubblewrap's child has for a while
 * @plan:	what is put in
 * @host:	/oldroot
 * @sandbox:	/newroot
 */
struct roots {
	const struct fence_plan *plan;
	int host;
	int sandbox;
};

static int open_or_make(int root, const char *path, bool is_folder)
{
	int fd = place_open(root, path, O_PATH);

	if (fd != -ENOENT)
		return fd;
	int rc = place_make(root, path, is_folder);
	return rc != 0 ? rc : place_open(root, path, O_PATH);
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
	int source = place_open(roots->host, e->source, O_PATH);

	if (source < 0)
		return source;
	int place = open_or_make(roots->sandbox, e->path, e->is_folder);
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
	int null = place_open(roots->host, "/dev/null", O_PATH);

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
	int place = place_open(roots->sandbox, e->path, O_PATH);

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
	int place = place_open(roots->sandbox, e->path, O_PATH);
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

/* Over something of the host's it has to be a mount. */
static int provide(const struct roots *roots, const struct plan_entry *e)
{
	const struct plan_file *file = &roots->plan->files[e->file];
	int tree = -1;

	if (!e->is_over_host)
		return graft_file(roots->host, roots->sandbox, file);
	int place = place_open(roots->sandbox, e->path, O_PATH);
	if (place < 0)
		return place;
	int aside = graft_file_aside(roots->host, file);
	int rc = aside < 0 ? aside : 0;
	if (rc == 0) {
		tree = clone_source(aside, false);
		rc = tree < 0 ? tree : move_to(tree, place);
		(void)close(aside);
	}
	graft_file_forget();
	if (tree >= 0)
		(void)close(tree);
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
	case PLAN_FOLDER:
		return place_make(roots->sandbox, e->path, true);
	case PLAN_LINK:
		return graft_link(roots->sandbox, e->path, e->source);
	case PLAN_FILE:
		return provide(roots, e);
	case PLAN_PRIVATE:
	case PLAN_PROC:
	case PLAN_DEV:
		break;
	}
	return -EINVAL;
}

static void explain(struct text *why, const struct plan_entry *e, int rc)
{
	text_add(why, "putting ");
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

static int for_each(const struct roots *roots,
		    int (*step)(const struct roots *,
				const struct plan_entry *),
		    struct text *why)
{
	const struct fence_plan *plan = roots->plan;

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
	struct roots roots = {.plan = plan, .host = -1, .sandbox = -1};
	int rc = mntns_join(child);
	int done = -1;

	(void)umask(022);
	if (rc == 0)
		roots.host = open("/oldroot", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (roots.host >= 0)
		roots.sandbox =
			open(GRAFT_SANDBOX, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (rc != 0 || roots.sandbox < 0) {
		text_addf(why, "entering the sandbox's files: %s",
			  strerror(rc != 0 ? -rc : errno));
	} else {
		done = for_each(&roots, graft_entry, why);
		if (done == 0)
			done = for_each(&roots, seal_hidden, why);
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
