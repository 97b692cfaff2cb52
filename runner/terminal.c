/* SPDX-License-Identifier: MIT */
/* terminal: a pseudo-terminal of the run's own in front of the user's. */
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

void terminal_init(struct terminal *terminal)
{
	*terminal = (struct terminal){.user = -1, .master = -1, .slave = -1};
}

static int open_pair(struct terminal *terminal)
{
	char name[64];

	terminal->master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal->master < 0)
		return -errno;
	if (grantpt(terminal->master) != 0 || unlockpt(terminal->master) != 0 ||
	    ptsname_r(terminal->master, name, sizeof(name)) != 0)
		return -errno;
	terminal->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal->slave < 0)
		return -errno;
	if (fcntl(terminal->master, F_SETFL, O_RDWR | O_NONBLOCK) != 0)
		return -errno;
	return 0;
}

int terminal_open(struct terminal *terminal, int user, bool is_input)
{
	struct termios modes;
	int rc = open_pair(terminal);

	if (rc != 0)
		return rc;
	if (tcgetattr(user, &modes) != 0)
		return -errno;
	terminal->before = modes;
	/* Without input the user's terminal stays cooked and turns newlines
	 * into line ends itself; twice would be once too often. */
	if (!is_input)
		modes.c_oflag &= ~(tcflag_t)OPOST;
	if (tcsetattr(terminal->slave, TCSANOW, &modes) != 0)
		return -errno;
	terminal->user = user;
	terminal->is_input = is_input;
	terminal_resize(terminal);
	return 0;
}

int terminal_make_controlling(int slave)
{
	return ioctl(slave, TIOCSCTTY, 0) == 0 ? 0 : -errno;
}

void terminal_start(struct terminal *terminal)
{
	struct termios raw = terminal->before;

	if (terminal->user < 0 || !terminal->is_input || terminal->is_raw ||
	    tcgetpgrp(terminal->user) != getpgrp())
		return;
	cfmakeraw(&raw);
	if (tcsetattr(terminal->user, TCSADRAIN, &raw) == 0)
		terminal->is_raw = true;
}

void terminal_resize(const struct terminal *terminal)
{
	struct winsize size;

	if (terminal->user >= 0 &&
	    ioctl(terminal->user, TIOCGWINSZ, &size) == 0)
		(void)ioctl(terminal->master, TIOCSWINSZ, &size);
}

void terminal_restore(struct terminal *terminal)
{
	if (!terminal->is_raw)
		return;
	(void)tcsetattr(terminal->user, TCSADRAIN, &terminal->before);
	terminal->is_raw = false;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
}

void terminal_close(struct terminal *terminal)
{
	terminal_restore(terminal);
	close_fd(&terminal->master);
	close_fd(&terminal->slave);
	terminal->user = -1;
}
