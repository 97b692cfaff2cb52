/* SPDX-License-Identifier: MIT */
/*
 * exeat-init: holds the command back inside the sandbox until all is in place.
 *
 * How it works: bubblewrap executes it, in the finished sandbox, with the
 * command as arguments. It says READY on its pair with the runner (which
 * learns its pid from the credentials of that message), waits for GO, takes a
 * process group and the terminal, and executes the command in its own place.
 * End of file instead of GO means that the runner is gone: then the command
 * never runs. The pair closes on exec; if exec fails, FAILED carries errno, so
 * that 126 and 127 are exact.
 *
 * Started as exeat-connect it is `exeat connect` instead (connect.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "connect.h"
#include "handoff.h"

/* glibc before 2.34 has no close_range(); the kernel since 5.9. */
static int close_from(unsigned int first)
{
#ifdef SYS_close_range
	if (syscall(SYS_close_range, first, ~0U, 0) == 0)
		return 0;
#endif
	long max = sysconf(_SC_OPEN_MAX);
	for (long fd = (long)first; fd < max; fd++)
		(void)close((int)fd);
	return 0;
}

/* The terminal's foreground group is the command's, so that Ctrl-C and Ctrl-Z
 * reach it and nothing else. */
static void take_terminal(void)
{
	sigset_t ttou, before;

	(void)sigemptyset(&ttou);
	(void)sigaddset(&ttou, SIGTTOU);
	(void)sigprocmask(SIG_BLOCK, &ttou, &before);
	for (int fd = 0; fd <= 2; fd++)
		if (isatty(fd) && tcsetpgrp(fd, getpgrp()) == 0)
			break;
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
}

#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

static bool wait_for_go(struct handoff_message *message, int *domain_out)
{
	do {
		if (handoff_receive(HANDOFF_FD_INIT, message, domain_out) != 1)
			return false;
	} while (message->type != HANDOFF_GO);
	return true;
}

/* What was announced has to be there, and to hold. (NO_NEW_PRIVS is set.) */
static bool enter_domain(const struct handoff_message *message, int domain)
{
	if ((message->number & HANDOFF_GO_DOMAIN) == 0)
		return true;
	return domain >= 0 &&
	       syscall(SYS_landlock_restrict_self, domain, 0) == 0;
}

int main(int argc, char **argv)
{
	struct handoff_message message = {.type = HANDOFF_READY};
	int domain = -1;

	if (connect_is_asked(argc > 0 ? argv[0] : NULL))
		return connect_main(argc, argv);
	if (argc < 2)
		return EXIT_OWN_FAILURE;
	/* Set before anything can fork: a second copy of the pair would keep
	 * the runner from seeing our end. */
	if (fcntl(HANDOFF_FD_INIT, F_SETFD, FD_CLOEXEC) != 0 ||
	    handoff_send(HANDOFF_FD_INIT, &message, -1) != 0 ||
	    !wait_for_go(&message, &domain) || !enter_domain(&message, domain))
		return EXIT_OWN_FAILURE;

	/* Until now standard error was bubblewrap's, read by the runner. */
	if (dup2(HANDOFF_FD_INIT_STDERR, STDERR_FILENO) < 0 ||
	    close_from(HANDOFF_FD_INIT + 1) != 0)
		return EXIT_OWN_FAILURE;
	(void)setpgid(0, 0);
	if ((message.number & HANDOFF_GO_TERMINAL) != 0)
		take_terminal();

	(void)execvp(argv[1], argv + 1);
	handoff_say(HANDOFF_FD_INIT, HANDOFF_FAILED, (uint32_t)errno, "%s",
		    argv[1]);
	return errno == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE;
}
