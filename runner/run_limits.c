/* SPDX-License-Identifier: MIT */
/* run_limits: how much memory and how many processes a run may use. */
#include "run_limits.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "text.h"

#define GROUP_PREFIX "exeat-"
#define NUMBER_BYTES 24
#define REMOVE_TRIES 200

/** struct kind - how the kernel names it */
static const struct kind {
	const char *word;
	const char *controller;
	const char *files[2]; /* of version 1 and 2 */
	int resource;
} kinds[LIMIT_KINDS] = {
	[LIMIT_MEMORY] = {"memory",
			  "memory", {"memory.limit_in_bytes", "memory.max"},
			  RLIMIT_DATA },
	[LIMIT_PROCESSES] = {"processes",
                          "pids",   {"pids.max", "pids.max"},
                          RLIMIT_NPROC},
};

void run_limits_init(struct run_limits *limits)
{
	*limits = (struct run_limits){.is_v2 = false};
}

/* A process that was reaped may stay in its group until the processor that it
 * died on has turned to another one. */
static void remove_group(const char *group)
{
	for (int tries = 0; tries < REMOVE_TRIES; tries++) {
		if (cgroup_remove(group) != -EBUSY)
			return;
		(void)poll(NULL, 0, 1);
	}
}

void run_limits_clear(struct run_limits *limits)
{
	for (size_t i = 0; i < LIMIT_KINDS; i++)
		if (limits->groups[i][0] != '\0')
			remove_group(limits->groups[i]);
	run_limits_init(limits);
}

/* Groups of runners that were killed: nobody else would remove them. The number
 * in the name is the runner's. */
static void remove_left_over(const struct cgroup_place *place)
{
	DIR *folder = opendir(place->folder);
	const size_t prefix = sizeof(GROUP_PREFIX) - 1;
	const struct dirent *entry;

	if (folder == NULL)
		return;
	while ((entry = readdir(folder)) != NULL) {
		const char *number = entry->d_name + prefix;
		char path[PATH_MAX];
		struct text text;
		uint64_t pid;

		if (strncmp(entry->d_name, GROUP_PREFIX, prefix) != 0 ||
		    !text_parse_decimal(number, strlen(number), INT32_MAX,
					&pid) ||
		    kill((pid_t)pid, 0) == 0 || errno != ESRCH)
			continue;
		text_init(&text, path, sizeof(path));
		text_addf(&text, "%s/%s", place->folder, entry->d_name);
		if (!text.is_cut)
			(void)cgroup_remove(path);
	}
	(void)closedir(folder);
}

static int fill_group(const char *group, enum limit_kind kind, bool is_v2,
		      uint64_t most)
{
	char number[NUMBER_BYTES];
	int rc;

	(void)snprintf(number, sizeof(number), "%llu",
		       (unsigned long long)most);
	rc = cgroup_write(group, kinds[kind].files[is_v2], number);
	if (rc != 0 || kind != LIMIT_MEMORY)
		return rc;
	/* Swap would be memory by another name; a kernel may be without. */
	if (is_v2) {
		(void)!cgroup_write(group, "memory.swap.max", "0");
		(void)!cgroup_write(group, "memory.oom.group", "1");
	} else {
		(void)!cgroup_write(group, "memory.memsw.limit_in_bytes",
				    number);
	}
	return 0;
}

static int hold_by_group(struct run_limits *limits, enum limit_kind kind,
			 uint64_t most, pid_t pid)
{
	struct cgroup_place place;
	char name[NUMBER_BYTES + sizeof(GROUP_PREFIX)], number[NUMBER_BYTES];
	char path[PATH_MAX];
	int rc = cgroup_find(&cgroup_kernel_files, kinds[kind].controller,
			     &place);

	if (rc != 0)
		return rc;
	remove_left_over(&place);
	(void)snprintf(name, sizeof(name), GROUP_PREFIX "%d", getpid());
	(void)snprintf(number, sizeof(number), "%d", pid);
	rc = cgroup_make(&place, name, path);
	if (rc != 0)
		return rc;
	memcpy(limits->groups[kind], path, strlen(path) + 1);
	limits->is_v2 = place.is_v2;
	rc = fill_group(path, kind, place.is_v2, most);
	return rc != 0 ? rc : cgroup_write(path, "cgroup.procs", number);
}

static int hold_by_rlimit(enum limit_kind kind, uint64_t most, pid_t pid)
{
	const struct rlimit limit = {.rlim_cur = most, .rlim_max = most};

	/* The kernel counts no processes of root's (fork(2), EAGAIN). */
	if (kind == LIMIT_PROCESSES && geteuid() == 0)
		return -EPERM;
	return prlimit(pid, kinds[kind].resource, &limit, NULL) == 0 ? 0
								     : -errno;
}

static int hold(struct run_limits *limits, enum limit_kind kind, uint64_t most,
		pid_t pid)
{
	struct text how;
	int rc = hold_by_group(limits, kind, most, pid);
	bool is_group = rc == 0;

	if (!is_group)
		rc = hold_by_rlimit(kind, most, pid);
	if (rc != 0)
		return rc;
	text_init(&how, limits->how + strlen(limits->how),
		  sizeof(limits->how) - strlen(limits->how));
	text_addf(&how, "%s%s by %s", limits->how[0] == '\0' ? "" : ", ",
		  kinds[kind].word,
		  !is_group       ? "rlimit"
		  : limits->is_v2 ? "cgroup 2"
				  : "cgroup 1");
	return 0;
}

int run_limits_apply(struct run_limits *limits, const struct policy *policy,
		     pid_t pid, struct diag *diag)
{
	const uint64_t most[LIMIT_KINDS] = {
		[LIMIT_MEMORY] = policy->limits.memory_bytes,
		[LIMIT_PROCESSES] = policy->limits.processes,
	};

	for (size_t i = 0; i < LIMIT_KINDS; i++) {
		int rc = most[i] == 0 ? 0
				      : hold(limits, (enum limit_kind)i,
					     most[i], pid);
		if (rc == 0)
			continue;
		diag_set(diag,
			 "limits.%s cannot be held here: no control group "
			 "can be made, and the resource limit is refused: %s "
			 "(exeat doctor says how to get a control group)",
			 kinds[i].word, strerror(-rc));
		return -1;
	}
	return 0;
}

/* "oom_kill N" stands in memory.events, before that in memory.oom_control. */
bool run_limits_killed(const struct run_limits *limits)
{
	static const char word[] = "oom_kill ";
	char path[PATH_MAX], line[512];
	struct text text;

	if (limits->groups[LIMIT_MEMORY][0] == '\0')
		return false;
	text_init(&text, path, sizeof(path));
	text_addf(&text, "%s/%s", limits->groups[LIMIT_MEMORY],
		  limits->is_v2 ? "memory.events" : "memory.oom_control");
	int fd = text.is_cut ? -1 : open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t n = read(fd, line, sizeof(line) - 1);
	(void)close(fd);
	line[n > 0 ? n : 0] = '\0';
	const char *at = strstr(line, word);
	return at != NULL && at[sizeof(word) - 1] != '0';
}
