/* SPDX-License-Identifier: MIT */
/* relay_pump: copies bytes one way between two descriptors, without waiting. */
#include "relay_pump.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

void relay_pump_init(struct relay_pump *pump, int from, int to, bool closes_to)
{
	struct stat st;

	pump->from = from;
	pump->to = to;
	pump->closes_to = closes_to;
	pump->sends = fstat(to, &st) == 0 && S_ISSOCK(st.st_mode);
	pump->at = 0;
	pump->end = 0;
}

bool relay_pump_is_over(const struct relay_pump *pump)
{
	return pump->from < 0 && pump->to < 0;
}

static void end(struct relay_pump *pump)
{
	if (pump->closes_to && pump->to >= 0)
		(void)close(pump->to);
	/* What is still held stays countable: std_streams gives it back. */
	pump->from = -1;
	pump->to = -1;
}

struct pollfd relay_pump_poll(const struct relay_pump *pump)
{
	if (relay_pump_is_over(pump))
		return (struct pollfd){.fd = -1};
	if (pump->at < pump->end)
		return (struct pollfd){.fd = pump->to, .events = POLLOUT};
	return (struct pollfd){.fd = pump->from, .events = POLLIN};
}

static bool is_passing(int error)
{
	return error == EINTR || error == EAGAIN;
}

static void step_write(struct relay_pump *pump)
{
	const char *bytes = pump->buf + pump->at;
	size_t len = pump->end - pump->at;
	ssize_t n = pump->sends ? send(pump->to, bytes, len,
				       MSG_DONTWAIT | MSG_NOSIGNAL)
				: write(pump->to, bytes, len);

	if (n >= 0)
		pump->at += (size_t)n;
	else if (!is_passing(errno))
		end(pump); /* the reader is gone: let the writer notice */
}

static void step_read(struct relay_pump *pump)
{
	ssize_t n = read(pump->from, pump->buf, sizeof(pump->buf));

	if (n > 0) {
		pump->at = 0;
		pump->end = (size_t)n;
	} else if (n == 0 || !is_passing(errno)) {
		/* A pseudo-terminal says EIO where a pipe says end of file. */
		end(pump);
	}
}

void relay_pump_step(struct relay_pump *pump, short revents)
{
	if (revents == 0 || relay_pump_is_over(pump))
		return;
	if (pump->at < pump->end)
		step_write(pump);
	else
		step_read(pump);
}

void relay_pump_drain(struct relay_pump *pump)
{
	while (!relay_pump_is_over(pump)) {
		struct pollfd fd = relay_pump_poll(pump);
		/* What is waiting to be written may take its time; what is
		 * still to be read is there now or never: its writers are
		 * gone. */
		int timeout_ms = fd.events == POLLOUT ? -1 : 0;
		int n = poll(&fd, 1, timeout_ms);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		relay_pump_step(pump, fd.revents);
	}
	end(pump);
}
