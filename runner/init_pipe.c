/* SPDX-License-Identifier: MIT */
/* init_pipe: exeat-init on its way into the sandbox. */
#include "init_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/sendfile.h>
#include <unistd.h>

/* One page, whatever its size; and room for the rest in one step. */
#define LEAST_BYTES  1
#define LARGEST_PAGE 65536
#define REST_BYTES   (1 << 20)

static ssize_t read_some(int fd, char *to, size_t len)
{
	ssize_t n;

	do
		n = read(fd, to, len);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

/* Written and not spliced: a short piece of a file takes a whole place in the
 * pipe, and then there is none for the zeros behind it. */
static int fill(struct init_pipe *way, size_t size)
{
	char page[LARGEST_PAGE] = {0};
	ssize_t n = 0;

	if (size > sizeof(page))
		return -E2BIG;
	while (way->filled < size &&
	       (n = read_some(way->program, page + way->filled,
			      size - way->filled)) > 0)
		way->filled += (size_t)n;
	if (n < 0)
		return (int)n;
	return write(way->pipe, page, size) == (ssize_t)size ? 0 : -EIO;
}

int init_pipe_fill(struct init_pipe *way, int pipe, const char *path)
{
	int size = fcntl(pipe, F_SETPIPE_SZ, LEAST_BYTES);

	*way = (struct init_pipe){.pipe = pipe, .program = -1};
	if (size < 0)
		return -errno;
	way->program = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	return way->program < 0 ? -errno : fill(way, (size_t)size);
}

int init_pipe_wait(const struct init_pipe *way, int watch, int timeout_ms)
{
	struct pollfd fds[] = {
		{.fd = way->pipe, .events = POLLOUT},
		{.fd = watch,     .events = 0      },
	};
	int n;

	do
		n = poll(fds, 2, timeout_ms);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n == 0)
		return -ETIMEDOUT;
	if (fds[1].revents != 0)
		return -ECANCELED;
	return (fds[0].revents & POLLERR) != 0 ? -EPIPE : 0;
}

int init_pipe_finish(struct init_pipe *way)
{
	ssize_t n;

	/* More room at once saves a switch to the reader and back a page. */
	(void)fcntl(way->pipe, F_SETPIPE_SZ, REST_BYTES);
	do
		n = sendfile(way->pipe, way->program, NULL, REST_BYTES);
	while (n > 0 || (n < 0 && errno == EINTR));
	int rc = n < 0 ? -errno : 0;
	(void)close(way->program);
	(void)close(way->pipe);
	way->program = -1;
	way->pipe = -1;
	return rc;
}
