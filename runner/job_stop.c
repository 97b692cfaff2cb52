/* SPDX-License-Identifier: MIT */
/* job_stop: Ctrl-Z, carried from the run's own terminal to the user's shell. */
#include "job_stop.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Stopping takes a program microseconds, or as long as it tidies its screen. */
#define FIRST_LOOK_MS 20
#define LAST_STEP_MS  640

void job_stop_typed(struct job_stop *job, int64_t now_ms)
{
	*job = (struct job_stop){.due_ms = now_ms + FIRST_LOOK_MS,
				 .step_ms = FIRST_LOOK_MS};
}

bool job_stop_look(struct job_stop *job, pid_t pid, int64_t now_ms)
{
	if (job->due_ms == 0 || now_ms < job->due_ms)
		return false;
	job->step_ms *= 2;
	job->due_ms = job->step_ms > LAST_STEP_MS ? 0 : now_ms + job->step_ms;
	return job_stop_is_stopped(pid);
}

bool job_stop_is_stopped(pid_t pid)
{
	char path[32], stat[512];

	if (pid <= 0)
		return false;
	(void)snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t n = read(fd, stat, sizeof(stat) - 1);
	(void)close(fd);
	stat[n > 0 ? n : 0] = '\0';
	/* The name before it may hold anything, also parentheses. */
	const char *end = strrchr(stat, ')');
	return end != NULL && end[1] == ' ' && end[2] == 'T';
}

void job_stop_now(bool is_alone)
{
	sigset_t stop, before;

	(void)sigemptyset(&stop);
	(void)sigaddset(&stop, SIGTSTP);
	(void)sigprocmask(SIG_UNBLOCK, &stop, &before);
	(void)kill(is_alone ? getpid() : 0, SIGTSTP);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
}
