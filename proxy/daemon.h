/* SPDX-License-Identifier: MIT */
/* daemon: exeat-proxy on its own: listeners, workers, signals, confinement. */
#ifndef DAEMON_H
#define DAEMON_H

#include <stdint.h>
#include <stdio.h>

struct event_base;
struct options;
struct policy;

#define DAEMON_HOSTS_PATH "/etc/hosts"

/* seq and conn of records: worker k counts from k times this. */
#define DAEMON_NUMBERS_PER_WORKER UINT64_C(1000000000000)

/**
 * struct daemon_settings - what to serve
 * @argc, @argv: the command line, read again for a reload
 * @policy_own:	taken over
 * @out:	is told each place once connections are taken there
 * @make_base:	an event loop; called in each worker
 */
struct daemon_settings {
	int argc;
	char **argv;
	const struct options *options;
	struct policy *policy_own;
	int audit_fd;
	FILE *out;
	struct event_base *(*make_base)(void);
};

/**
 * daemon_run() - listen, confine, and serve until a signal
 *
 * With one worker in this process, with several in one process for each.
 * Signals are heard before anybody is told that we listen.
 *
 * Return: the exit code.
 */
int daemon_run(const struct daemon_settings *settings);

#endif
