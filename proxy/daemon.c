/* SPDX-License-Identifier: MIT */
/* daemon: exeat-proxy on its own: listeners, signals, reload, confinement. */
#include "daemon.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include "confine.h"
#include "diag.h"
#include "handoff.h"
#include "log.h"
#include "options.h"
#include "places.h"
#include "policy.h"
#include "server.h"
#include "text.h"
#include "workers.h"

/**
 * struct daemon - what the signals need to know
 */
struct daemon {
	struct event_base *base;
	struct server *server;
	int argc;
	char **argv;
	bool is_leaving;
};

static void reload(struct daemon *daemon)
{
	struct diag diag = {.text = ""};
	struct policy *policy =
		options_build_policy(daemon->argc, daemon->argv, &diag);

	if (policy == NULL)
		log_warn("reload refused, the old policy stays: %s", diag.text);
	else if (server_reload(daemon->server, policy) != 0)
		log_warn("reload failed, the old policy stays: out of memory");
	else
		log_warn("policy reloaded");
}

/* The first SIGTERM lets tunnels end; another one does not. */
static void on_signal(evutil_socket_t number, short what, void *arg)
{
	struct daemon *daemon = arg;

	(void)what;
	if (number == SIGHUP)
		reload(daemon);
	else if (number == SIGTERM && !daemon->is_leaving)
		server_drain(daemon->server);
	else
		(void)event_base_loopbreak(daemon->base);
	daemon->is_leaving |= number != SIGHUP;
}

#define FOLDERS_MAX (OPTIONS_FILES_MAX + 8)

/* What a reload reads: the folders of the policy files, since a file may be
 * replaced by another, and what the resolver looks at. */
static int confine_daemon(const struct options *options, bool removes_files)
{
	static const char *const system_files[] = {
		DAEMON_HOSTS_PATH,    "/etc/resolv.conf",     "/etc/host.conf",
		"/etc/nsswitch.conf", "/run/systemd/resolve", "/dev/urandom",
	};

	enum {
		SYSTEM_COUNT = sizeof(system_files) / sizeof(system_files[0])
	};

	char folders[OPTIONS_FILES_MAX][PATH_MAX];
	const char *reads[FOLDERS_MAX];
	struct confine_settings settings = {.reads = reads,
					    .removes_files = removes_files};
	struct text t;

	for (; settings.count < SYSTEM_COUNT; settings.count++)
		reads[settings.count] = system_files[settings.count];
	for (size_t i = 0; i < options->file_count; i++) {
		const char *slash = strrchr(options->files[i], '/');

		text_init(&t, folders[i], sizeof(folders[i]));
		text_add_bytes(&t, options->files[i],
			       slash != NULL
				       ? (size_t)(slash - options->files[i]) + 1
				       : 0);
		if (slash == NULL)
			text_add(&t, ".");
		reads[settings.count++] = folders[i];
	}
	return confine_late(&settings);
}

/**
 * struct work - what a worker is made from
 * @policy:	the first worker to serve takes it over; each has its own copy
 */
struct work {
	const struct daemon_settings *settings;
	struct policy *policy;
	struct places places;
	size_t worker_count;
};

static bool has_unix(const struct places *places)
{
	bool found = false;

	for (size_t i = 0; i < places->count; i++)
		found |= strncmp(places->where[i], "unix:", 5) == 0;
	return found;
}

/* Until a signal. Return: the exit code. */
static int run_loop(struct daemon *daemon, struct work *work, size_t worker,
		    int ready_fd)
{
	static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};

	enum {
		COUNT = sizeof(numbers) / sizeof(numbers[0])
	};

	bool removes_files = has_unix(&work->places);
	struct event events[COUNT];
	int rc = 0;

	for (int i = 0; i < COUNT; i++) {
		(void)evsignal_assign(&events[i], daemon->base, numbers[i],
				      on_signal, daemon);
		rc |= event_add(&events[i], NULL);
	}
	if (rc == 0 && work->worker_count == 1)
		places_announce(&work->places, work->settings->out);
	if (rc == 0)
		rc = places_serve(&work->places, worker, daemon->server);
	if (rc == 0)
		rc = confine_daemon(work->settings->options, removes_files);
	if (rc == 0) {
		workers_say_ready(ready_fd);
		(void)event_base_dispatch(daemon->base);
	} else {
		log_warn("start: %s", strerror(-rc));
	}
	for (int i = 0; i < COUNT; i++)
		(void)event_del(&events[i]);
	return rc == 0 ? EXIT_SUCCESS : EXIT_OWN_FAILURE;
}

/* Numbers that no other worker gives: records of all are in one file. */
static uint64_t first_number(size_t worker)
{
	return (uint64_t)worker * DAEMON_NUMBERS_PER_WORKER;
}

static int serve(void *arg, size_t worker, int ready_fd)
{
	struct work *work = arg;
	const struct daemon_settings *settings = work->settings;
	struct daemon daemon = {
		.base = settings->make_base(),
		.argc = settings->argc,
		.argv = settings->argv,
	};
	int code = EXIT_OWN_FAILURE;

	if (daemon.base == NULL) {
		log_warn("event loop: %s", strerror(ENOMEM));
		return code;
	}
	daemon.server = server_new(&(struct server_settings){
		.base = daemon.base,
		.policy_own = work->policy,
		.audit_fd = settings->audit_fd,
		.first_seq = first_number(worker) + 1,
		.first_conn = first_number(worker),
		.shares = work->worker_count,
		.hosts_path = DAEMON_HOSTS_PATH,
	});
	work->policy = NULL;
	if (daemon.server == NULL)
		log_warn("server: %s", strerror(ENOMEM));
	else
		code = run_loop(&daemon, work, worker, ready_fd);
	server_free(daemon.server);
	event_base_free(daemon.base);
	return code;
}

static void announce(void *arg)
{
	struct work *work = arg;

	places_announce(&work->places, work->settings->out);
	places_close(&work->places);
}

int daemon_run(const struct daemon_settings *settings)
{
	const struct options *options = settings->options;
	const struct policy_strings *from_file =
		&settings->policy_own->proxy.listen;
	/* Flags stand in the place of the file's list. */
	bool has_flags = options->listen_count > 0;
	struct work work = {
		.settings = settings,
		.policy = settings->policy_own,
		.worker_count = (size_t)settings->policy_own->proxy.workers,
	};
	int code = EXIT_OWN_FAILURE;

	if (places_open(&work.places,
			has_flags ? options->listen : from_file->items,
			has_flags ? options->listen_count : from_file->count,
			work.worker_count) != 0)
		log_warn("nothing is served");
	else if (work.worker_count == 1)
		code = serve(&work, 0, -1);
	else
		code = workers_run(&(struct workers_settings){
			.count = work.worker_count,
			.serve = serve,
			.ready = announce,
			.arg = &work,
		});
	places_close(&work.places);
	policy_free(work.policy);
	return code;
}
