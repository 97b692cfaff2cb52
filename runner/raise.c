/* SPDX-License-Identifier: MIT */
/* raise: starts proxy, bubblewrap and gate. */
#include "raise.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "child.h"
#include "gate.h"
#include "handoff.h"
#include "init_channel.h"
#include "terminal.h"

/**
 * struct far_ends - the descriptors that belong to the children; ours to
 * close once they are forked
 */
struct far_ends {
	int proxy_runner; /* pair runner-proxy */
	int gate_runner;  /* pair runner-gate */
	int gate_proxy;   /* pair gate-proxy, the gate's end */
	int proxy_gate;   /* and the proxy's */
	int init;
	int info_read;
	int info_write;
	int setup_write;
	int args;
	int policy;
};

#define FAR_ENDS_COUNT (sizeof(struct far_ends) / sizeof(int))

static void close_fd(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

static void far_ends_close(struct far_ends *far)
{
	int *const all[FAR_ENDS_COUNT] = {
		&far->proxy_runner, &far->gate_runner, &far->gate_proxy,
		&far->proxy_gate,   &far->init,        &far->info_read,
		&far->info_write,   &far->setup_write, &far->args,
		&far->policy,
	};

	for (size_t i = 0; i < FAR_ENDS_COUNT; i++)
		close_fd(all[i]);
}

void raised_init(struct raised *raised)
{
	*raised = (struct raised){.proxy_pair = -1,
				  .gate_pair = -1,
				  .init_pair = -1,
				  .setup = -1,
				  .command_fd = -1,
				  .args = -1};
	for (size_t i = 0; i < RAISE_MAX_FILES; i++)
		raised->files[i] = -1;
}

static int open_pair(int *ours, int *theirs)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return -errno;
	*ours = ends[0];
	*theirs = ends[1];
	return 0;
}

static int open_pipe(int *read_end, int *write_end)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return -errno;
	*read_end = ends[0];
	*write_end = ends[1];
	return 0;
}

static int open_files(struct raised *raised)
{
	for (size_t i = 0; i < RAISE_MAX_FILES; i++) {
		raised->files[i] = memfd_create("file", MFD_CLOEXEC);
		if (raised->files[i] < 0)
			return -errno;
	}
	return 0;
}

static int open_policy(struct far_ends *far,
		       const struct raise_settings *settings)
{
	if (settings->policy_text == NULL)
		return 0;
	far->policy = memfd_create("policy", MFD_CLOEXEC);
	if (far->policy < 0)
		return -errno;
	if (write(far->policy, settings->policy_text, settings->policy_len) !=
		    (ssize_t)settings->policy_len ||
	    lseek(far->policy, 0, SEEK_SET) != 0)
		return -EIO;
	return 0;
}

static int open_ends(struct raised *raised, struct far_ends *far,
		     const struct raise_settings *settings)
{
	int init[2];
	int rc = open_pair(&raised->proxy_pair, &far->proxy_runner);

	if (rc == 0)
		rc = open_pair(&raised->gate_pair, &far->gate_runner);
	if (rc == 0)
		rc = open_pair(&far->gate_proxy, &far->proxy_gate);
	if (rc == 0)
		rc = init_channel_open(init);
	if (rc != 0)
		return rc;
	raised->init_pair = init[0];
	far->init = init[1];
	rc = open_pipe(&far->info_read, &far->info_write);
	if (rc == 0)
		rc = open_pipe(&raised->setup, &far->setup_write);
	if (rc != 0)
		return rc;
	/* A pipe: neither paths nor values show in ps. */
	rc = open_pipe(&far->args, &raised->args);
	if (rc == 0)
		rc = open_files(raised);
	return rc != 0 ? rc : open_policy(far, settings);
}

/**
 * struct start - what the children are made from
 * @proxy_environ:	NULL-terminated
 */
struct start {
	const struct raised *raised;
	const struct raise_settings *settings;
	const struct far_ends *far;
	char **bwrap_argv;
	char **proxy_environ;
	int null;
};

