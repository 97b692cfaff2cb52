/* SPDX-License-Identifier: MIT */
/* daemon: exeat-proxy on its own: listeners, signals, reload, confinement. */
#include "daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include "confine.h"
#include "diag.h"
#include "handoff.h"
#include "listener.h"
#include "log.h"
#include "options.h"
#include "policy.h"
#include "server.h"
#include "text.h"

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

/* The line says that connections are taken from now on. */
static void announce(int fd, const char *where, FILE *out)
{
	struct netaddr addr;
	uint16_t port = 0;
	char text[NETADDR_TEXT_BYTES];

	if (!listener_address(fd, &addr, &port)) {
		(void)fprintf(out, "listening %s\n", where);
		return;
	}
	netaddr_format(&addr, text);
	(void)fprintf(out,
		      addr.family == AF_INET6 ? "listening [%s]:%u\n"
					      : "listening %s:%u\n",
		      text, (unsigned int)port);
}

static int add_listener(struct server *server, const char *where, FILE *out)
{
	struct diag diag = {.text = ""};
	int fd = listener_open(where, false, &diag);

	if (fd < 0) {
		log_warn("%s", diag.text);
		return -1;
	}
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	int rc = server_add_listener(server, fd, SERVER_HOST);
	if (rc == 0 && copy >= 0)
		announce(copy, where, out);
	else
		log_warn("%s: %s", where, strerror(rc != 0 ? -rc : errno));
	if (copy >= 0)
		(void)close(copy);
	return rc;
}

static int listen_everywhere(struct server *server,
			     const struct options *options,
			     const struct policy_strings *from_file, FILE *out)
{
	int rc = 0;

	for (size_t i = 0; i < options->listen_count && rc == 0; i++)
		rc = add_listener(server, options->listen[i], out);
	/* Flags stand in the place of the file's list. */
	for (size_t i = 0;
	     options->listen_count == 0 && i < from_file->count && rc == 0; i++)
		rc = add_listener(server, from_file->items[i], out);
	(void)fflush(out);
	return rc;
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

static bool has_unix(const struct options *options,
		     const struct policy_strings *from_file)
{
	bool found = false;

	for (size_t i = 0; i < options->listen_count; i++)
		found |= strncmp(options->listen[i], "unix:", 5) == 0;
	for (size_t i = 0; i < from_file->count; i++)
		found |= strncmp(from_file->items[i], "unix:", 5) == 0;
	return found;
}

int daemon_run(struct daemon *daemon, const struct options *options,
	       const struct policy_strings *from_file, FILE *out)
{
	static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};

	enum {
		COUNT = sizeof(numbers) / sizeof(numbers[0])
	};
	struct event events[COUNT];
	int rc = 0;

	for (int i = 0; i < COUNT; i++) {
		(void)evsignal_assign(&events[i], daemon->base, numbers[i],
				      on_signal, daemon);
		rc |= event_add(&events[i], NULL);
	}
	if (rc == 0)
		rc = listen_everywhere(daemon->server, options, from_file, out);
	if (rc == 0) {
		rc = -confine_daemon(options, has_unix(options, from_file));
		if (rc != 0)
			log_warn("confinement: %s", strerror(rc));
	}
	if (rc == 0)
		(void)event_base_dispatch(daemon->base);
	for (int i = 0; i < COUNT; i++)
		(void)event_del(&events[i]);
	return rc == 0 ? EXIT_SUCCESS : EXIT_OWN_FAILURE;
}
