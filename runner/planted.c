/* SPDX-License-Identifier: MIT */
/* planted: what a run made or changed and other programs obey or execute
 * later. */
#include "planted.h"

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fence_tables.h"
#include "paths.h"
#include "text.h"
#include "tree_walk.h"

/* Looking must not keep the user waiting; what was left out is said. */
#define NAMES_MAX      ((size_t)200000)
#define MS_MAX         400

#define LINES_MAX      20
#define NAME_MAX_BYTES 1024

/* What is to be said of one kind: the first names, and how many there are. */
struct told {
	unsigned int count;
	char *lines[LINES_MAX];
};

struct list {
	const struct timespec *began;
	struct told planted;
	struct told setuid;
	bool is_cut;
};

/* The part of @rest that follows the folder @name in it, or NULL. */
static const char *below(const char *rest, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = rest; (at = strstr(at, name)) != NULL; at++)
		if ((at == rest || at[-1] == '/') && at[len] == '/')
			return at + len + 1;
	return NULL;
}

static bool ends_with(const char *rest, const char *name)
{
	size_t len = strlen(rest);
	size_t n = strlen(name);

	return len >= n && strcmp(rest + len - n, name) == 0 &&
	       (len == n || rest[len - n - 1] == '/');
}

static bool is_hook(const char *inner)
{
	static const char sample[] = ".sample";
	const char *hook = strncmp(inner, "hooks/", 6) == 0
				   ? inner
				   : below(inner, "hooks");
	size_t len = strlen(inner);

	/* git brings examples that it does not execute. */
	return hook != NULL &&
	       (len < sizeof(sample) ||
		strcmp(inner + len - sizeof(sample) + 1, sample) != 0);
}

/* In a repository, or in one of the repositories (submodules, worktrees) that
 * are kept in it; everything else there is data. */
static bool is_obeyed_by_git(const char *inner)
{
	static const char *const names[] = {"config", "config.worktree",
					    "commondir", "gitdir", NULL};

	for (size_t i = 0; names[i] != NULL; i++)
		if (ends_with(inner, names[i]) &&
		    (strchr(inner, '/') == NULL ||
		     strncmp(inner, "modules/", 8) == 0 ||
		     strncmp(inner, "worktrees/", 10) == 0))
			return true;
	return is_hook(inner);
}

bool planted_is_obeyed(const char *rest)
{
	const char *inner = below(rest, ".git");

	if (inner != NULL)
		return is_obeyed_by_git(inner);
	/* Packages bring such files by the hundred, and nobody works there. */
	if (below(rest, "node_modules") != NULL)
		return ends_with(rest, ".git");
	for (size_t i = 0; fence_protected[i] != NULL; i++)
		if (ends_with(rest, fence_protected[i]) ||
		    below(rest, fence_protected[i]) != NULL)
			return true;
	return false;
}

static bool is_new(const struct list *list, const struct stat *st)
{
	const struct timespec *changed = &st->st_ctim;
	const struct timespec *began = list->began;

	return changed->tv_sec > began->tv_sec ||
	       (changed->tv_sec == began->tv_sec &&
		changed->tv_nsec >= began->tv_nsec);
}

static void add_name(struct told *told, const struct tree_entry *entry)
{
	char name[NAME_MAX_BYTES];
	struct text t;

	if (told->count++ >= LINES_MAX)
		return;
	text_init(&t, name, sizeof(name));
	text_add_printable(&t, entry->root, strlen(entry->root));
	if (entry->rest[0] != '\0') {
		text_add(&t, "/");
		text_add_printable(&t, entry->rest, strlen(entry->rest));
	}
	if (entry->is_closed)
		text_add(&t, " (a folder that cannot be looked through)");
	told->lines[told->count - 1] = strdup(name);
}

static void judge(struct list *list, const struct tree_entry *entry,
		  const struct stat *st)
{
	bool is_file = S_ISREG(st->st_mode);

	if (!is_new(list, st))
		return;
	if (is_file && (st->st_mode & (S_ISUID | S_ISGID)) != 0)
		add_name(&list->setuid, entry);
	if (entry->is_closed || ((is_file || S_ISLNK(st->st_mode)) &&
				 planted_is_obeyed(entry->rest)))
		add_name(&list->planted, entry);
}

static int on_entry(const struct tree_entry *entry, void *arg)
{
	struct list *list = arg;
	struct stat st;

	if (fstatat(entry->dir_fd, entry->name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		judge(list, entry, &st);
	return 0;
}

/* A file that was granted by itself. */
static void look_at_file(struct list *list, const char *path)
{
	const struct tree_entry entry = {
		.root = path,
		.rest = "",
		.name = path,
		.dir_fd = AT_FDCWD,
	};

	(void)on_entry(&entry, list);
}

static bool was_writable(const struct plan_entry *e)
{
	return e->access == PLAN_WRITE && e->why != PLAN_FOR_PIN;
}

/* Another folder that is looked through holds it. */
static bool is_within_another(const struct fence_plan *plan, size_t at)
{
	const char *source = plan->entries[at].source;

	for (size_t i = 0; i < plan->entry_count; i++) {
		const struct plan_entry *e = &plan->entries[i];
		if (i == at || !was_writable(e))
			continue;
		if (path_is_below(source, e->source) ||
		    (i < at && strcmp(source, e->source) == 0))
			return true;
	}
	return false;
}

static void say(struct told *told, const char *title)
{
	if (told->count == 0)
		return;
	(void)fprintf(stderr,
		      "exeat: made or changed since this run began, "
		      "and %s:\n",
		      title);
	for (unsigned int i = 0; i < told->count && i < LINES_MAX; i++) {
		if (told->lines[i] != NULL)
			(void)fprintf(stderr, "  %s\n", told->lines[i]);
		free(told->lines[i]);
	}
	if (told->count > LINES_MAX)
		(void)fprintf(stderr, "  and %u more\n",
			      told->count - LINES_MAX);
}

void planted_say(const struct fence_plan *plan, const struct timespec *began)
{
	struct list list = {.began = began};
	const struct tree_walk walk = {
		.names_max = NAMES_MAX,
		.ms_max = MS_MAX,
		.on_entry = on_entry,
		.arg = &list,
	};

	for (size_t i = 0; i < plan->entry_count; i++) {
		const struct plan_entry *e = &plan->entries[i];
		if (!was_writable(e) || is_within_another(plan, i))
			continue;
		if (!e->is_folder)
			look_at_file(&list, e->source);
		else if (tree_walk(e->source, &walk) != 0)
			list.is_cut = true;
	}
	say(&list.planted, "obeyed or executed by other programs later");
	say(&list.setuid, "run as their owner or group by whoever starts them "
			  "(setuid, setgid)");
	if (list.is_cut)
		(void)fputs("exeat: too many names to look through: other "
			    "files that are executed later may have been "
			    "changed\n",
			    stderr);
}