/* In the child. What fails here is seen by the runner as an end of file. */
static void run_proxy(const void *arg)
{
	const struct start *start = arg;
	const struct far_ends *far = start->far;
	const struct child_fd fds[] = {
		{start->null,            STDIN_FILENO     },
		{start->null,            STDOUT_FILENO    },
		{STDERR_FILENO,          STDERR_FILENO    },
		{far->proxy_runner,      HANDOFF_FD_RUNNER},
		{far->proxy_gate,        HANDOFF_FD_GATE  },
		{start->settings->audit, HANDOFF_FD_AUDIT },
		{far->policy,            HANDOFF_FD_POLICY},
	};
	size_t count = sizeof(fds) / sizeof(fds[0]);

	if (far->policy < 0)
		count--;
	if (child_place_fds(fds, count) == 0)
		(void)execve(start->settings->proxy_argv[0],
			     start->settings->proxy_argv, start->proxy_environ);
}

#define BWRAP_MAX_FDS     32
#define BWRAP_FIXED_WORDS 6
#define WORD_OF(number)   WORD_OF_(number)
#define WORD_OF_(number)  #number

static size_t bwrap_fds(const struct start *start,
			struct child_fd fds[static BWRAP_MAX_FDS])
{
	const struct raise_settings *settings = start->settings;
	const struct far_ends *far = start->far;
	const struct child_fd fixed[] = {
		{settings->streams[0], STDIN_FILENO          },
		{settings->streams[1], STDOUT_FILENO         },
		{far->setup_write,     STDERR_FILENO         },
		{far->init,            HANDOFF_FD_INIT       },
		{settings->streams[2], HANDOFF_FD_INIT_STDERR},
		{far->info_write,      RAISE_INFO_FD         },
		{far->args,            RAISE_ARGS_FD         },
	};
	size_t count = 0;

	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		fds[count++] = fixed[i];
	for (int i = 0; i < RAISE_MAX_FILES; i++)
		fds[count++] = (struct child_fd){start->raised->files[i],
						 RAISE_FIRST_FILE_FD + i};
	return count;
}

/* In the child. bubblewrap starts with an empty environment: its own process
 * inside would show the caller's otherwise (/proc/1/environ). */
static void run_bwrap(const void *arg)
{
	const struct start *start = arg;
	const struct raise_settings *settings = start->settings;
	struct child_fd fds[BWRAP_MAX_FDS];
	char *environment[] = {NULL};
	size_t count = bwrap_fds(start, fds);

	/* NO_NEW_PRIVS: a setuid bubblewrap then runs without privilege, and
	 * the gate, which has none either, can join its namespaces. */
	if ((settings->terminal < 0 ||
	     terminal_make_controlling(settings->terminal) == 0) &&
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	    child_place_fds(fds, count) == 0)
		(void)execve(settings->bwrap, start->bwrap_argv, environment);
}

static void run_gate(const void *arg)
{
	enum {
		RUNNER = 3,
		PROXY,
		INFO
	};
	const struct start *start = arg;
	const struct far_ends *far = start->far;
	const struct child_fd fds[] = {
		{start->null,      STDIN_FILENO },
                {start->null,      STDOUT_FILENO},
		{start->null,      STDERR_FILENO},
                {far->gate_runner, RUNNER       },
		{far->gate_proxy,  PROXY        },
                {far->info_read,   INFO         },
	};
	const struct gate_settings settings = {
		.runner = RUNNER,
		.proxy = PROXY,
		.info = INFO,
		.proxy_port = start->settings->proxy_port,
	};

	if (child_place_fds(fds, sizeof(fds) / sizeof(fds[0])) == 0)
		gate_run(&settings);
}

static int start_all(struct raised *raised, const struct start *start)
{
	/* bubblewrap first: it needs longest, and the gate waits for it. */
	pid_t pid = child_spawn(run_bwrap, start);

	if (pid < 0)
		return (int)pid;
	raised->bwrap = pid;
	pid = child_spawn(run_proxy, start);
	if (pid < 0)
		return (int)pid;
	raised->proxy = pid;
	pid = child_fork(run_gate, start);
	if (pid < 0)
		return (int)pid;
	raised->gate = pid;
	return 0;
}

