/* SPDX-License-Identifier: MIT */
/* child: fork helpers that cannot outlive exeat, and place their descriptors.
 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "handoff.h"

/* Copies wait above every number that is a target. */
#define CHILD_SCRATCH_FD 64
#define CHILD_MAX_FDS    32

static void reset_signals(void)
{
	struct sigaction standard = {.sa_handler = SIG_DFL};
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		(void)sigaction(sig, &standard, NULL);
	(void)sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static _Noreturn void begin(child_main *run, const void *arg)
{
	reset_signals();
	(void)setsid();
	run(arg);
	_exit(EXIT_OWN_FAILURE);
}

static _Noreturn void begin_mortal(pid_t parent, child_main *run,
				   const void *arg)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0)
		_exit(EXIT_OWN_FAILURE);
	/* It may have died between fork and prctl: nobody would tell us. */
	if (getppid() != parent)
		_exit(EXIT_OWN_FAILURE);
	begin(run, arg);
}

pid_t child_fork(child_main *run, const void *arg)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid == 0)
		begin_mortal(parent, run, arg);
	return pid < 0 ? -errno : pid;
}

pid_t child_fork_watcher(child_main *run, const void *arg)
{
	pid_t pid = fork();

	if (pid == 0)
		begin(run, arg);
	return pid < 0 ? -errno : pid;
}

pid_t child_spawn(child_main *run, const void *arg)
{
	pid_t parent = getpid();
	/* The child goes deeper into our stack and never returns from here. */
	pid_t pid = vfork(); /* NOLINT(clang-analyzer-security.insecureAPI.*) */

	if (pid == 0)
		/* It makes system calls, and ends in exec or _exit. */
		/* NOLINTNEXTLINE(clang-analyzer-unix.Vfork) */
		begin_mortal(parent, run, arg);
	return pid < 0 ? -errno : pid;
}

int child_place_fds(const struct child_fd *fds, size_t count)
{
	int copies[CHILD_MAX_FDS];
	unsigned int next = 0;

	if (count > CHILD_MAX_FDS)
		return -E2BIG;
	for (size_t i = 0; i < count; i++) {
		copies[i] =
			fcntl(fds[i].from, F_DUPFD_CLOEXEC, CHILD_SCRATCH_FD);
		if (copies[i] < 0)
			return -errno;
	}
	for (size_t i = 0; i < count; i++)
		if (dup2(copies[i], fds[i].to) < 0)
			return -errno;
	/* From the lowest number on, close what lies between the targets. */
	for (;;) {
		unsigned int first = next, stop = ~0U;

		for (size_t i = 0; i < count; i++)
			if ((unsigned int)fds[i].to >= first &&
			    (unsigned int)fds[i].to < stop)
				stop = (unsigned int)fds[i].to;
		if (stop != first &&
		    syscall(SYS_close_range, first,
			    stop == ~0U ? stop : stop - 1, 0) != 0)
			return -errno;
		if (stop == ~0U)
			return 0;
		next = stop + 1;
	}
}

void child_end(pid_t pid)
{
	if (pid > 0)
		(void)kill(pid, SIGKILL);
}

void child_kill(pid_t pid)
{
	if (pid <= 0)
		return;
	(void)kill(-pid, SIGKILL);
	(void)kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
	}
}
