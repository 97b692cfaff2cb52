/* SPDX-License-Identifier: MIT */
/* run: `exeat run`, from the command line to the exit code. */
#include "run.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "dry_run.h"
#include "handoff.h"
#include "help.h"
#include "host_listen.h"
#include "inner_domain.h"
#include "own_files.h"
#include "planted.h"
#include "programs.h"
#include "raise.h"
#include "run_entry.h"
#include "run_fence.h"
#include "run_keep.h"
#include "run_limits.h"
#include "run_options.h"
#include "run_records.h"
#include "run_signals.h"
#include "script.h"
#include "std_streams.h"
#include "supervise.h"
#include "text.h"

#define RUN_WHY_BYTES 4096

/**
 * struct run - everything a run owns
 * @denied:	destinations that were denied so far
 * @began:	wall clock, as files are stamped with it, before anything was
 *		started
 * @why:	the one message of a run that failed
 */
struct run {
	struct run_options options;
	struct script script;
	struct run_limits limits;
	struct run_entry entry;
	struct policy *policy;
	struct programs programs;
	struct std_streams streams;
	struct run_fence fence;
	struct run_records records;
	struct raised raised;
	struct host_listen listen;
	char **proxy_argv;
	char **init_argv;
	int signals;
	unsigned int denied;
	struct timespec began;
	char why_bytes[RUN_WHY_BYTES];
	struct text why;
};

static void run_init(struct run *run)
{
	*run = (struct run){.signals = -1};
	(void)clock_gettime(CLOCK_REALTIME_COARSE, &run->began);
	script_init(&run->script);
	run_limits_init(&run->limits);
	run_entry_init(&run->entry);
	run_fence_init(&run->fence);
	run_records_init(&run->records);
	std_streams_init(&run->streams);
	raised_init(&run->raised);
	text_init(&run->why, run->why_bytes, sizeof(run->why_bytes));
}

static void run_clear(struct run *run)
{
	raised_clear(&run->raised);
	host_listen_clear(&run->listen);
	run_limits_clear(&run->limits);
	run_entry_remove(&run->entry);
	std_streams_close(&run->streams);
	run_records_clear(&run->records);
	run_fence_clear(&run->fence);
	free(run->proxy_argv);
	free(run->init_argv);
	policy_free(run->policy);
	script_clear(&run->script);
	run_options_clear(&run->options);
	if (run->signals >= 0)
		(void)close(run->signals);
}

/* exeat-proxy --handoff RUN [--verbose] [--policy NAME] POLICY-FLAGS... */
static int make_proxy_argv(struct run *run)
{
	static char handoff[] = "--handoff", policy[] = "--policy",
		    verbose[] = "--verbose";
	const struct policy_args *args = &run->options.policy;
	char **argv = calloc(args->word_count + 7, sizeof(*argv));
	char **at = argv;

	if (argv == NULL)
		return -1;
	*at++ = run->programs.proxy;
	*at++ = handoff;
	*at++ = run->records.run;
	if (run->options.is_verbose)
		*at++ = verbose;
	if (args->file != NULL) {
		*at++ = policy;
		*at++ = args->file;
	}
	for (size_t i = 0; i < args->word_count; i++)
		*at++ = args->words[i];
	run->proxy_argv = argv;
	return 0;
}

static int make_fence(struct run *run, struct diag *diag)
{
	struct own_files own;

	own_files_fill(&own, run->records.path, run->options.policy.file_path);
	const struct script *script = &run->script;
	const struct plan_file script_file = {
		.path = script->path,
		.bytes = script->text,
		.len = script->len,
		.is_program = true,
	};
	const struct run_fence_settings settings = {
		.policy = run->policy,
		.init_path = run->programs.init,
		.command = script->tool != NULL ? script->tool
						: run->options.command[0],
		.script = script->path[0] != '\0' ? &script_file : NULL,
		.protect = own.list,
		.init_fd = RAISE_PROGRAM_FD,
	};

	return run_fence_make(&run->fence, &settings, diag);
}

static int dry_run(struct run *run, struct diag *diag)
{
	if (programs_find(&run->programs, diag) != 0 ||
	    make_fence(run, diag) != 0)
		return EXIT_OWN_FAILURE;
	return dry_run_print(&run->fence, run->options.command);
}

