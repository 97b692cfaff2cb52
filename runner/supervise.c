/* SPDX-License-Identifier: MIT */
/* supervise: the time between GO and the command's end. */
#include "supervise.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "init_channel.h"
#include "job_stop.h"

/* After TERM at the time limit, before KILL. */
#define SUPERVISE_GRACE_MS 5000
#define SUPERVISE_STOP_MS  2000

enum watch {
	WATCH_SIGNALS,
	WATCH_PROXY,
	WATCH_GATE,
	WATCH_INIT,
	WATCH_COMMAND,
	WATCH_FIXED
};

/**
 * struct watching - a run that is under way
 * @deadline_ms: monotonic, when the next step of the time limit is due; 0: none
 * @job:	Ctrl-Z
 * @command:	pidfd of the command, -1 once it has ended
 * @is_late:	TERM was sent because of the time limit
 * @is_stopping: the command has ended: proxy and gate are told to end too
 * @is_over:	bubblewrap is reaped, @status is its
 */
struct watching {
	struct raised *raised;
	struct std_streams *streams;
	struct text *why;
	int64_t deadline_ms;
	struct job_stop job;
	int command;
	bool is_late;
	bool is_stopping;
	bool is_over;
	bool is_broken;
	int status;
	int exec_errno;
};

static int64_t now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The group is the command's: exeat-init made it before it executed it. */
static void signal_command(const struct watching *watching, int number)
{
	if (watching->raised->command <= 0)
		return;
	if (kill(-watching->raised->command, number) != 0)
		(void)kill(watching->raised->command, number);
}

/* Killing bubblewrap ends the pid namespace, and so every process in it. */
static void kill_sandbox(const struct watching *watching)
{
	child_end(watching->raised->bwrap);
}

/* A part of the fence is gone: the command must not go on without it. */
static void break_off(struct watching *watching, const char *what)
{
	if (watching->is_broken || watching->is_over || watching->is_stopping)
		return;
	watching->is_broken = true;
	text_addf(watching->why,
		  "%s; the command was killed, since it would "
		  "have gone on without a part of its fence",
		  what);
	kill_sandbox(watching);
}

static void reap(struct watching *watching)
{
	struct raised *raised = watching->raised;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (pid == raised->bwrap) {
			watching->is_over = true;
			watching->status = status;
			raised->bwrap = 0;
			/* It would kill whoever gets bubblewrap's number. */
			child_end(raised->gate);
		} else if (pid == raised->proxy) {
			raised->proxy = 0;
			break_off(watching, "exeat-proxy ended");
		} else if (pid == raised->gate) {
			raised->gate = 0;
			break_off(watching, "the gate ended");
		}
	}
}

/* The command has been stopped: so are we, until the user's shell goes on. */
static void stop(struct watching *watching, bool is_alone)
{
	terminal_restore(&watching->streams->terminal);
	job_stop_now(is_alone);
	terminal_start(&watching->streams->terminal);
	terminal_resize(&watching->streams->terminal);
	signal_command(watching, SIGCONT);
}

static void on_signal(struct watching *watching, int signals)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return;
	switch (info.ssi_signo) {
	case SIGCHLD:
		reap(watching);
		break;
	case SIGWINCH:
		terminal_resize(&watching->streams->terminal);
		break;
	case SIGCONT:
		terminal_start(&watching->streams->terminal);
		break;
	case SIGTSTP:
		signal_command(watching, SIGTSTP);
		stop(watching, true);
		break;
	default:
		signal_command(watching, (int)info.ssi_signo);
	}
}

static void on_init(struct watching *watching)
{
	struct handoff_message message;
	pid_t pid;
	int rc = init_channel_receive(watching->raised->init_pair, &message,
				      &pid);

	if (rc == 1 && message.type == HANDOFF_FAILED)
		watching->exec_errno = (int)message.number;
	if (rc == 1)
		return;
	/* End of file: the command has been executed, or could not be. */
	(void)close(watching->raised->init_pair);
	watching->raised->init_pair = -1;
}

/* The command has ended; what it left running ends with its namespace. While
 * bubblewrap takes that down, proxy and gate can end as well. */
static void on_command(struct watching *watching)
{
	const struct handoff_message message = {.type = HANDOFF_STOP};

	(void)close(watching->command);
	watching->command = -1;
	watching->is_stopping = true;
	/* A process that is left may keep bubblewrap from ending (ptrace). */
	watching->deadline_ms = now_ms() + SUPERVISE_GRACE_MS;
	(void)!handoff_send(watching->raised->proxy_pair, &message, -1);
	child_end(watching->raised->gate);
}

static void on_time(struct watching *watching)
{
	if (watching->is_late || watching->is_stopping) {
		kill_sandbox(watching);
		watching->deadline_ms = 0;
		return;
	}
	watching->is_late = true;
	watching->deadline_ms = now_ms() + SUPERVISE_GRACE_MS;
	signal_command(watching, SIGTERM);
	/* A stopped group would not see it. */
	signal_command(watching, SIGCONT);
}