static int fork_all(struct raised *raised, const struct far_ends *far,
		    const struct raise_settings *settings, char **bwrap_argv)
{
	char home[PATH_MAX + sizeof("HOME=")];
	char *environment[] = {NULL, NULL};
	struct text assignment;
	struct start start = {
		.raised = raised,
		.settings = settings,
		.far = far,
		.bwrap_argv = bwrap_argv,
		.proxy_environ = environment,
		.null = open("/dev/null", O_RDWR | O_CLOEXEC),
	};

	if (start.null < 0)
		return -errno;
	if (settings->home != NULL) {
		text_init(&assignment, home, sizeof(home));
		text_addf(&assignment, "HOME=%s", settings->home);
		environment[0] = home;
	}
	int rc = start_all(raised, &start);
	(void)close(start.null);
	return rc;
}

static size_t count_words(char *const *words)
{
	size_t count = 0;

	while (words[count] != NULL)
		count++;
	return count;
}

/* bwrap --args 6 --info-fd 5 -- INIT COMMAND... */
static char **make_bwrap_argv(const struct raise_settings *settings)
{
	static char name[] = "bwrap", args[] = "--args", info[] = "--info-fd",
		    stop[] = "--", args_fd[] = WORD_OF(6),
		    info_fd[] = WORD_OF(5);
	char *const fixed[BWRAP_FIXED_WORDS] = {name, args,    args_fd,
						info, info_fd, stop};
	size_t words = count_words(settings->init_argv);
	char **argv = calloc(BWRAP_FIXED_WORDS + words + 1, sizeof(*argv));

	if (argv == NULL)
		return NULL;
	memcpy(argv, fixed, sizeof(fixed));
	memcpy(argv + BWRAP_FIXED_WORDS, settings->init_argv,
	       words * sizeof(*argv));
	return argv;
}

int raise_start(struct raised *raised, const struct raise_settings *settings,
		struct text *why)
{
	struct far_ends far = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
	char **bwrap_argv = make_bwrap_argv(settings);
	int rc = bwrap_argv == NULL ? -ENOMEM : 0;

	if (rc == 0)
		rc = open_ends(raised, &far, settings);
	if (rc == 0)
		rc = fork_all(raised, &far, settings, bwrap_argv);
	if (rc != 0)
		text_addf(why, "starting the processes of the run: %s",
			  strerror(-rc));
	/* With our copies gone, an end of file means that the other is. */
	far_ends_close(&far);
	free(bwrap_argv);
	return rc == 0 ? 0 : -1;
}

static void close_files(struct raised *raised)
{
	for (size_t i = 0; i < RAISE_MAX_FILES; i++)
		close_fd(&raised->files[i]);
}

int raise_fence(struct raised *raised, const char *args, size_t len,
		struct text *why)
{
	size_t at = 0;

	while (at < len) {
		ssize_t n = write(raised->args, args + at, len - at);
		if (n > 0) {
			at += (size_t)n;
		} else if (errno == EPIPE) {
			break;
		} else if (errno != EINTR) {
			text_addf(why, "bubblewrap's options: %s",
				  strerror(errno));
			return -1;
		}
	}
	/* The end of the pipe is the end of the options. */
	close_fd(&raised->args);
	close_files(raised);
	return 0;
}

int raise_go(struct raised *raised, uint32_t flags)
{
	const struct handoff_message message = {
		.type = HANDOFF_GO,
		.number = flags,
	};

	return handoff_send(raised->init_pair, &message, -1);
}

void raised_clear(struct raised *raised)
{
	/* All at once, the sandbox first, and only then wait for each. */
	const pid_t all[] = {raised->bwrap, raised->gate, raised->proxy};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i] > 0)
			(void)kill(all[i], SIGKILL);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		child_kill(all[i]);
	close_fd(&raised->proxy_pair);
	close_fd(&raised->gate_pair);
	close_fd(&raised->init_pair);
	close_fd(&raised->setup);
	close_fd(&raised->command_fd);
	close_fd(&raised->args);
	close_files(raised);
	raised_init(raised);
}
