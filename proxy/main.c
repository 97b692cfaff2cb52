/* SPDX-License-Identifier: MIT */
/* main: exeat-proxy: options, descriptors, the loop, the exit code. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <event2/event.h>
#include <event2/event_struct.h>

#include "conf.h"
#include "confine.h"
#include "diag.h"
#include "handoff.h"
#include "handoff_link.h"
#include "listener.h"
#include "log.h"
#include "options.h"
#include "policy.h"
#include "server.h"
#include "text.h"

#define HOSTS_PATH     "/etc/hosts"
#define HELP_MAX_BYTES 8192

static int show_help(void)
{
	char flags[HELP_MAX_BYTES];

	conf_flags_help(flags, sizeof(flags));
	(void)printf(
		"usage: exeat-proxy [--config FILE] [FLAGS] --listen-on WHERE\n"
		"Lets programs connect where the policy says, by CONNECT, and\n"
		"records every attempt. Example:\n"
		"  exeat-proxy --allow example.com --listen-on 127.0.0.1:8899\n"
		"  curl -x http://127.0.0.1:8899 https://example.com/\n\n"
		"  --listen-on ADDR:PORT|unix:PATH  accept there; may be "
		"repeated;\n"
		"                                  port 0: any free one\n"
		"  --config, --policy FILE         read a policy file, "
		"policy(5)\n"
		"  --audit FILE|-                  append records to FILE; - "
		"and\n"
		"                                  default: standard output\n"
		"  --check                         validate and exit\n"
		"  --help, --version\n\n"
		"The policy:\n%s",
		flags);
	return 0;
}

static struct event_base *make_base(void)
{
	struct event_config *config = event_config_new();
	struct event_base *base = NULL;

	if (config == NULL)
		return NULL;
	/* No locks for one thread, no look at the environment, and changes of
	 * interest in one go: closing a socket then costs no epoll_ctl(2). */
	if (event_config_require_features(
		    config, EV_FEATURE_ET | EV_FEATURE_EARLY_CLOSE) == 0 &&
	    event_config_set_flag(
		    config, EVENT_BASE_FLAG_NOLOCK |
				    EVENT_BASE_FLAG_IGNORE_ENV |
				    EVENT_BASE_FLAG_EPOLL_USE_CHANGELIST) == 0)
		base = event_base_new_with_config(config);
	event_config_free(config);
	return base;
}

static int complain(const char *what, int error)
{
	log_warn("%s: %s", what, strerror(error));
	return EXIT_OWN_FAILURE;
}

static int run_handoff(struct event_base *base, struct server *server)
{
	struct handoff_link link;

	int rc = handoff_link_start(&link, base, server);
	if (rc != 0)
		return complain("handoff", -rc);
	(void)event_base_dispatch(base);
	handoff_link_clear(&link);
	return link.is_done ? EXIT_SUCCESS : EXIT_OWN_FAILURE;
}

/* What the signals of a daemon need to know. */
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
		HOSTS_PATH,           "/etc/resolv.conf",     "/etc/host.conf",
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

/* Signals are heard before anybody is told that we listen. */
static int run_alone(struct daemon *daemon, const struct options *options,
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
			(void)complain("confinement", rc);
	}
	if (rc == 0)
		(void)event_base_dispatch(daemon->base);
	for (int i = 0; i < COUNT; i++)
		(void)event_del(&events[i]);
	return rc == 0 ? EXIT_SUCCESS : EXIT_OWN_FAILURE;
}

/* Return: a descriptor, or -1 with a message. O_NOFOLLOW: whoever may write to
 * the folder must not choose which file grows. */
static int open_audit(const struct options *options,
		      const struct policy *policy)
{
	if (options->run != NULL)
		return HANDOFF_FD_AUDIT;
	if (options->audit_stdout || policy->audit.file == NULL)
		return STDOUT_FILENO;
	int fd = open(policy->audit.file,
		      O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
		      S_IRUSR | S_IWUSR);
	if (fd < 0)
		log_warn("audit file %s: %s", policy->audit.file,
			 strerror(errno));
	return fd;
}

/* What a file may ask for and this version does not do is said, not hidden. */
static void tell_unserved(const struct policy *policy)
{
	if (policy->proxy.workers > 1)
		log_warn("proxy.workers: one loop serves all clients in this "
			 "version");
	if (policy->proxy.admin != NULL)
		log_warn("proxy.admin: there is no admin port in this version");
	if (policy->audit.max_size_bytes > 0 || policy->audit.keep_ms > 0)
		log_warn("audit.max_size, audit.keep: the file is not rotated "
			 "in this version");
}

static int serve(const struct options *options, struct policy *policy_own,
		 struct daemon *daemon)
{
	int audit = open_audit(options, policy_own);

	if (options->run == NULL)
		tell_unserved(policy_own);
	const struct policy_strings listen = policy_own->proxy.listen;
	FILE *out = audit == STDOUT_FILENO ? stderr : stdout;
	int rc = EXIT_OWN_FAILURE;
	struct event_base *base = audit >= 0 ? make_base() : NULL;

	if (base == NULL) {
		policy_free(policy_own);
		return audit < 0 ? rc : complain("event loop", ENOMEM);
	}
	struct server *server = server_new(&(struct server_settings){
		.base = base,
		.policy_own = policy_own,
		.audit_fd = audit,
		.run = options->run,
		.first_seq = options->run != NULL ? HANDOFF_FIRST_PROXY_SEQ : 1,
		.hosts_path = HOSTS_PATH,
	});
	daemon->base = base;
	daemon->server = server;
	if (server == NULL)
		rc = complain("server", ENOMEM);
	else if (options->run != NULL)
		rc = run_handoff(base, server);
	else
		rc = run_alone(daemon, options, &listen, out);
	server_free(server);
	event_base_free(base);
	return rc;
}

int main(int argc, char *argv[])
{
	const struct sigaction ignored = {.sa_handler = SIG_IGN};
	struct daemon daemon = {.argc = argc, .argv = argv};
	struct options options = {.run = NULL};
	struct policy *policy = NULL;
	struct diag diag = {.text = ""};

	(void)sigaction(SIGPIPE, &ignored, NULL);
	int rc = confine_early();
	if (rc != 0)
		return complain("confinement", -rc);
	if (options_parse(argc, argv, &options, &policy, &diag) != 0) {
		if (options.run != NULL)
			handoff_say(HANDOFF_FD_RUNNER, HANDOFF_FAILED, 0, "%s",
				    diag.text);
		log_warn("%s", diag.text);
		return EXIT_OWN_FAILURE;
	}
	if (options.wants_help)
		return show_help();
	if (options.wants_version)
		return printf("exeat-proxy %s\n", EXEAT_VERSION) < 0;
	bool has_place = options.run != NULL || options.listen_count > 0 ||
			 policy->proxy.listen.count > 0;
	if (!options.is_check && has_place)
		return serve(&options, policy, &daemon);
	policy_free(policy);
	if (options.is_check)
		return EXIT_SUCCESS;
	log_warn("nowhere to listen: give --listen-on ADDRESS:PORT, for "
		 "example 127.0.0.1:8899");
	return EXIT_OWN_FAILURE;
}
