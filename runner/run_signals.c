/* SPDX-License-Identifier: MIT */
/* run_signals: every signal of a run, read from a descriptor. */
#include "run_signals.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>

int run_signals_open(void)
{
	static const int numbers[] = {SIGCHLD, SIGWINCH, SIGCONT, SIGINT,
				      SIGTERM, SIGHUP,   SIGQUIT, SIGUSR1,
				      SIGUSR2, SIGTSTP};
	const struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigset_t set;

	(void)sigemptyset(&set);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct sigaction now;

		if (numbers[i] != SIGCHLD &&
		    sigaction(numbers[i], NULL, &now) == 0 &&
		    now.sa_handler == SIG_IGN)
			continue;
		(void)sigaddset(&set, numbers[i]);
	}
	/* An inherited SIG_IGN would reap our children behind our back. */
	const struct sigaction standard = {.sa_handler = SIG_DFL};
	if (sigaction(SIGCHLD, &standard, NULL) != 0 ||
	    sigaction(SIGPIPE, &ignore, NULL) != 0 ||
	    sigprocmask(SIG_BLOCK, &set, NULL) != 0)
		return -errno;
	int fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? -errno : fd;
}
