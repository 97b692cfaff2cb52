/* SPDX-License-Identifier: MIT */
/* init_channel: the runner's end of its pair with exeat-init. */
#include "init_channel.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int init_channel_open(int ends_out[static 2])
{
	const int on = 1;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
		return -errno;
	if (setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)) !=
	    0) {
		int rc = -errno;
		(void)close(ends[0]);
		(void)close(ends[1]);
		return rc;
	}
	ends_out[0] = ends[0];
	ends_out[1] = ends[1];
	return 0;
}

static pid_t sender(struct msghdr *header)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(header); c != NULL;
	     c = CMSG_NXTHDR(header, c)) {
		struct ucred cred;

		if (c->cmsg_level != SOL_SOCKET ||
		    c->cmsg_type != SCM_CREDENTIALS)
			continue;
		memcpy(&cred, CMSG_DATA(c), sizeof(cred));
		return cred.pid;
	}
	return 0;
}

int init_channel_receive(int pair, struct handoff_message *message_out,
			 pid_t *pid_out)
{
	union {
		char bytes[CMSG_SPACE(sizeof(struct ucred))];
		struct cmsghdr align;
	} control = {.bytes = {0}};
	struct handoff_message message;
	struct iovec iov = {.iov_base = &message, .iov_len = sizeof(message)};
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
		return errno == ECONNRESET ? 0 : -errno;
	if (n == 0)
		return 0;
	if ((size_t)n != sizeof(message))
		return -EPROTO;
	message.text[sizeof(message.text) - 1] = '\0';
	message.detail[sizeof(message.detail) - 1] = '\0';
	*message_out = message;
	*pid_out = sender(&header);
	return 1;
}
