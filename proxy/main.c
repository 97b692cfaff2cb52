/* SPDX-License-Identifier: MIT */
/* main: exeat-proxy: options, descriptors, the loop, the exit code. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <event2/event.h>

#include "conf.h"
#include "confine.h"
#include "daemon.h"
#include "diag.h"
#include "handoff.h"
#include "handoff_link.h"
#include "log.h"
#include "options.h"
#include "policy.h"
#include "server.h"

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

static int run_handoff(struct event_base *base, struct server *server,
		       bool is_verbose)
{
	struct handoff_link link;

	int rc = server_ask_gate(server, HANDOFF_FD_SERVICE, is_verbose);
	if (rc == 0)
		rc = handoff_link_start(&link, base, server);
	if (rc != 0)
		return complain("handoff", -rc);
	(void)event_base_dispatch(base);
	handoff_link_clear(&link);
	return link.is_done ? EXIT_SUCCESS : EXIT_OWN_FAILURE;
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
	if (policy->proxy.admin != NULL)
		log_warn("proxy.admin: there is no admin port in this version");
	if (policy->audit.max_size_bytes > 0 || policy->audit.keep_ms > 0)
		log_warn("audit.max_size, audit.keep: the file is not rotated "
			 "in this version");
}

static int serve_run(const struct options *options, struct policy *policy_own,
		     int audit)
{
	struct event_base *base = make_base();
	int rc = EXIT_OWN_FAILURE;

	if (base == NULL) {
		policy_free(policy_own);
		return complain("event loop", ENOMEM);
	}
	struct server *server = server_new(&(struct server_settings){
		.base = base,
		.policy_own = policy_own,
		.audit_fd = audit,
		.run = options->run,
		.first_seq = HANDOFF_FIRST_PROXY_SEQ,
		.shares = 1,
		.hosts_path = DAEMON_HOSTS_PATH,
	});
	if (server == NULL)
		rc = complain("server", ENOMEM);
	else
		rc = run_handoff(base, server, options->is_verbose);
	server_free(server);
	event_base_free(base);
	return rc;
}

static int serve(int argc, char *argv[], const struct options *options,
		 struct policy *policy_own)
{
	int audit = open_audit(options, policy_own);

	if (audit < 0) {
		policy_free(policy_own);
		return EXIT_OWN_FAILURE;
	}
	if (options->run != NULL)
		return serve_run(options, policy_own, audit);
	tell_unserved(policy_own);
	return daemon_run(&(struct daemon_settings){
		.argc = argc,
		.argv = argv,
		.options = options,
		.policy_own = policy_own,
		.audit_fd = audit,
		.out = audit == STDOUT_FILENO ? stderr : stdout,
		.make_base = make_base,
	});
}

int main(int argc, char *argv[])
{
	const struct sigaction ignored = {.sa_handler = SIG_IGN};
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
		return serve(argc, argv, &options, policy);
	policy_free(policy);
	if (options.is_check)
		return EXIT_SUCCESS;
	log_warn("nowhere to listen: give --listen-on ADDRESS:PORT, for "
		 "example 127.0.0.1:8899");
	return EXIT_OWN_FAILURE;
}
