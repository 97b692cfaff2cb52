/* SPDX-License-Identifier: MIT */
/*
 * exeat-kill: end a run, or one process of it, and nothing else.
 *
 * How it works: a process is held by a pidfd before it is looked at, so the one
 * that was looked at is the one that is signalled. It has to be in the pid
 * namespace of a run of ours, whose runner is alive: that is the group that
 * exeat started, and no process can enter it from outside.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "handoff.h"
#include "registry.h"
#include "text.h"

#define GRACE_MS 5000

static const char help[] =
	"usage: exeat kill [-SIGNAL] RUN [PID]\n"
	"\n"
	"Ends a run: TERM to its command, KILL to all of it five seconds "
	"later. "
	"RUN is its\n"
	"id, the beginning of it, or its last eight digits (exeat ps).\n"
	"With PID, a signal to that process of the run alone (exeat ps RUN).\n"
	"\n"
	"  -SIGNAL    another signal than TERM: INT, HUP, QUIT, KILL, USR1, "
	"USR2, STOP,\n"
	"             CONT or a number; it is sent once, and nothing follows\n"
	"\n"
	"Exit code: 0 done, 1 no such run or process, 125 error.\n";

static int send_signal(int pidfd, int number)
{
	return syscall(SYS_pidfd_send_signal, pidfd, number, NULL, 0) == 0
		       ? 0
		       : -errno;
}

static bool parse_signal(const char *word, int *number_out)
{
	static const struct {
		const char *name;
		int number;
	} names[] = {
		{"TERM", SIGTERM},
                {"INT",  SIGINT },
                {"HUP",  SIGHUP },
		{"QUIT", SIGQUIT},
                {"KILL", SIGKILL},
                {"USR1", SIGUSR1},
		{"USR2", SIGUSR2},
                {"STOP", SIGSTOP},
                {"CONT", SIGCONT},
	};

	uint64_t number;

	if (strncmp(word, "SIG", 3) == 0)
		word += 3;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(word, names[i].name) == 0) {
			*number_out = names[i].number;
			return true;
		}
	if (!text_parse_decimal(word, strlen(word), 64, &number) || number == 0)
		return false;
	*number_out = (int)number;
	return true;
}

static int say(const char *what, const char *why)
{
	(void)fprintf(stderr, "exeat: %s: %s\n", what, why);
	return 1;
}

static int kill_process(const struct registry_entry *entry, const char *word,
			int number)
{
	uint64_t pid;

	if (!text_parse_decimal(word, strlen(word), INT32_MAX, &pid) ||
	    pid == 0)
		return say(word, "not the number of a process");
	if (pid == 1)
		return say(word, "process 1 is never signalled");
	int pidfd = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
	if (pidfd < 0)
		return say(word, "there is no such process");
	int rc;
	if (process_pid_ns((pid_t)pid) != entry->pid_ns)
		rc = say(word, "not a process of this run (exeat ps RUN)");
	else if (process_inner_pid((pid_t)pid) == 1)
		rc = say(word, "the sandbox's own first process is not "
			       "signalled; exeat kill RUN ends all of it");
	else if ((rc = send_signal(pidfd, number)) != 0)
		rc = say(word, strerror(-rc));
	(void)close(pidfd);
	return rc;
}

static bool has_ended(int pidfd)
{
	struct pollfd end = {.fd = pidfd, .events = POLLIN};

	return poll(&end, 1, GRACE_MS) == 1;
}

/* By way of the runner, which passes it on to the command's group. */
static int end_run(const struct registry_entry *entry)
{
	int runner = process_id_open(&entry->runner);
	int command = process_id_open(&entry->command);
	int rc = runner < 0 ? 0 : send_signal(runner, SIGTERM);

	if (rc == 0 && runner >= 0 && !has_ended(runner)) {
		/* Its end takes everything inside with it. */
		if (command >= 0)
			(void)!send_signal(command, SIGKILL);
		if (!has_ended(runner))
			rc = send_signal(runner, SIGKILL);
	}
	if (command >= 0)
		(void)close(command);
	if (runner >= 0)
		(void)close(runner);
	return rc == 0 || rc == -ESRCH ? 0 : say(entry->run, strerror(-rc));
}

static int signal_run(const struct registry_entry *entry, int number)
{
	int command = process_id_open(&entry->command);

	if (command < 0)
		return say(entry->run, "its command has ended");
	int rc = send_signal(command, number);
	(void)close(command);
	return rc == 0 ? 0 : say(entry->run, strerror(-rc));
}

int main(int argc, char *argv[])
{
	struct registry_entry entry;
	int number = SIGTERM;
	int i = 1;

	if (argc > 1 &&
	    (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		(void)fputs(help, stdout);
		return fflush(stdout) == 0 ? 0 : EXIT_OWN_FAILURE;
	}
	bool is_given = i < argc && argv[i][0] == '-';
	if (is_given && !parse_signal(argv[i] + 1, &number)) {
		(void)say(argv[i], "no such signal (exeat kill --help)");
		return EXIT_OWN_FAILURE;
	}
	i += is_given;
	if (argc - i < 1 || argc - i > 2) {
		(void)fputs("exeat: say which run: exeat kill RUN [PID] (exeat "
			    "ps lists them)\n",
			    stderr);
		return EXIT_OWN_FAILURE;
	}
	size_t found = registry_find(argv[i], &entry);
	if (found != 1)
		return say(argv[i], found == 0
					    ? "there is no such run (exeat ps)"
					    : "more than one run begins so");
	if (argc - i == 2)
		return kill_process(&entry, argv[i + 1], number);
	return is_given ? signal_run(&entry, number) : end_run(&entry);
}
