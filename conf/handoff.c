/* SPDX-License-Identifier: MIT */
/* handoff: messages and descriptors over SOCK_SEQPACKET pairs. */
#include "handoff.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef MSG_CMSG_CLOEXEC /* macOS */
#define MSG_CMSG_CLOEXEC 0
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

union control {
	char bytes[CMSG_SPACE(sizeof(int))];
	struct cmsghdr align;
};

int handoff_send(int pair, const struct handoff_message *message, int fd)
{
	/* sendmsg() takes a struct iovec that it never writes through. */
	union {
		const void *in;
		void *out;
	} base = {.in = message};
	struct iovec iov = {.iov_base = base.out, .iov_len = sizeof(*message)};
	union control control = {.bytes = {0}};
	struct msghdr header = {.msg_iov = &iov, .msg_iovlen = 1};

	if (fd >= 0) {
		header.msg_control = control.bytes;
		header.msg_controllen = sizeof(control.bytes);
		struct cmsghdr *c = CMSG_FIRSTHDR(&header);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(fd));
		memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	}

	ssize_t n;
	do
		n = sendmsg(pair, &header, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	return (size_t)n == sizeof(*message) ? 0 : -EPROTO;
}

static int attached_fd(struct msghdr *header)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(header); c != NULL;
	     c = CMSG_NXTHDR(header, c)) {
		int fd;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		memcpy(&fd, CMSG_DATA(c), sizeof(fd));
		return fd;
	}
	return -1;
}

int handoff_receive(int pair, struct handoff_message *message_out, int *fd_out)
{
	struct handoff_message message;
	struct iovec iov = {.iov_base = &message, .iov_len = sizeof(message)};
	union control control = {.bytes = {0}};
	struct msghdr header = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};

	ssize_t n;
	do
		n = recvmsg(pair, &header, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		/* The other side went with our message unread: gone too. */
		return errno == ECONNRESET ? 0 : -errno;

	int fd = attached_fd(&header);
	if (fd >= 0 && (fd_out == NULL || (size_t)n != sizeof(message))) {
		(void)close(fd);
		fd = -1;
	}
	if (n == 0)
		return 0;
	if ((size_t)n != sizeof(message) || (header.msg_flags & MSG_TRUNC) != 0)
		return -EPROTO;
	message.text[sizeof(message.text) - 1] = '\0';
	message.detail[sizeof(message.detail) - 1] = '\0';
	*message_out = message;
	if (fd_out != NULL)
		*fd_out = fd;
	return 1;
}

void handoff_say(int pair, enum handoff_type type, uint32_t number,
		 const char *format, ...)
{
	struct handoff_message message = {.type = type, .number = number};
	va_list args;

	va_start(args, format);
	(void)vsnprintf(message.text, sizeof(message.text), format, args);
	va_end(args);
	(void)!handoff_send(pair, &message, -1);
}
