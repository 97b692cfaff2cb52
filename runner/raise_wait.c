/* SPDX-License-Identifier: MIT */
/* raise_wait: knows when every part of the fence is in place. */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "handoff.h"
#include "init_channel.h"
#include "raise.h"
#include "setup_cause.h"

#define RAISE_TIMEOUT_MS    30000
#define RAISE_LAST_WORDS_MS 2000

enum wait_source {
	WAIT_SIGNALS,
	WAIT_PROXY,
	WAIT_GATE,
	WAIT_INIT,
	WAIT_COUNT
};

/* What one side has said so far. */
enum part_state {
	PART_SILENT = 0,
	PART_READY,
	PART_FAILED,
	PART_ENDED,
};

/**
 * struct waiting - what has come so far
 * @state:	by source; that of WAIT_SIGNALS is not used
 * @text:	of a FAILED
 */
struct waiting {
	struct raised *raised;
	struct text *why;
	enum part_state state[WAIT_COUNT];
	char text[WAIT_COUNT][HANDOFF_TEXT_BYTES];
};

static int64_t now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* bubblewrap's own words, to the end: it has ended or is about to. */
static void read_setup(int fd, struct text *said)
{
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	char buf[512];

	while (poll(&ready, 1, RAISE_LAST_WORDS_MS) == 1) {
		ssize_t n = read(fd, buf, sizeof(buf));
		if (n <= 0)
			break;
		text_add_bytes(said, buf, (size_t)n);
	}
	while (said->len > 0 && said->buf[said->len - 1] == '\n')
		said->buf[--said->len] = '\0';
}

static int explain_bwrap(struct waiting *waiting)
{
	char buf[1024];
	struct text said;

	text_init(&said, buf, sizeof(buf));
	read_setup(waiting->raised->setup, &said);
	const struct setup_cause *cause = setup_cause_find(buf);
	text_addf(waiting->why, "%s", cause->cause);
	if (said.len > 0) {
		text_add(waiting->why, "\n  it said: ");
		text_add_printable(waiting->why, buf, said.len);
	}
	text_addf(waiting->why, "\n  %s", cause->remedy);
	return -1;
}

/* The pid cannot be another's yet: the command waits for GO. */
static void know_command(struct waiting *waiting, pid_t pid)
{
	struct raised *raised = waiting->raised;

	raised->command = pid;
	raised->command_fd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (raised->command_fd < 0) {
		waiting->state[WAIT_INIT] = PART_FAILED;
		(void)snprintf(waiting->text[WAIT_INIT], HANDOFF_TEXT_BYTES,
			       "pidfd_open: %s", strerror(errno));
	}
}

/* A part that is READY and then ends has failed after all. */
static void hear_part(struct waiting *waiting, enum wait_source source, int fd,
		      enum handoff_type ready)
{
	struct handoff_message message;
	pid_t pid = 0;
	int rc = source == WAIT_INIT ? init_channel_receive(fd, &message, &pid)
				     : handoff_receive(fd, &message, NULL);

	if (rc == -EAGAIN)
		return;
	if (rc != 1) {
		/* What it said before it ended says more. */
		if (waiting->state[source] != PART_FAILED)
			waiting->state[source] = PART_ENDED;
	} else if (message.type == HANDOFF_FAILED) {
		waiting->state[source] = PART_FAILED;
		memcpy(waiting->text[source], message.text,
		       sizeof(message.text));
	} else if (message.type == (uint32_t)ready) {
		waiting->state[source] = PART_READY;
		if (source == WAIT_INIT)
			know_command(waiting, pid);
		else if (message.text[0] != '\0')
			(void)fprintf(stderr, "exeat: %s\n", message.text);
	}
}

/*
 * One part's end brings down others: bubblewrap's takes exeat-init along and
 * ends the gate without a word, and the gate's ends the proxy. So the first
 * cause is looked for, not the first news.
 */
static int judge(struct waiting *waiting)
{
	const enum part_state *state = waiting->state;

	if (state[WAIT_PROXY] == PART_FAILED) {
		text_addf(waiting->why, "exeat-proxy: %s",
			  waiting->text[WAIT_PROXY]);
		return -1;
	}
	if (state[WAIT_GATE] == PART_FAILED &&
	    state[WAIT_PROXY] != PART_ENDED) {
		text_add(waiting->why, waiting->text[WAIT_GATE]);
		return -1;
	}
	if (state[WAIT_INIT] == PART_FAILED) {
		text_addf(waiting->why, "exeat-init: %s",
			  waiting->text[WAIT_INIT]);
		return -1;
	}
	if (state[WAIT_GATE] == PART_ENDED || state[WAIT_INIT] == PART_ENDED)
		return explain_bwrap(waiting);
	if (state[WAIT_PROXY] == PART_ENDED) {
		text_add(waiting->why, "exeat-proxy ended before it was ready");
		return -1;
	}
	return 0;
}

static int hear_signal(int signals)
{
	struct signalfd_siginfo info;

	if (read(signals, &info, sizeof(info)) != (ssize_t)sizeof(info))
		return 0;
	/* A child's end shows as an end of file on its pair, and a window's
	 * size can change at any time. */
	if (info.ssi_signo == SIGCHLD || info.ssi_signo == SIGWINCH ||
	    info.ssi_signo == SIGCONT)
		return 0;
	return (int)info.ssi_signo;
}

static int hear(struct waiting *waiting, const struct pollfd fds[WAIT_COUNT])
{
	static const enum handoff_type ready[WAIT_COUNT] = {
		[WAIT_PROXY] = HANDOFF_READY,
		[WAIT_GATE] = HANDOFF_UP,
		[WAIT_INIT] = HANDOFF_READY,
	};

	if (fds[WAIT_SIGNALS].revents != 0) {
		int rc = hear_signal(fds[WAIT_SIGNALS].fd);
		if (rc != 0)
			return rc;
	}
	for (enum wait_source i = WAIT_PROXY; i < WAIT_COUNT; i++)
		if (fds[i].revents != 0)
			hear_part(waiting, i, fds[i].fd, ready[i]);
	return judge(waiting);
}

static bool all_are_ready(const struct waiting *waiting)
{
	return waiting->state[WAIT_PROXY] == PART_READY &&
	       waiting->state[WAIT_GATE] == PART_READY &&
	       waiting->state[WAIT_INIT] == PART_READY;
}

int raise_wait(struct raised *raised, int signals, struct text *why)
{
	struct waiting waiting = {.raised = raised, .why = why};
	struct pollfd fds[WAIT_COUNT] = {
		[WAIT_SIGNALS] = {.fd = signals,            .events = POLLIN},
		[WAIT_PROXY] = {.fd = raised->proxy_pair, .events = POLLIN},
		[WAIT_GATE] = {.fd = raised->gate_pair,  .events = POLLIN},
		[WAIT_INIT] = {.fd = raised->init_pair,  .events = POLLIN},
	};
	int64_t deadline = now_ms() + RAISE_TIMEOUT_MS;
	int rc = 0;

	while (rc == 0 && !all_are_ready(&waiting)) {
		int64_t left = deadline - now_ms();
		int n = poll(fds, WAIT_COUNT, left > 0 ? (int)left : 0);

		if (n < 0 && errno != EINTR) {
			text_addf(why, "poll: %s", strerror(errno));
			return -1;
		}
		if (n == 0) {
			text_addf(why, "the fence was not up within %d s",
				  RAISE_TIMEOUT_MS / 1000);
			return -1;
		}
		if (n > 0)
			rc = hear(&waiting, fds);
	}
	return rc;
}
