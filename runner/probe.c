/* SPDX-License-Identifier: MIT */
/* probe: what all probes have in common. */
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "handoff.h"

static void fill(char *to, size_t size, const char *from)
{
	struct text text;

	text_init(&text, to, size);
	if (from != NULL)
		text_add(&text, from);
}

void probe_say(struct probe_result *result, enum probe_state state,
	       const char *meaning, const char *remedy)
{
	result->state = (uint32_t)state;
	fill(result->meaning, sizeof(result->meaning), meaning);
	fill(result->remedy, sizeof(result->remedy), remedy);
}

void probe_found(struct probe_result *result, const char *format, ...)
{
	char line[sizeof(result->found)];
	struct text text;
	va_list args;

	va_start(args, format);
	(void)vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	/* Programs that were asked may have written anything. */
	text_init(&text, result->found, sizeof(result->found));
	text_add_printable(&text, line, strlen(line));
}

static _Noreturn void execute(char *const argv[], const int ends[static 2])
{
	int null = open("/dev/null", O_RDONLY);

	/* Even when we are killed it must not stay. */
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
	    dup2(ends[1], STDOUT_FILENO) >= 0 &&
	    dup2(ends[1], STDERR_FILENO) >= 0)
		(void)execvp(argv[0], argv);
	_exit(errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE);
}

static void read_all(int fd, struct text *output)
{
	char chunk[1024];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) != 0)
		if (n > 0)
			text_add_bytes(output, chunk, (size_t)n);
		else if (errno != EINTR)
			return;
}

int probe_execute(char *const argv[], struct text *output)
{
	int ends[2];
	int status;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return -errno;
	/* In our own process group: whoever ends us ends it as well. */
	pid_t pid = fork();
	if (pid == 0)
		execute(argv, ends);
	(void)close(ends[1]);
	if (pid < 0) {
		(void)close(ends[0]);
		return -EAGAIN;
	}
	read_all(ends[0], output);
	(void)close(ends[0]);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return WIFEXITED(status) ? WEXITSTATUS(status)
				 : EXIT_SIGNAL_BASE + WTERMSIG(status);
}

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	int rc = write(fd, text, strlen(text)) == (ssize_t)strlen(text)
			 ? 0
			 : -errno;
	(void)close(fd);
	return rc;
}

int probe_user_namespace(int flags)
{
	char map[64];
	unsigned int uid = geteuid(), gid = getegid();

	if (unshare(CLONE_NEWUSER | flags) != 0)
		return -errno;
	int rc = write_file("/proc/self/setgroups", "deny");
	(void)snprintf(map, sizeof(map), "%u %u 1", uid, uid);
	if (rc == 0)
		rc = write_file("/proc/self/uid_map", map);
	(void)snprintf(map, sizeof(map), "%u %u 1", gid, gid);
	return rc == 0 ? write_file("/proc/self/gid_map", map) : rc;
}