/* exeat-init inside, then the command as it was given. */
static int make_init_argv(struct run *run)
{
	static char init[] = FENCE_INIT_PATH;
	char **command = run->options.command;
	size_t words = 0;

	while (command[words] != NULL)
		words++;
	run->init_argv = calloc(words + 2, sizeof(*run->init_argv));
	if (run->init_argv == NULL)
		return -1;
	run->init_argv[0] = init;
	memcpy(run->init_argv + 1, command, words * sizeof(*command));
	return 0;
}

/* With --script the command is what reads it. */
static int load_script(struct run *run, struct diag *diag)
{
	const struct script_request request = {
		.file = run->options.script,
		.interpreter = run->options.interpreter,
		.words = run->options.command,
	};

	if (request.file == NULL)
		return 0;
	if (script_load(&run->script, &request, diag) != 0)
		return -1;
	run->options.command = run->script.command;
	int rc = script_place_input(&run->script);
	if (rc != 0)
		diag_set(diag, "--script: %s", strerror(-rc));
	return rc;
}

/* What has to be known before anything is started. */
static int prepare(struct run *run, struct diag *diag)
{
	if (programs_find(&run->programs, diag) != 0)
		return -1;
	if (run_records_open(&run->records, run->policy, diag) != 0)
		return -1;
	run_entry_prepare(&run->entry, run->records.run);
	if (std_streams_open(&run->streams, diag) != 0 ||
	    host_listen_open(&run->listen, run->policy, diag) != 0)
		return -1;
	if (make_proxy_argv(run) != 0 || make_init_argv(run) != 0) {
		diag_set(diag, "out of memory");
		return -1;
	}
	run->signals = run_signals_open();
	if (run->signals < 0) {
		diag_set(diag, "signalfd: %s", strerror(-run->signals));
		return -1;
	}
	return 0;
}

static int start(struct run *run)
{
	const struct raise_settings settings = {
		.proxy_argv = run->proxy_argv,
		.home = getenv("HOME"),
		.audit = run->records.fd,
		.policy_text = run->options.policy.file_text,
		.policy_len = run->options.policy.file_len,
		.bwrap = run->programs.bwrap,
		.init_argv = run->init_argv,
		.streams = run->streams.child,
		.terminal = run->streams.terminal.slave,
		.policy = run->policy,
		.proxy_port = run_fence_proxy_port(run->policy),
		.capture_port = run_fence_capture_port(run->policy),
		.live_folder = run->entry.folder,
		.left_over = run->entry.folder < 0 ? NULL : run->entry.name,
		.listen = &run->listen,
		.signals = run->signals,
	};
	struct diag diag = {.text = ""};
	int rc = raise_start(&run->raised, &settings, &run->why);

	std_streams_close_child(&run->streams);
	if (rc != 0)
		return rc;
	if (make_fence(run, &diag) != 0) {
		text_add(&run->why, diag.text);
		return -1;
	}
	const struct raise_options fence = {
		.plan = run->fence.plan,
		.init_path = run->programs.init,
		.args = run->fence.args,
		.len = run->fence.args_len,
	};
	rc = raise_fence(&run->raised, &settings, &fence, &run->why);
	if (rc == 0)
		rc = raise_wait(&run->raised, run->signals, &run->why);
	return rc;
}

/* Return: as inner_domain_open(); what this kernel cannot is said. */
static int open_domain(struct run *run)
{
	const char *note;
	int domain = inner_domain_open(run->policy, &note);

	if (note != NULL)
		(void)fprintf(stderr, "exeat: %s\n", note);
	if (domain < 0 && domain != -ENOSYS)
		text_addf(&run->why, "a Landlock ruleset: %s",
			  strerror(-domain));
	return domain;
}

/* The record first: a run that is not on record does not take place. */
static int go(struct run *run)
{
	uint32_t flags =
		run->streams.terminal.user >= 0 ? HANDOFF_GO_TERMINAL : 0;
	char detail[256];
	struct diag diag = {.text = ""};

	if (run_limits_apply(&run->limits, run->policy, run->raised.command,
			     &diag) != 0) {
		text_add(&run->why, diag.text);
		return -1;
	}
	(void)snprintf(detail, sizeof(detail), "backend bwrap%s%s",
		       run->limits.how[0] != '\0' ? "; limits: " : "",
		       run->limits.how);
	int domain = open_domain(run);
	if (domain < 0 && domain != -ENOSYS)
		return -1;
	int rc = run_records_start(&run->records, run->options.command[0],
				   detail);

	if (rc != 0)
		text_addf(&run->why,
			  "%s: the first record could not be "
			  "written: %s",
			  run->records.path, strerror(-rc));
	else if ((rc = raise_go(&run->raised, flags, domain)) != 0)
		text_addf(&run->why, "exeat-init is gone: %s", strerror(-rc));
	if (domain >= 0)
		(void)close(domain);
	return rc == 0 ? 0 : -1;
}

