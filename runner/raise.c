/* SPDX-License-Identifier: MIT */
/* raise: starts proxy, bubblewrap and gate. */
#include "raise.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/keyctl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "child.h"
#include "gate.h"
#include "handoff.h"
#include "host_listen.h"
#include "init_channel.h"
#include "seccomp_filter.h"
#include "terminal.h"

static void close_fd(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

/* With our copies gone, an end of file means that the child is. */
static void close_far(struct raise_far *far)
{
	int *const all[] = {
		&far->proxy_runner, &far->gate_runner,  &far->gate_proxy,
		&far->proxy_gate,   &far->gate_service, &far->proxy_service,
		&far->init,         &far->info_read,    &far->info_write,
		&far->setup_write,  &far->args,         &far->filter,
		&far->policy,       &far->null,         &far->init_read,
		&far->init_write,
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		close_fd(all[i]);
}

void raised_init(struct raised *raised)
{
	*raised = (struct raised){
		.proxy_pair = -1,
		.gate_pair = -1,
		.init_pair = -1,
		.setup = -1,
		.command_fd = -1,
		.args = -1,
		.far = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
			-1, -1},
	};
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

/* A file that holds @bytes, at its start. */
static int open_bytes(int *fd_out, const char *name, const void *bytes,
		      size_t len)
{
	*fd_out = memfd_create(name, MFD_CLOEXEC);
	if (*fd_out < 0)
		return -errno;
	if (write(*fd_out, bytes, len) != (ssize_t)len ||
	    lseek(*fd_out, 0, SEEK_SET) != 0)
		return -EIO;
	return 0;
}

static int open_policy(struct raise_far *far,
		       const struct raise_settings *settings)
{
	if (settings->policy_text == NULL)
		return 0;
	return open_bytes(&far->policy, "policy", settings->policy_text,
			  settings->policy_len);
}

static int open_filter(struct raise_far *far)
{
	size_t len;
	const void *filter = seccomp_filter(&len);

	return open_bytes(&far->filter, "filter", filter, len);
}

/* What bubblewrap and exeat-init need. The options come through a pipe, so
 * neither paths nor values show in ps. */
static int open_bwrap_ends(struct raised *raised)
{
	struct raise_far *far = &raised->far;
	int init[2];
	int rc = init_channel_open(init);

	if (rc != 0)
		return rc;
	raised->init_pair = init[0];
	far->init = init[1];
	rc = open_pipe(&far->info_read, &far->info_write);
	if (rc == 0)
		rc = open_pipe(&raised->setup, &far->setup_write);
	if (rc == 0)
		rc = open_pipe(&far->args, &raised->args);
	if (rc == 0)
		rc = open_filter(far);
	return rc != 0 ? rc : open_pipe(&far->init_read, &far->init_write);
}

static int open_helper_ends(struct raised *raised,
			    const struct raise_settings *settings)
{
	struct raise_far *far = &raised->far;
	int rc = open_pair(&raised->proxy_pair, &far->proxy_runner);

	if (rc == 0)
		rc = open_pair(&raised->gate_pair, &far->gate_runner);
	if (rc == 0)
		rc = open_pair(&far->gate_proxy, &far->proxy_gate);
	if (rc == 0)
		rc = open_pair(&far->gate_service, &far->proxy_service);
	if (rc == 0)
		rc = open_policy(far, settings);
	if (rc != 0)
		return rc;
	far->null = open("/dev/null", O_RDWR | O_CLOEXEC);
	return far->null < 0 ? -errno : 0;
}

/**
 * struct start - what a child is made from
 * @fence:	for the gate alone
 * @argv, @environ: of the program that it executes
 */
struct start {
	const struct raised *raised;
	const struct raise_settings *settings;
	const struct raise_options *fence;
	char **argv;
	char **environ;
};

/* In the child. What fails here is seen by the runner as an end of file. */
static void run_proxy(const void *arg)
{
	const struct start *start = arg;
	const struct raise_far *far = &start->raised->far;
	const struct child_fd fds[] = {
		{far->null,              STDIN_FILENO      },
		{far->null,              STDOUT_FILENO     },
		{STDERR_FILENO,          STDERR_FILENO     },
		{far->proxy_runner,      HANDOFF_FD_RUNNER },
		{far->proxy_gate,        HANDOFF_FD_GATE   },
		{start->settings->audit, HANDOFF_FD_AUDIT  },
		{far->proxy_service,     HANDOFF_FD_SERVICE},
		{far->policy,            HANDOFF_FD_POLICY },
	};
	size_t count = sizeof(fds) / sizeof(fds[0]);

	if (far->policy < 0)
		count--;
	if (child_place_fds(fds, count) == 0)
		(void)execve(start->argv[0], start->argv, start->environ);
}

#define BWRAP_MAX_FDS     32
#define BWRAP_FIXED_WORDS 10
#define WORD_OF(number)   WORD_OF_(number)
#define WORD_OF_(number)  #number

static size_t bwrap_fds(const struct start *start,
			struct child_fd fds[static BWRAP_MAX_FDS])
{
	const struct raise_settings *settings = start->settings;
	const struct raise_far *far = &start->raised->far;
	const struct child_fd fixed[] = {
		{settings->streams[0], STDIN_FILENO          },
		{settings->streams[1], STDOUT_FILENO         },
		{far->setup_write,     STDERR_FILENO         },
		{far->init,            HANDOFF_FD_INIT       },
		{settings->streams[2], HANDOFF_FD_INIT_STDERR},
		{far->info_write,      RAISE_INFO_FD         },
		{far->args,            RAISE_ARGS_FD         },
		{far->filter,          RAISE_FILTER_FD       },
		{far->init_read,       RAISE_PROGRAM_FD      },
	};
	size_t count = 0;

	for (size_t i = 0; i < sizeof(fixed) / sizeof(fixed[0]); i++)
		fds[count++] = fixed[i];
	return count;
}

/* In the child. bubblewrap starts with an empty environment: its own process
 * inside would show the caller's otherwise (/proc/1/environ). */
static void run_bwrap(const void *arg)
{
	const struct start *start = arg;
	const struct raise_settings *settings = start->settings;
	struct child_fd fds[BWRAP_MAX_FDS];
	size_t count = bwrap_fds(start, fds);

	/* A session keyring of its own: the caller's may hold secrets, and
	 * could carry messages. Without keyrings in the kernel there is none.
	 */
	(void)syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
	/* NO_NEW_PRIVS: a setuid bubblewrap then runs without privilege, and
	 * the gate, which has none either, can join its namespaces. */
	if ((settings->terminal < 0 ||
	     terminal_make_controlling(settings->terminal) == 0) &&
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	    child_place_fds(fds, count) == 0)
		(void)execve(settings->bwrap, start->argv, start->environ);
}

static void run_gate(const void *arg)
{
	enum {
		RUNNER = 3,
		PROXY,
		SERVICE,
		INFO,
		INIT,
		FOLDER
	};
	const struct start *start = arg;
	const struct raise_far *far = &start->raised->far;
	const struct child_fd fds[] = {
		{far->null,                    STDIN_FILENO },
		{far->null,                    STDOUT_FILENO},
		{far->null,                    STDERR_FILENO},
		{far->gate_runner,             RUNNER       },
		{far->gate_proxy,              PROXY        },
		{far->gate_service,            SERVICE      },
		{far->info_read,               INFO         },
		{far->init_write,              INIT         },
		{start->settings->live_folder, FOLDER       },
	};
	size_t count = sizeof(fds) / sizeof(fds[0]);
	const struct gate_settings settings = {
		.runner = RUNNER,
		.proxy = PROXY,
		.service = SERVICE,
		.info = INFO,
		.init = INIT,
		.bwrap = start->raised->bwrap,
		.policy = start->settings->policy,
		.proxy_port = start->settings->proxy_port,
		.capture_port = start->settings->capture_port,
		.init_path = start->fence->init_path,
		.plan = start->fence->plan,
		.live_folder = FOLDER,
		.left_over = start->settings->left_over,
	};

	if (start->settings->live_folder < 0)
		count--;
	if (child_place_fds(fds, count) == 0)
		gate_run(&settings);
}

static size_t count_words(char *const *words)
{
	size_t count = 0;

	while (words[count] != NULL)
		count++;
	return count;
}

/* bwrap --args 6 --info-fd 5 --seccomp 7 --hostname exeat -- INIT COMMAND...
 *
 * A host name needs --unshare-uts, the last of the options in the pipe: when
 * they are cut short by our death, bubblewrap refuses them. */
static char **make_bwrap_argv(const struct raise_settings *settings)
{
	static char name[] = "bwrap", args[] = "--args", info[] = "--info-fd",
		    filter[] = "--seccomp", host[] = "--hostname",
		    stop[] = "--", args_fd[] = WORD_OF(6),
		    info_fd[] = WORD_OF(5), filter_fd[] = WORD_OF(7),
		    hostname[] = FENCE_HOSTNAME;
	char *const fixed[BWRAP_FIXED_WORDS] = {
		name,   args,      args_fd, info,     info_fd,
		filter, filter_fd, host,    hostname, stop};
	size_t words = count_words(settings->init_argv);
	char **argv = calloc(BWRAP_FIXED_WORDS + words + 1, sizeof(*argv));

	if (argv == NULL)
		return NULL;
	memcpy(argv, fixed, sizeof(fixed));
	memcpy(argv + BWRAP_FIXED_WORDS, settings->init_argv,
	       words * sizeof(*argv));
	return argv;
}

static int say(struct text *why, int rc)
{
	if (rc == 0)
		return 0;
	text_addf(why, "starting the processes of the run: %s", strerror(-rc));
	return -1;
}

static int start_bwrap(struct raised *raised,
		       const struct raise_settings *settings)
{
	char *environment[] = {NULL};
	const struct start start = {
		.raised = raised,
		.settings = settings,
		.argv = make_bwrap_argv(settings),
		.environ = environment,
	};

	if (start.argv == NULL)
		return -ENOMEM;
	pid_t pid = child_spawn(run_bwrap, &start);
	free(start.argv);
	if (pid < 0)
		return (int)pid;
	raised->bwrap = pid;
	return 0;
}

static int start_gate(struct raised *raised,
		      const struct raise_settings *settings,
		      const struct raise_options *fence)
{
	const struct start start = {
		.raised = raised, .settings = settings, .fence = fence};
	pid_t pid = child_fork_watcher(run_gate, &start);

	if (pid < 0)
		return (int)pid;
	raised->gate = pid;
	return 0;
}

int raise_start(struct raised *raised, const struct raise_settings *settings,
		struct text *why)
{
	struct raise_far *far = &raised->far;
	int rc = open_bwrap_ends(raised);

	if (rc == 0)
		rc = start_bwrap(raised, settings);
	close_fd(&far->init);
	close_fd(&far->info_write);
	close_fd(&far->setup_write);
	close_fd(&far->args);
	close_fd(&far->filter);
	return say(why, rc);
}

static int start_proxy(struct raised *raised,
		       const struct raise_settings *settings)
{
	char home[PATH_MAX + sizeof("HOME=")];
	char *environment[] = {NULL, NULL};
	struct text assignment;
	const struct start start = {
		.raised = raised,
		.settings = settings,
		.argv = settings->proxy_argv,
		.environ = environment,
	};

	if (settings->home != NULL) {
		text_init(&assignment, home, sizeof(home));
		text_addf(&assignment, "HOME=%s", settings->home);
		environment[0] = home;
	}
	pid_t pid = child_spawn(run_proxy, &start);
	if (pid < 0)
		return (int)pid;
	raised->proxy = pid;
	return 0;
}

static int write_options(struct raised *raised,
			 const struct raise_options *options)
{
	size_t at = 0;

	while (at < options->len) {
		ssize_t n = write(raised->args, options->args + at,
				  options->len - at);
		if (n > 0)
			at += (size_t)n;
		else if (errno == EPIPE)
			break;
		else if (errno != EINTR)
			return -errno;
	}
	return 0;
}

int raise_fence(struct raised *raised, const struct raise_settings *settings,
		const struct raise_options *options, struct text *why)
{
	int rc = open_helper_ends(raised, settings);

	/* The gate first: once bubblewrap has its options, which end with the
	 * pipe, it has a child, and somebody must clean up after us. */
	if (rc == 0)
		rc = start_gate(raised, settings, options);
	if (rc == 0)
		rc = write_options(raised, options);
	close_fd(&raised->args);
	if (rc == 0)
		rc = start_proxy(raised, settings);
	/* A proxy that has ended is no error here. */
	if (rc == 0)
		(void)!host_listen_hand_over(settings->listen,
					     raised->proxy_pair);
	close_far(&raised->far);
	return say(why, rc);
}

int raise_go(struct raised *raised, uint32_t flags, int domain)
{
	const struct handoff_message message = {
		.type = HANDOFF_GO,
		.number = flags | (domain >= 0 ? HANDOFF_GO_DOMAIN : 0U),
	};

	return handoff_send(raised->init_pair, &message, domain);
}

void raised_clear(struct raised *raised)
{
	/* All at once, the sandbox first, and only then wait for each; but not
	 * for the gate, whose packet socket keeps it a while (gate_tap.h). */
	const pid_t all[] = {raised->bwrap, raised->gate, raised->proxy};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i] > 0)
			(void)kill(-all[i], SIGKILL);
	child_kill(raised->bwrap);
	child_kill(raised->proxy);
	close_fd(&raised->proxy_pair);
	close_fd(&raised->gate_pair);
	close_fd(&raised->init_pair);
	close_fd(&raised->setup);
	close_fd(&raised->command_fd);
	close_fd(&raised->args);
	close_far(&raised->far);
	raised_init(raised);
}
