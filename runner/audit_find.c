/* SPDX-License-Identifier: MIT */
/* audit_find: which files hold the records that were asked for. */
#include "audit_find.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run_files.h"
#include "text.h"

static const char ending[] = ".jsonl";

void audit_paths_clear(struct audit_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		free(paths->items[i]);
	free(paths->items);
	*paths = (struct audit_paths){0};
}

static int is_run_file(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return entry->d_name[0] != '.' && len >= sizeof(ending) &&
	       strcmp(entry->d_name + len - (sizeof(ending) - 1), ending) == 0;
}

static char *join(const char *folder, const char *name)
{
	size_t size = strlen(folder) + strlen(name) + 2;
	char *path = malloc(size);

	if (path != NULL)
		(void)snprintf(path, size, "%s/%s", folder, name);
	return path;
}

/* Takes what @names points to. */
static int keep_paths(struct audit_paths *paths, const char *folder,
		      struct dirent **names, size_t count)
{
	paths->items = calloc(count + 1, sizeof(*paths->items));
	bool is_good = paths->items != NULL;

	for (size_t i = 0; i < count; i++) {
		if (is_good) {
			paths->items[i] = join(folder, names[i]->d_name);
			is_good = paths->items[i] != NULL;
			paths->count += is_good ? 1 : 0;
		}
		free(names[i]);
	}
	free(names);
	return is_good ? 0 : -ENOMEM;
}

int audit_find_runs(struct audit_paths *paths_out, struct diag *diag)
{
	struct audit_paths paths = {0};
	struct dirent **names = NULL;
	char folder[PATH_MAX];

	if (!run_files_folder(folder)) {
		diag_set(diag, "no place of runs: set HOME or XDG_STATE_HOME, "
			       "or name a file");
		return -1;
	}
	/* A run's name begins with its time, so names sort as time does. */
	int count = scandir(folder, &names, is_run_file, alphasort);
	if (count < 0 && errno != ENOENT) {
		diag_set(diag, "%s: %s", folder, strerror(errno));
		return -1;
	}
	if (count > 0 &&
	    keep_paths(&paths, folder, names, (size_t)count) != 0) {
		audit_paths_clear(&paths);
		diag_set(diag, "out of memory");
		return -1;
	}
	if (count == 0)
		free(names);
	*paths_out = paths;
	return 0;
}

/* "last" is 0 from the end, "last-2" two before it. */
static bool parse_last(const char *word, uint64_t *back)
{
	*back = 0;
	if (strncmp(word, "last", 4) != 0)
		return false;
	if (word[4] == '\0')
		return true;
	return word[4] == '-' &&
	       text_parse_decimal(word + 5, strlen(word + 5), 1000000, back);
}

static const char *name_of(const char *path)
{
	return strrchr(path, '/') + 1;
}

/* Return: the only one that begins so, or -1 with @diag set. */
static int match(const struct audit_paths *paths, const char *word,
		 struct diag *diag)
{
	size_t len = strlen(word);
	int found = -1;

	for (size_t i = 0; i < paths->count; i++) {
		const char *name = name_of(paths->items[i]);

		if (strncmp(name, word, len) != 0)
			continue;
		if (strcmp(name + len, ending) == 0)
			return (int)i;
		if (found >= 0) {
			diag_set(diag,
				 "%s: more than one run begins so: %s, "
				 "%s (exeat audit --by run lists them)",
				 word, name_of(paths->items[found]), name);
			return -1;
		}
		found = (int)i;
	}
	if (found < 0)
		diag_set(diag,
			 "%s: neither a file nor a run "
			 "(exeat audit --by run lists the runs)",
			 word);
	return found;
}

static int pick(const struct audit_paths *paths, const char *word,
		struct diag *diag)
{
	uint64_t back;

	if (!parse_last(word, &back))
		return match(paths, word, diag);
	if (back < paths->count)
		return (int)(paths->count - 1 - back);
	if (paths->count == 0)
		diag_set(diag, "no run has been recorded yet; name a file to "
			       "read another");
	else
		diag_set(diag, "%s: only %zu runs are kept", word,
			 paths->count);
	return -1;
}

char *audit_find_one(const char *word, struct diag *diag)
{
	struct audit_paths paths;
	char *found = NULL;

	if (word != NULL &&
	    (strcmp(word, "-") == 0 || strchr(word, '/') != NULL ||
	     access(word, F_OK) == 0)) {
		found = strdup(word);
		if (found == NULL)
			diag_set(diag, "out of memory");
		return found;
	}
	if (audit_find_runs(&paths, diag) != 0)
		return NULL;
	int at = pick(&paths, word != NULL ? word : "last", diag);
	if (at >= 0) {
		found = paths.items[at];
		paths.items[at] = NULL;
	}
	audit_paths_clear(&paths);
	return found;
}
