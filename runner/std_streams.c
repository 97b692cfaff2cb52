/* SPDX-License-Identifier: MIT */
/* std_streams: what the command gets as standard input, output and error. */
#include "std_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum stream_kind {
	STREAM_CLOSED,
	STREAM_PASSED,
	STREAM_TERMINAL,
	STREAM_RELAYED,
	STREAM_DIRECTORY,
	STREAM_PATH,
	STREAM_UNCONNECTED,
	STREAM_FAMILY,
};

static const char *const stream_names[] = {"standard input", "standard output",
					   "standard error"};

/* A connected socket can be connected again, asked about the host's network
 * interfaces, or handed descriptors (SCM_RIGHTS); bytes are all that is meant.
 */
static enum stream_kind socket_kind(int fd)
{
	struct sockaddr_storage address = {.ss_family = AF_UNSPEC};
	socklen_t len = sizeof(address);

	if (getpeername(fd, (struct sockaddr *)&address, &len) != 0)
		return STREAM_UNCONNECTED;
	/* Netlink, packet, VSOCK: their data are requests to the host. */
	if (address.ss_family != AF_UNIX && address.ss_family != AF_INET &&
	    address.ss_family != AF_INET6)
		return STREAM_FAMILY;
	return STREAM_RELAYED;
}

/* /dev/null, zero, full, random and urandom (devices.txt, major 1). */
static bool is_plain_device(const struct stat *st)
{
	unsigned int number = minor(st->st_rdev);

	return major(st->st_rdev) == 1 &&
	       (number == 3 || number == 5 || number == 7 || number == 8 ||
		number == 9);
}

static enum stream_kind classify(int fd)
{
	struct stat st;
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fstat(fd, &st) != 0)
		return STREAM_CLOSED;
	if ((flags & O_PATH) != 0)
		return STREAM_PATH;
	if (S_ISDIR(st.st_mode))
		return STREAM_DIRECTORY;
	if (S_ISSOCK(st.st_mode))
		return socket_kind(fd);
	if (S_ISFIFO(st.st_mode) ||
	    (S_ISCHR(st.st_mode) && is_plain_device(&st)))
		return STREAM_PASSED;
	if (S_ISCHR(st.st_mode) && isatty(fd))
		return STREAM_TERMINAL;
	return STREAM_RELAYED;
}

static int add_pump(struct std_streams *streams, int from, int to,
		    bool closes_to)
{
	struct relay_pump *pump = malloc(sizeof(*pump));

	if (pump == NULL)
		return -ENOMEM;
	relay_pump_init(pump, from, to, closes_to);
	streams->pumps[streams->pump_count++] = pump;
	return 0;
}

static int give_pipe(struct std_streams *streams, int fd)
{
	bool is_input = fd == STDIN_FILENO;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return -errno;
	int ours = is_input ? ends[1] : ends[0];
	streams->child[fd] = is_input ? ends[0] : ends[1];
	streams->is_child_ours[fd] = true;
	if (fcntl(ours, F_SETFL, O_NONBLOCK) != 0) {
		int rc = -errno;
		(void)close(ours);
		return rc;
	}
	if (!is_input)
		return add_pump(streams, ours, fd, false);
	struct stat st;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		/* The reading end: a second writer would hide the end. */
		streams->rewind_pipe = fcntl(ends[0], F_DUPFD_CLOEXEC, 0);
	return add_pump(streams, fd, ours, true);
}

static int give_terminal(struct std_streams *streams, int fd)
{
	struct terminal *terminal = &streams->terminal;

	if (terminal->user < 0) {
		int rc = terminal_open(terminal, fd, fd == STDIN_FILENO);
		if (rc != 0)
			return rc;
	}
	streams->child[fd] = terminal->slave;
	return 0;
}

static int give(struct std_streams *streams, int fd, struct diag *diag)
{
	const char *name = stream_names[fd];
	int rc = 0;

	switch (classify(fd)) {
	case STREAM_CLOSED:
		rc = -EBADF;
		break;
	case STREAM_PASSED:
		streams->child[fd] = fd;
		break;
	case STREAM_TERMINAL:
		rc = give_terminal(streams, fd);
		break;
	case STREAM_RELAYED:
		rc = give_pipe(streams, fd);
		break;
	case STREAM_DIRECTORY:
		diag_set(diag,
			 "%s is a directory, which would open files "
			 "outside the fence: redirect it from a file, a pipe "
			 "or /dev/null",
			 name);
		return -1;
	case STREAM_PATH:
		diag_set(diag,
			 "%s is an O_PATH descriptor, which would reach "
			 "outside the fence: open it for reading or writing",
			 name);
		return -1;
	case STREAM_UNCONNECTED:
		diag_set(diag,
			 "%s is an unconnected socket of the host's "
			 "network, a way round the fence: redirect it from a "
			 "file, a pipe or /dev/null",
			 name);
		return -1;
	case STREAM_FAMILY:
		diag_set(diag,
			 "%s is a socket that speaks to the host itself: give "
			 "the command a pipe or a file instead",
			 name);
		return -1;
	}
	if (rc != 0)
		diag_set(diag, "%s: %s", name, strerror(-rc));
	return rc;
}

