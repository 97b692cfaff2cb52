/* SPDX-License-Identifier: MIT */
/* exeat-ps: the runs of this user, and what each is doing. */
#include <inttypes.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "handoff.h"
#include "registry.h"
#include "run_use.h"
#include "text.h"

#define WATCH_MS     1000
#define NUMBER_BYTES 32

static const char help[] =
	"usage: exeat ps [--json] [--watch] [RUN]\n"
	"\n"
	"Lists the runs of this user: id, the command's process, age, "
	"processor "
	"time,\n"
	"memory, processes, open connections, denied attempts, command.\n"
	"With RUN (its id, the beginning of it, or its last eight digits) the "
	"processes\n"
	"of that run.\n"
	"\n"
	"  --json     one JSON array instead of a table\n"
	"  --watch    again every second\n"
	"\n"
	"Exit code: 0, 1 there is no such run, 125 error.\n";

static uint64_t now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void write_seconds(char out[static NUMBER_BYTES], uint64_t ms)
{
	uint64_t s = ms / 1000;

	if (s < 60)
		(void)snprintf(out, NUMBER_BYTES, "%" PRIu64 ".%" PRIu64 "s", s,
			       ms / 100 % 10);
	else if (s < 3600)
		(void)snprintf(out, NUMBER_BYTES, "%" PRIu64 "m%02" PRIu64 "s",
			       s / 60, s % 60);
	else
		(void)snprintf(out, NUMBER_BYTES, "%" PRIu64 "h%02" PRIu64 "m",
			       s / 3600, s / 60 % 60);
}

static void print_row(const struct registry_entry *entry,
		      const struct run_use *use, uint64_t now)
{
	char age[NUMBER_BYTES], cpu[NUMBER_BYTES], memory[NUMBER_BYTES],
		name[sizeof(entry->name) * 4];
	struct text text;

	write_seconds(age, now > entry->began_ms ? now - entry->began_ms : 0);
	write_seconds(cpu, use->cpu_ms);
	(void)snprintf(memory, sizeof(memory), "%" PRIu64 "M",
		       use->memory_kib / 1024);
	text_init(&text, name, sizeof(name));
	text_add_printable(&text, entry->name, strlen(entry->name));
	printf("%-26s %7d %7s %7s %6s %5u %7u %6u %s\n", entry->run,
	       entry->command.pid, age, cpu, memory, use->processes,
	       use->tunnels, use->denied, name);
}

static void print_json_row(const struct registry_entry *entry,
			   const struct run_use *use, uint64_t now)
{
	char name[sizeof(entry->name) * 8];
	struct text text;

	text_init(&text, name, sizeof(name));
	text_add_json(&text, entry->name, strlen(entry->name));
	printf("{\"run\":\"%s\",\"pid\":%d,\"runner\":%d,\"command\":%s,"
	       "\"age_ms\":%" PRIu64 ",\"cpu_ms\":%" PRIu64
	       ",\"memory_kib\":%" PRIu64 ",\"processes\":%u,\"tunnels\":%u,"
	       "\"denied\":%u}",
	       entry->run, entry->command.pid, entry->runner.pid, name,
	       now > entry->began_ms ? now - entry->began_ms : 0, use->cpu_ms,
	       use->memory_kib, use->processes, use->tunnels, use->denied);
}

static int print_runs(struct registry_entry *entries, struct run_use *uses,
		      bool is_json)
{
	size_t count = registry_list(entries, REGISTRY_MAX_RUNS);
	uint64_t now = now_ms();

	run_use_look(entries, count, uses);
	if (is_json)
		printf("[");
	else
		printf("%-26s %7s %7s %7s %6s %5s %7s %6s %s\n", "RUN", "PID",
		       "AGE", "CPU", "MEM", "PROCS", "TUNNELS", "DENIED",
		       "COMMAND");
	for (size_t i = 0; i < count; i++) {
		if (!is_json) {
			print_row(&entries[i], &uses[i], now);
			continue;
		}
		printf(i == 0 ? "" : ",\n");
		print_json_row(&entries[i], &uses[i], now);
	}
	if (is_json)
		printf("]\n");
	return fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
}

/** struct listing - how the processes of a run are printed */
struct listing {
	bool is_json;
	unsigned int count;
};

static void print_process(pid_t pid, void *arg)
{
	struct listing *listing = arg;
	char path[32], words[512], shown[sizeof(words) * 6];
	struct text text;

	(void)snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	FILE *file = fopen(path, "re");
	size_t n = file == NULL ? 0 : fread(words, 1, sizeof(words), file);
	if (file != NULL)
		(void)fclose(file);
	while (n > 0 && words[n - 1] == '\0')
		n--;
	for (size_t i = 0; i < n; i++)
		if (words[i] == '\0')
			words[i] = ' ';
	text_init(&text, shown, sizeof(shown));
	if (listing->is_json) {
		text_add_json(&text, words, n);
		printf("%s{\"pid\":%d,\"inner_pid\":%d,\"command\":%s}",
		       listing->count == 0 ? "" : ",\n", pid,
		       process_inner_pid(pid), shown);
	} else {
		text_add_printable(&text, words, n);
		printf("%7d %7d %s\n", pid, process_inner_pid(pid), shown);
	}
	listing->count++;
}

static int print_processes(const char *run, bool is_json)
{
	struct listing listing = {.is_json = is_json};
	struct registry_entry entry;
	size_t found = registry_find(run, &entry);

	if (found != 1) {
		(void)fprintf(stderr, "exeat: %s: %s\n", run,
			      found == 0 ? "there is no such run (exeat ps)"
					 : "more than one run begins so");
		return 1;
	}
	printf(is_json ? "[" : "    PID   INNER COMMAND\n");
	run_use_each(&entry, print_process, &listing);
	if (is_json)
		printf("]\n");
	return fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
}

/** struct ps - what was asked */
struct ps {
	const char *run;
	bool is_json;
	bool is_watch;
	bool wants_help;
};

static int parse(struct ps *ps, int argc, char *argv[])
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--json") == 0) {
			ps->is_json = true;
		} else if (strcmp(argv[i], "--watch") == 0) {
			ps->is_watch = true;
		} else if (strcmp(argv[i], "--help") == 0 ||
			   strcmp(argv[i], "-h") == 0) {
			ps->wants_help = true;
		} else if (argv[i][0] != '-' && ps->run == NULL) {
			ps->run = argv[i];
		} else {
			(void)fprintf(stderr,
				      "exeat: ps takes --json, --watch and one "
				      "run, not %s\n",
				      argv[i]);
			return -1;
		}
	}
	return 0;
}

int main(int argc, char *argv[])
{
	struct ps ps = {.run = NULL};

	if (parse(&ps, argc, argv) != 0)
		return EXIT_OWN_FAILURE;
	if (ps.wants_help) {
		(void)fputs(help, stdout);
		return fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
	}
	struct registry_entry *entries =
		calloc(REGISTRY_MAX_RUNS, sizeof(*entries));
	struct run_use *uses = calloc(REGISTRY_MAX_RUNS, sizeof(*uses));
	int rc = EXIT_OWN_FAILURE;

	while (entries != NULL && uses != NULL) {
		if (ps.is_watch && isatty(STDOUT_FILENO))
			printf("\033[H\033[2J");
		rc = ps.run != NULL ? print_processes(ps.run, ps.is_json)
				    : print_runs(entries, uses, ps.is_json);
		if (!ps.is_watch || rc != 0)
			break;
		(void)poll(NULL, 0, WATCH_MS);
	}
	free(entries);
	free(uses);
	return rc;
}
