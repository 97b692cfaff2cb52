/* SPDX-License-Identifier: MIT */
/* run_entry: a run's own line in the list of runs. */
#include "run_entry.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime_dir.h"
#include "text.h"

void run_entry_init(struct run_entry *entry)
{
	*entry = (struct run_entry){.folder = -1};
}

void run_entry_prepare(struct run_entry *entry, const char *run)
{
	registry_name(run, entry->name);
	entry->folder = runtime_dir_folder();
}

static void fill(char *to, size_t size, const char *from)
{
	struct text text;

	text_init(&text, to, size);
	text_add(&text, from);
}

void run_entry_write(const struct run_entry *entry, const char *run,
		     const char *audit, pid_t command, const char *name)
{
	struct registry_entry line = {.pid_ns = process_pid_ns(command)};
	struct timespec now;

	if (entry->folder < 0 || line.pid_ns == 0 ||
	    !process_id_of(getpid(), &line.runner) ||
	    !process_id_of(command, &line.command))
		return;
	(void)clock_gettime(CLOCK_REALTIME, &now);
	line.began_ms =
		(uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
	fill(line.run, sizeof(line.run), run);
	fill(line.audit, sizeof(line.audit), audit);
	fill(line.name, sizeof(line.name), name);
	(void)!registry_add(entry->folder, entry->name, &line);
}

void run_entry_remove(struct run_entry *entry)
{
	if (entry->folder >= 0) {
		(void)unlinkat(entry->folder, entry->name, 0);
		(void)close(entry->folder);
	}
	run_entry_init(entry);
}
