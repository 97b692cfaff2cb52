/* SPDX-License-Identifier: MIT */
/* bwrap_info: what bubblewrap says of its child on --info-fd. */
#include "bwrap_info.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

#define INFO_MAX_BYTES 1024

bool bwrap_info_parse(const char *text, pid_t *child_out)
{
	static const char key[] = "\"child-pid\":";
	const char *at = strstr(text, key);
	uint64_t pid;

	if (at == NULL)
		return false;
	at += sizeof(key) - 1;
	at += strspn(at, " \t\n");
	size_t digits = strspn(at, "0123456789");
	/* A number is whole only once something else follows it. */
	if (at[digits] == '\0')
		return false;
	if (!text_parse_decimal(at, digits, INT_MAX, &pid) || pid < 1)
		return false;
	*child_out = (pid_t)pid;
	return true;
}

static int wait_readable(int fd, int watch, int timeout_ms)
{
	struct pollfd fds[] = {
		{.fd = fd,    .events = POLLIN},
		{.fd = watch, .events = POLLIN},
	};
	int n;

	do
		n = poll(fds, 2, timeout_ms);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	if (n == 0)
		return -ETIMEDOUT;
	return fds[1].revents != 0 ? -ECANCELED : 0;
}

int bwrap_info_read_child(int info, int watch, int timeout_ms, pid_t *child_out)
{
	char text[INFO_MAX_BYTES];
	size_t len = 0;

	while (len < sizeof(text) - 1) {
		int rc = wait_readable(info, watch, timeout_ms);
		if (rc != 0)
			return rc;
		ssize_t n = read(info, text + len, sizeof(text) - 1 - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return len == 0 ? -EPIPE : -EPROTO;
		len += (size_t)n;
		text[len] = '\0';
		if (bwrap_info_parse(text, child_out))
			return 0;
	}
	return -EPROTO;
}