/* Keystrokes in, screen out: one pump each way. */
static int pump_terminal(struct std_streams *streams)
{
	struct terminal *terminal = &streams->terminal;
	int rc = 0;

	if (terminal->user < 0)
		return 0;
	if (terminal->is_input)
		rc = add_pump(streams, STDIN_FILENO, terminal->master, false);
	streams->input_count = streams->pump_count;
	if (rc == 0)
		rc = add_pump(streams, terminal->master, terminal->user, false);
	return rc;
}

int std_streams_fill(void)
{
	int fd;

	/* The lowest free number is taken, so the gaps fill from below. */
	do
		fd = open("/dev/null", O_RDWR);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd < 0)
		return -errno;
	(void)close(fd);
	return 0;
}

void std_streams_init(struct std_streams *streams)
{
	*streams = (struct std_streams){
		.child = {-1, -1, -1},
                  .rewind_pipe = -1
        };
	terminal_init(&streams->terminal);
}

int std_streams_open(struct std_streams *streams, struct diag *diag)
{
	*streams = (struct std_streams){
		.child = {-1, -1, -1},
                  .rewind_pipe = -1
        };
	terminal_init(&streams->terminal);
	if (give(streams, STDIN_FILENO, diag) != 0)
		return -1;
	streams->input_count = streams->pump_count;
	/* The terminal is opened by whichever stream has one first, so its
	 * pumps come once that is known for all three. */
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (classify(fd) == STREAM_TERMINAL &&
		    give(streams, fd, diag) != 0)
			return -1;
	if (pump_terminal(streams) != 0) {
		diag_set(diag, "out of memory");
		return -1;
	}
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (streams->child[fd] < 0 && give(streams, fd, diag) != 0)
			return -1;
	return 0;
}

void std_streams_close_child(struct std_streams *streams)
{
	for (int fd = 0; fd <= 2; fd++) {
		if (streams->is_child_ours[fd])
			(void)close(streams->child[fd]);
		streams->is_child_ours[fd] = false;
		streams->child[fd] = -1;
	}
	if (streams->terminal.slave >= 0)
		(void)close(streams->terminal.slave);
	streams->terminal.slave = -1;
}

void std_streams_start(struct std_streams *streams)
{
	terminal_start(&streams->terminal);
}

size_t std_streams_poll(const struct std_streams *streams,
			struct pollfd fds[static STD_STREAMS_MAX_PUMPS])
{
	for (size_t i = 0; i < streams->pump_count; i++)
		fds[i] = relay_pump_poll(streams->pumps[i]);
	return streams->pump_count;
}

void std_streams_step(struct std_streams *streams, const struct pollfd *fds)
{
	for (size_t i = 0; i < streams->pump_count; i++)
		relay_pump_step(streams->pumps[i], fds[i].revents);
}

/* What lies unread in the pipe, and what we read and could not pass on, was
 * never the command's: the next reader of the file starts there. */
static void rewind_input(const struct std_streams *streams, size_t held)
{
	int unread = 0;

	if (streams->rewind_pipe < 0 ||
	    ioctl(streams->rewind_pipe, FIONREAD, &unread) != 0)
		return;
	off_t back = (off_t)unread + (off_t)held;
	if (back > 0)
		(void)lseek(STDIN_FILENO, -back, SEEK_CUR);
}

void std_streams_finish(struct std_streams *streams)
{
	size_t held = 0;

	if (streams->input_count > 0 && streams->rewind_pipe >= 0)
		held = streams->pumps[0]->end - streams->pumps[0]->at;
	rewind_input(streams, held);
	for (size_t i = streams->input_count; i < streams->pump_count; i++)
		relay_pump_drain(streams->pumps[i]);
	terminal_restore(&streams->terminal);
}

void std_streams_close(struct std_streams *streams)
{
	std_streams_close_child(streams);
	terminal_close(&streams->terminal);
	if (streams->rewind_pipe >= 0)
		(void)close(streams->rewind_pipe);
	streams->rewind_pipe = -1;
	for (size_t i = 0; i < streams->pump_count; i++)
		free(streams->pumps[i]);
	streams->pump_count = 0;
}
