/* SPDX-License-Identifier: MIT */
/* daemon: exeat-proxy on its own: listeners, signals, reload, confinement. */
#ifndef DAEMON_H
#define DAEMON_H

#include <stdbool.h>
#include <stdio.h>

struct event_base;
struct options;
struct policy_strings;
struct server;

#define DAEMON_HOSTS_PATH "/etc/hosts"

/**
 * struct daemon - what its signals need to know
 * @argc, @argv: the command line, read again for a reload
 * @is_leaving:	the module's own
 */
struct daemon {
	struct event_base *base;
	struct server *server;
	int argc;
	char **argv;
	bool is_leaving;
};

/**
 * daemon_run() - listen, confine this process, and serve until a signal
 * @from_file:	where to listen unless @options says so
 * @out:	is told each place once connections are taken there
 *
 * Signals are heard before anybody is told that we listen.
 *
 * Return: the exit code.
 */
int daemon_run(struct daemon *daemon, const struct options *options,
	       const struct policy_strings *from_file, FILE *out);

#endif
