/* SPDX-License-Identifier: MIT */
/* service: what exeat-proxy asks of the gate while a command runs. */
#include "service.h"

#include <errno.h>
#include <stdbool.h>
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
	char bytes[CMSG_SPACE(SERVICE_SOCKETS_MAX * sizeof(int))];
	struct cmsghdr align;
};

int service_ask(int pair, const struct service_question *question)
{
	ssize_t n;

	do
		n = send(pair, question, sizeof(*question),
			 MSG_DONTWAIT | MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : 0;
}

int service_hear(int pair, struct service_question *question_out)
{
	struct service_question question;
	ssize_t n;

	do
		n = recv(pair, &question, sizeof(question), MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return n < 0 ? -errno : 0;
	if ((size_t)n != sizeof(question))
		return -EPROTO;
	*question_out = question;
	return 1;
}

int service_answer(int pair, const struct service_answer *answer,
		   const int *fds)
{
	/* sendmsg() takes a struct iovec that it never writes through. */
	union {
		const void *in;
		void *out;
	} base = {.in = answer};
	struct iovec iov = {.iov_base = base.out, .iov_len = sizeof(*answer)};
	struct msghdr header = {.msg_iov = &iov, .msg_iovlen = 1};
	union control control = {.bytes = {0}};
	size_t len = answer->count * sizeof(int);

	if (answer->count > SERVICE_SOCKETS_MAX)
		return -E2BIG;
	if (len > 0) {
		header.msg_control = control.bytes;
		header.msg_controllen = CMSG_SPACE(len);
		struct cmsghdr *c = CMSG_FIRSTHDR(&header);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(len);
		memcpy(CMSG_DATA(c), fds, len);
	}
	ssize_t n;
	do
		n = sendmsg(pair, &header, MSG_DONTWAIT | MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : 0;
}

static size_t take_fds(struct msghdr *header,
		       int fds[static SERVICE_SOCKETS_MAX])
{
	size_t count = 0;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(header); c != NULL;
	     c = CMSG_NXTHDR(header, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS ||
		    count > 0)
			continue;
		count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(fds, CMSG_DATA(c), count * sizeof(int));
	}
	return count;
}

int service_receive(int pair, struct service_answer *answer_out,
		    int fds_out[static SERVICE_SOCKETS_MAX])
{
	struct service_answer answer = {.kind = 0};
	struct iovec iov = {.iov_base = &answer, .iov_len = sizeof(answer)};
	union control control = {.bytes = {0}};
	struct msghdr header = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	ssize_t n;

	do
		n = recvmsg(pair, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return n < 0 && errno != ECONNRESET ? -errno : 0;
	size_t count = take_fds(&header, fds_out);
	if ((size_t)n != sizeof(answer) || count != answer.count) {
		for (size_t i = 0; i < count; i++)
			(void)close(fds_out[i]);
		return -EPROTO;
	}
	answer.exe[sizeof(answer.exe) - 1] = '\0';
	answer.argv0[sizeof(answer.argv0) - 1] = '\0';
	answer.parents[sizeof(answer.parents) - 1] = '\0';
	*answer_out = answer;
	return 1;
}
