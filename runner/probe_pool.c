/* SPDX-License-Identifier: MIT */
/* probe_pool: runs probes side by side, each in a child, under a time limit. */
#include "probe_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"

_Static_assert(sizeof(struct probe_result) <= 4096,
	       "a result is one atomic write (pipe(7), PIPE_BUF)");

/** struct asked - a probe that is under way; @answer is -1 once it is over */
struct asked {
	const struct probe *probe;
	pid_t pid;
	int answer;
	int child_end;
};

static int64_t now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void run_probe(const void *arg)
{
	const struct asked *asked = arg;
	struct probe_result result = {.state = PROBE_BROKEN};

	asked->probe->measure(&result);
	(void)!write(asked->child_end, &result, sizeof(result));
	_exit(0);
}

static void start(struct asked *asked, const struct probe *probe)
{
	int ends[2];

	*asked = (struct asked){.probe = probe, .answer = -1, .child_end = -1};
	if (pipe2(ends, O_CLOEXEC) != 0)
		return;
	asked->answer = ends[0];
	asked->child_end = ends[1];
	asked->pid = child_fork(run_probe, asked);
	(void)close(ends[1]);
	asked->child_end = -1;
}

static void end(struct asked *asked)
{
	/* Its whole group: what it has started must not outlive it. */
	child_kill(asked->pid);
	asked->pid = 0;
	(void)close(asked->answer);
	asked->answer = -1;
}

static void set_lost(const struct probe *probe, enum probe_state state,
		     struct probe_result *result)
{
	*result = (struct probe_result){.state = PROBE_BROKEN};
	probe_say(result, state, probe->lost, probe->mend);
}

static void hear(struct asked *asked, struct probe_result *result_out)
{
	struct probe_result result;
	ssize_t n = read(asked->answer, &result, sizeof(result));

	if (n == (ssize_t)sizeof(result)) {
		*result_out = result;
	} else {
		set_lost(asked->probe, PROBE_BROKEN, result_out);
		probe_found(result_out, "the probe ended without an answer");
	}
	end(asked);
}

static size_t wait_for(struct asked *asked, size_t count, int timeout_ms,
		       struct pollfd *fds)
{
	size_t open = 0;

	for (size_t i = 0; i < count; i++) {
		fds[i] = (struct pollfd){.fd = asked[i].answer,
					 .events = POLLIN};
		open += asked[i].answer >= 0;
	}
	if (open > 0)
		(void)poll(fds, count, timeout_ms);
	return open;
}

/* Whoever left its group and its parent has become our child (subreaper). */
static void end_orphans(void)
{
	char line[4096];

	for (int tries = 0; tries < 100; tries++) {
		int fd = open("/proc/thread-self/children",
			      O_RDONLY | O_CLOEXEC);
		ssize_t n = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);
		if (fd >= 0)
			(void)close(fd);
		if (n <= 0)
			return;
		line[n] = '\0';
		for (char *at = line; *at != '\0';) {
			size_t len = strcspn(at, " ");
			uint64_t pid;
			if (text_parse_decimal(at, len, INT32_MAX, &pid))
				child_end((pid_t)pid);
			at += len + (at[len] == ' ');
		}
		while (waitpid(-1, NULL, 0) < 0 && errno == EINTR) {
		}
	}
}

void probe_pool_run(const struct probe *const *probes, size_t count,
		    unsigned int limit_ms, struct probe_result *results_out)
{
	struct asked asked[PROBE_MAX];
	struct pollfd fds[PROBE_MAX];
	int64_t deadline = now_ms() + limit_ms;
	int64_t left = limit_ms;

	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	for (size_t i = 0; i < count; i++) {
		start(&asked[i], probes[i]);
		set_lost(probes[i], PROBE_HANGS, &results_out[i]);
		probe_found(&results_out[i], "no answer within %u ms",
			    limit_ms);
	}
	while (left > 0 && wait_for(asked, count, (int)left, fds) > 0) {
		for (size_t i = 0; i < count; i++)
			if (asked[i].answer >= 0 && fds[i].revents != 0)
				hear(&asked[i], &results_out[i]);
		left = deadline - now_ms();
	}
	for (size_t i = 0; i < count; i++)
		if (asked[i].answer >= 0)
			end(&asked[i]);
	end_orphans();
}
