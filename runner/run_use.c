/* SPDX-License-Identifier: MIT */
/* run_use: what a run is doing and taking at the moment. */
#include "run_use.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

static void each_process(void (*one)(pid_t pid, void *arg), void *arg)
{
	DIR *proc = opendir("/proc");
	const struct dirent *entry;
	uint64_t pid;

	while (proc != NULL && (entry = readdir(proc)) != NULL)
		if (text_parse_decimal(entry->d_name, strlen(entry->d_name),
				       INT32_MAX, &pid) &&
		    pid > 0)
			one((pid_t)pid, arg);
	if (proc != NULL)
		(void)closedir(proc);
}

/** struct search - which run's processes, and who wants them */
struct search {
	const struct registry_entry *entry;
	void (*one)(pid_t pid, void *arg);
	void *arg;
};

static void take_if_inside(pid_t pid, void *arg)
{
	const struct search *search = arg;

	if (search->entry->pid_ns != 0 &&
	    process_pid_ns(pid) == search->entry->pid_ns)
		search->one(pid, search->arg);
}

void run_use_each(const struct registry_entry *entry,
		  void (*one)(pid_t pid, void *arg), void *arg)
{
	struct search search = {.entry = entry, .one = one, .arg = arg};

	each_process(take_if_inside, &search);
}

static void add_process(pid_t pid, void *arg)
{
	struct run_use *use = arg;
	struct process_use process;
	uint64_t ticks_per_s = (uint64_t)sysconf(_SC_CLK_TCK);

	if (!process_use_read(pid, &process))
		return;
	use->processes++;
	use->cpu_ms += process.ticks * 1000 / ticks_per_s;
	use->memory_kib += process.rss_kib;
}

/* A quote inside a JSON string is escaped, so these stand for what they say
 * (audit_format()). */
static void count_record(const char *line, struct run_use *use,
			 unsigned int *closed)
{
	if (strstr(line, "\"event\":\"close\"") != NULL)
		(*closed)++;
	if (strstr(line, "\"event\":\"decision\"") == NULL)
		return;
	if (strstr(line, "\"verdict\":\"deny\"") != NULL)
		use->denied++;
	else if (strstr(line, "\"conn\":") != NULL)
		use->tunnels++;
}

static void count_records(const struct registry_entry *entry,
			  struct run_use *use)
{
	char run[AUDIT_RUN_ID_BYTES + 16];
	FILE *file = fopen(entry->audit, "re");
	unsigned int closed = 0;
	char *line = NULL;
	size_t size = 0;

	(void)snprintf(run, sizeof(run), "\"run\":\"%s\"", entry->run);
	/* A file that the user named may hold records of other runs. */
	while (file != NULL && getline(&line, &size, file) > 0)
		if (strstr(line, run) != NULL)
			count_record(line, use, &closed);
	use->tunnels = use->tunnels > closed ? use->tunnels - closed : 0;
	free(line);
	if (file != NULL)
		(void)fclose(file);
}

void run_use_look(const struct registry_entry *entries, size_t count,
		  struct run_use *uses_out)
{
	for (size_t i = 0; i < count; i++) {
		uses_out[i] = (struct run_use){.processes = 0};
		run_use_each(&entries[i], add_process, &uses_out[i]);
		count_records(&entries[i], &uses_out[i]);
	}
}