static void say_denied(const struct handoff_message *message, void *arg)
{
	struct run *run = arg;

	if (run->options.is_quiet)
		return;
	if (run->denied++ == 0)
		(void)fputs("exeat: not everything was allowed:\n", stderr);
	(void)fprintf(stderr, "  denied %s", message->text);
	if (message->number > 1)
		(void)fprintf(stderr, " (%u times)", message->number);
	if (message->detail[0] != '\0')
		(void)fprintf(stderr, "; allow it with %s", message->detail);
	(void)fputc('\n', stderr);
}

static void say_exec_failure(const struct run *run, int exec_errno)
{
	const char *word = run->options.command[0];
	char name[256];
	struct text t;

	text_init(&t, name, sizeof(name));
	text_add_printable(&t, word, strlen(word));
	if (exec_errno == ENOENT)
		(void)fprintf(
			stderr,
			"exeat: %s: not found inside the sandbox (--mount "
			"SRC:DST, or --read PATH with --mode allowlist, "
			"show more of this machine)\n",
			name);
	else
		(void)fprintf(stderr, "exeat: %s: cannot be executed: %s\n",
			      name, strerror(exec_errno));
}

static int watch(struct run *run)
{
	struct supervise_end end =
		supervise(&run->raised, &run->streams, run->signals,
			  run->policy->limits.wall_ms, &run->why);
	const char *why = run->why.len > 0 ? run->why_bytes : NULL;
	uint32_t seq = supervise_hear_proxy(&run->raised, say_denied, run);

	if (end.exec_errno != 0)
		say_exec_failure(run, end.exec_errno);
	if (end.is_late)
		(void)fprintf(stderr, "exeat: the time limit was reached\n");
	if (run_limits_killed(&run->limits))
		(void)fprintf(stderr, "exeat: the memory limit was reached\n");
	if (why != NULL)
		(void)fprintf(stderr, "exeat: %s\n", why);
	planted_say(run->fence.plan, &run->began);
	int rc = run_records_exit(&run->records, seq, end.exit_code, why);
	if (rc != 0)
		(void)fprintf(stderr,
			      "exeat: %s: the last record could not be "
			      "written: %s\n",
			      run->records.path, strerror(-rc));
	run_keep(run->policy, run->records.path);
	return end.exit_code;
}

static int raise_and_watch(struct run *run)
{
	int rc = start(run);

	if (rc == 0 && go(run) == 0) {
		run_entry_write(&run->entry, run->records.run,
				run->records.path, run->raised.command,
				run->options.command[0]);
		return watch(run);
	}
	if (rc > 0)
		return EXIT_SIGNAL_BASE + rc;
	(void)fprintf(stderr, "exeat: the command was not run: %s\n",
		      run->why_bytes);
	return EXIT_OWN_FAILURE;
}

int run_main(int argc, char *argv[])
{
	struct run run;
	struct diag diag = {.text = ""};
	int rc = EXIT_OWN_FAILURE;

	run_init(&run);
	if (run_options_parse(&run.options, argc, argv, &diag) != 0)
		goto out;
	if (run.options.wants_help) {
		rc = help_print(HELP_RUN);
		goto out;
	}
	run.policy = policy_args_build(&run.options.policy, &diag);
	if (run.policy == NULL || load_script(&run, &diag) != 0 ||
	    run_fence_check_ports(run.policy, &diag) != 0)
		goto out;
	if (run.options.is_dry_run)
		rc = dry_run(&run, &diag);
	else if (prepare(&run, &diag) == 0)
		rc = raise_and_watch(&run);
out:
	if (diag.text[0] != '\0')
		(void)fprintf(stderr, "exeat: %s\n", diag.text);
	run_clear(&run);
	return rc;
}
