/* SPDX-License-Identifier: MIT */
/* registry: which runs there are. */
#include "registry.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime_dir.h"
#include "text.h"

#define FILE_PREFIX "run-"

static const char magic[16] = "exeat-run 1\n";

void registry_name(const char *run, char name_out[static REGISTRY_NAME_BYTES])
{
	(void)snprintf(name_out, REGISTRY_NAME_BYTES, FILE_PREFIX "%s", run);
}

int registry_add(int folder, const char *name, struct registry_entry *entry)
{
	int rc = 0;
	int fd = openat(folder, name,
			O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW,
			0600);

	if (fd < 0)
		return -errno;
	memcpy(entry->magic, magic, sizeof(magic));
	if (write(fd, entry, sizeof(*entry)) != (ssize_t)sizeof(*entry))
		rc = -EIO;
	(void)close(fd);
	if (rc != 0)
		(void)unlinkat(folder, name, 0);
	return rc;
}

static bool is_ended(const char *text, size_t size)
{
	return memchr(text, '\0', size) != NULL;
}

/* Return: 1 whole; 0 not, or not yet: it is being written; -1 cannot be read.
 */
static int read_entry(const char *path, struct registry_entry *entry)
{
	int fd = runtime_dir_open(path);

	if (fd < 0)
		return -1;
	ssize_t n = read(fd, entry, sizeof(*entry));
	(void)close(fd);
	return n == (ssize_t)sizeof(*entry) &&
	       memcmp(entry->magic, magic, sizeof(magic)) == 0 &&
	       is_ended(entry->run, sizeof(entry->run)) &&
	       is_ended(entry->name, sizeof(entry->name)) &&
	       is_ended(entry->audit, sizeof(entry->audit));
}

static bool is_alive(const struct process_id *id)
{
	struct process_use use;

	return process_use_read(id->pid, &use) && use.started == id->started;
}

static int by_run(const void *a, const void *b)
{
	const struct registry_entry *left = a;
	const struct registry_entry *right = b;

	return strcmp(left->run, right->run);
}

size_t registry_list(struct registry_entry *entries_out, size_t max)
{
	char folder[PATH_MAX], path[PATH_MAX];
	const struct dirent *file;
	size_t count = 0;

	if (runtime_dir_path("", folder) != 0)
		return 0;
	DIR *dir = opendir(folder);
	while (dir != NULL && count < max && (file = readdir(dir)) != NULL) {
		struct registry_entry *entry = &entries_out[count];
		struct text text;

		if (strncmp(file->d_name, FILE_PREFIX,
			    sizeof(FILE_PREFIX) - 1) != 0)
			continue;
		text_init(&text, path, sizeof(path));
		text_addf(&text, "%s%s", folder, file->d_name);
		if (text.is_cut || read_entry(path, entry) != 1)
			continue;
		if (is_alive(&entry->runner))
			count++;
		else
			(void)unlink(path);
	}
	if (dir != NULL)
		(void)closedir(dir);
	qsort(entries_out, count, sizeof(*entries_out), by_run);
	return count;
}

static bool is_named(const struct registry_entry *entry, const char *name)
{
	const char *dash = strrchr(entry->run, '-');

	return strncmp(entry->run, name, strlen(name)) == 0 ||
	       (dash != NULL && strcmp(dash + 1, name) == 0);
}

size_t registry_find(const char *name, struct registry_entry *entry_out)
{
	struct registry_entry *entries =
		calloc(REGISTRY_MAX_RUNS, sizeof(*entries));
	size_t count = 0, found = 0;

	if (entries != NULL && name[0] != '\0')
		count = registry_list(entries, REGISTRY_MAX_RUNS);
	for (size_t i = 0; i < count; i++)
		if (is_named(&entries[i], name) && found++ == 0)
			*entry_out = entries[i];
	free(entries);
	return found;
}
