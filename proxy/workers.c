/* SPDX-License-Identifier: MIT */
/* workers: several processes that serve the same places. */
#include "workers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/wait.h>
#include <unistd.h>

#include "handoff.h"
#include "log.h"

/**
 * struct crew - the parent's view
 * @pids:	of those that live: the first @alive
 */
struct crew {
	pid_t *pids;
	size_t alive;
	bool is_leaving;
	int code;
};

static void tell(const struct crew *crew, int number)
{
	for (size_t i = 0; i < crew->alive; i++)
		(void)kill(crew->pids[i], number);
}

static void forget(struct crew *crew, pid_t pid)
{
	for (size_t i = 0; i < crew->alive; i++)
		if (crew->pids[i] == pid)
			crew->pids[i] = crew->pids[--crew->alive];
}

static void reap(struct crew *crew)
{
	int status = 0;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		bool is_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;

		forget(crew, pid);
		if (crew->is_leaving && is_well)
			continue;
		crew->code = EXIT_OWN_FAILURE;
		if (crew->is_leaving)
			continue;
		log_warn("a worker has ended; so do the others");
		crew->is_leaving = true;
		tell(crew, SIGTERM);
	}
}

static void watch(struct crew *crew, const sigset_t *heard)
{
	while (crew->alive > 0) {
		siginfo_t info;
		int number = sigwaitinfo(heard, &info);

		if (number == SIGCHLD) {
			reap(crew);
		} else if (number > 0) {
			crew->is_leaving |= number != SIGHUP;
			tell(crew, number);
		}
	}
}

/* In the new process: it ends when the parent does, however that happens. */
static int become_worker(pid_t parent, const sigset_t *before)
{
#ifdef __linux__
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
#endif
	(void)sigprocmask(SIG_SETMASK, before, NULL);
	return getppid() == parent ? 0 : -1;
}

/* Return: all have said so before their end of the pipe closed. */
static bool await_ready(int fd, size_t count)
{
	char bytes[64];

	while (count > 0) {
		ssize_t n = read(fd, bytes, sizeof(bytes));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		count -= (size_t)n < count ? (size_t)n : count;
	}
	return true;
}

void workers_say_ready(int ready_fd)
{
	if (ready_fd < 0)
		return;
	(void)!write(ready_fd, "r", 1);
	(void)close(ready_fd);
}

/* Return: -1 in the parent; in a worker its exit code. */
static int start_all(const struct workers_settings *settings, struct crew *crew,
		     const int ready[2], const sigset_t *before)
{
	pid_t parent = getpid();

	for (size_t i = 0; i < settings->count; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			(void)close(ready[0]);
			if (become_worker(parent, before) != 0)
				return EXIT_OWN_FAILURE;
			return settings->serve(settings->arg, i, ready[1]);
		}
		if (pid < 0) {
			log_warn("worker: %s", strerror(errno));
			crew->code = EXIT_OWN_FAILURE;
			break;
		}
		crew->pids[crew->alive++] = pid;
	}
	return -1;
}

static void hear(sigset_t *heard_out, sigset_t *before_out)
{
	(void)sigemptyset(heard_out);
	(void)sigaddset(heard_out, SIGTERM);
	(void)sigaddset(heard_out, SIGINT);
	(void)sigaddset(heard_out, SIGHUP);
	(void)sigaddset(heard_out, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, heard_out, before_out);
}

int workers_run(const struct workers_settings *settings)
{
	struct crew crew = {.code = EXIT_SUCCESS};
	sigset_t heard, before;
	int ready[2];

	crew.pids = calloc(settings->count, sizeof(*crew.pids));
	if (crew.pids == NULL || pipe2(ready, O_CLOEXEC) != 0) {
		log_warn("workers: %s", strerror(errno));
		free(crew.pids);
		return EXIT_OWN_FAILURE;
	}
	hear(&heard, &before);
	int code = start_all(settings, &crew, ready, &before);
	if (code >= 0) {
		free(crew.pids);
		return code;
	}
	(void)close(ready[1]);
	if (crew.code == EXIT_SUCCESS && await_ready(ready[0], crew.alive)) {
		settings->ready(settings->arg);
	} else {
		crew.code = EXIT_OWN_FAILURE;
		crew.is_leaving = true;
		tell(&crew, SIGTERM);
	}
	(void)close(ready[0]);
	watch(&crew, &heard);
	free(crew.pids);
	return crew.code;
}
