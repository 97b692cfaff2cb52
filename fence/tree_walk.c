/* SPDX-License-Identifier: MIT */
/* tree_walk: looks at every name below a folder, following no link. */
#include "tree_walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "arena.h"
#include "paths.h"

/* The clock is asked once for so many names. */
#define NAMES_PER_LOOK 256

/* A folder that is still to be looked through, the newest first. */
struct pending {
	const char *rest;
	struct pending *next;
};

struct state {
	const char *root;
	const struct tree_walk *walk;
	struct arena arena;
	struct pending *pending;
	int root_fd;
	size_t names;
	uint64_t ends_ms;
};

static uint64_t now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool is_over(const struct state *s)
{
	if (s->names >= s->walk->names_max)
		return true;
	return s->walk->ms_max > 0 && s->names % NAMES_PER_LOOK == 0 &&
	       now_ms() > s->ends_ms;
}

static int push(struct state *s, const char *rest)
{
	struct pending *p = arena_alloc(&s->arena, sizeof(*p));

	if (p == NULL)
		return -ENOMEM;
	p->rest = rest;
	p->next = s->pending;
	s->pending = p;
	return 0;
}

static int open_folder(const struct state *s, const char *rest)
{
	const struct open_how how = {
		.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
	};

	return (int)syscall(SYS_openat2, s->root_fd,
			    rest[0] == '\0' ? "." : rest, &how, sizeof(how));
}

static const char *rest_of(struct state *s, const char *folder,
			   const char *name)
{
	if (folder[0] == '\0')
		return arena_strndup(&s->arena, name, strlen(name));
	return path_join(&s->arena, folder, name);
}

static int look_at(struct state *s, int dir_fd, const char *folder,
		   const struct dirent *item)
{
	const char *rest = rest_of(s, folder, item->d_name);
	struct tree_entry entry = {
		.root = s->root,
		.rest = rest,
		.name = item->d_name,
		.dir_fd = dir_fd,
		.type = item->d_type,
	};

	if (rest == NULL)
		return -ENOMEM;
	s->names++;
	int rc = s->walk->on_entry(&entry, s->walk->arg);
	/* A file system that does not tell: opening will. */
	if (rc == 0 && (item->d_type == DT_DIR || item->d_type == DT_UNKNOWN))
		rc = push(s, rest);
	return rc;
}

static int tell_closed(const struct state *s, const char *rest)
{
	const struct tree_entry entry = {
		.root = s->root,
		.rest = rest,
		.name = rest,
		.dir_fd = s->root_fd,
		.type = DT_DIR,
		.is_closed = true,
	};

	return s->walk->on_entry(&entry, s->walk->arg);
}

/* One folder. */
static int look_through(struct state *s, const char *folder)
{
	int fd = open_folder(s, folder);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	int rc = 0;

	if (dir == NULL) {
		bool is_closed = errno == EACCES || errno == ENAMETOOLONG;
		if (fd >= 0)
			(void)close(fd);
		return is_closed && folder[0] != '\0' ? tell_closed(s, folder)
						      : 0;
	}
	for (struct dirent *item; rc == 0 && (item = readdir(dir)) != NULL;) {
		if (strcmp(item->d_name, ".") == 0 ||
		    strcmp(item->d_name, "..") == 0)
			continue;
		rc = is_over(s) ? 1 : look_at(s, fd, folder, item);
	}
	(void)closedir(dir);
	return rc;
}

int tree_walk(const char *root, const struct tree_walk *walk)
{
	struct state s = {
		.root = root,
		.walk = walk,
		.root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC),
		.ends_ms = walk->ms_max > 0 ? now_ms() + walk->ms_max : 0,
	};
	int rc = s.root_fd < 0 ? 0 : push(&s, "");

	while (rc == 0 && s.pending != NULL) {
		const char *folder = s.pending->rest;
		s.pending = s.pending->next;
		rc = look_through(&s, folder);
	}
	if (s.root_fd >= 0)
		(void)close(s.root_fd);
	arena_clear(&s.arena);
	return rc;
}