static int time_left(const struct watching *watching)
{
	int64_t due = watching->deadline_ms;

	if (due == 0 ||
	    (watching->job.due_ms != 0 && watching->job.due_ms < due))
		due = watching->job.due_ms;
	if (due == 0)
		return -1;
	int64_t left = due - now_ms();
	if (left <= 0)
		return 0;
	return left > 60000 ? 60000 : (int)left;
}

static struct pollfd wait_for(int fd, short events)
{
	return (struct pollfd){.fd = fd, .events = events};
}

static int part(const struct watching *watching, int pair)
{
	return watching->is_stopping ? -1 : pair;
}

static void step(struct watching *watching, int signals)
{
	struct raised *raised = watching->raised;
	struct pollfd fds[WATCH_FIXED + STD_STREAMS_MAX_PUMPS];

	fds[WATCH_SIGNALS] = wait_for(signals, POLLIN);
	fds[WATCH_INIT] = wait_for(raised->init_pair, POLLIN);
	fds[WATCH_COMMAND] = wait_for(watching->command, POLLIN);
	/* A part of the fence is watched for as long as it has to be there:
	 * no event but its end. */
	fds[WATCH_PROXY] = wait_for(part(watching, raised->proxy_pair), 0);
	fds[WATCH_GATE] = wait_for(part(watching, raised->gate_pair), 0);
	size_t pumps = std_streams_poll(watching->streams, fds + WATCH_FIXED);
	int n = poll(fds, WATCH_FIXED + pumps, time_left(watching));

	if (n < 0)
		return;
	if (watching->deadline_ms != 0 && now_ms() >= watching->deadline_ms)
		on_time(watching);
	if (job_stop_look(&watching->job, raised->command, now_ms()))
		stop(watching, false);
	if (n == 0)
		return;
	if (fds[WATCH_PROXY].revents != 0)
		break_off(watching, "exeat-proxy ended");
	if (fds[WATCH_GATE].revents != 0)
		break_off(watching, "the gate ended");
	if (fds[WATCH_INIT].revents != 0)
		on_init(watching);
	if (fds[WATCH_COMMAND].revents != 0)
		on_command(watching);
	if (fds[WATCH_SIGNALS].revents != 0)
		on_signal(watching, signals);
	std_streams_step(watching->streams, fds + WATCH_FIXED);
	/* The first pump carries what is typed. */
	if (watching->streams->terminal.is_input &&
	    (fds[WATCH_FIXED].revents & POLLIN) != 0)
		job_stop_typed(&watching->job, now_ms());
}

static int exit_code(const struct watching *watching)
{
	int status = watching->status;

	if (watching->is_broken)
		return EXIT_OWN_FAILURE;
	if (watching->is_late)
		return EXIT_TIME_LIMIT;
	if (watching->exec_errno != 0)
		return watching->exec_errno == ENOENT ? EXIT_NOT_FOUND
						      : EXIT_CANNOT_EXECUTE;
	/* bubblewrap passes a signal on as 128+N, and may be killed itself. */
	return WIFEXITED(status) ? WEXITSTATUS(status)
				 : EXIT_SIGNAL_BASE + WTERMSIG(status);
}

struct supervise_end supervise(struct raised *raised,
			       struct std_streams *streams, int signals,
			       uint64_t wall_ms, struct text *why)
{
	struct watching watching = {
		.raised = raised,
		.streams = streams,
		.why = why,
		.deadline_ms = wall_ms > 0 ? now_ms() + (int64_t)wall_ms : 0,
		.command = raised->command_fd,
	};

	std_streams_start(streams);
	while (!watching.is_over) {
		step(&watching, signals);
		/* A broken run is reaped below, whatever signals say. */
		if (watching.is_broken && !watching.is_over) {
			child_kill(raised->bwrap);
			raised->bwrap = 0;
			watching.is_over = true;
		}
	}
	/* exec's failure may have come together with the end. */
	if (raised->init_pair >= 0)
		on_init(&watching);
	if (watching.command >= 0)
		on_command(&watching);
	raised->command_fd = -1;
	std_streams_finish(streams);
	return (struct supervise_end){
		.exit_code = exit_code(&watching),
		.exec_errno = watching.exec_errno,
		.is_late = watching.is_late,
	};
}

uint32_t supervise_hear_proxy(struct raised *raised,
			      supervise_on_denied *on_denied, void *arg)
{
	struct pollfd ready = {.fd = raised->proxy_pair, .events = POLLIN};
	struct handoff_message message;

	while (poll(&ready, 1, SUPERVISE_STOP_MS) == 1 &&
	       handoff_receive(raised->proxy_pair, &message, NULL) == 1) {
		if (message.type == HANDOFF_DENIED)
			on_denied(&message, arg);
		if (message.type == HANDOFF_DONE)
			return message.number;
	}
	return 0;
}
