/* SPDX-License-Identifier: MIT */
/* sock_diag: asks the kernel about one socket of a network namespace. */
#include "sock_diag.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct request {
	struct nlmsghdr head;
	struct inet_diag_req_v2 body;
};

int sock_diag_open(void)
{
	const struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC,
			NETLINK_SOCK_DIAG);

	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)&kernel, sizeof(kernel)) == 0)
		return fd;
	int rc = -errno;
	(void)close(fd);
	return rc;
}

static void set_id(struct inet_diag_sockid *id, const struct service_flow *flow)
{
	bool is_udp = flow->protocol == IPPROTO_UDP;

	/* For UDP the kernel reads the request the other way round: as a packet
	 * that arrives. */
	memcpy(id->idiag_src, is_udp ? flow->outer.bytes : flow->inner.bytes,
	       sizeof(flow->inner.bytes));
	memcpy(id->idiag_dst, is_udp ? flow->inner.bytes : flow->outer.bytes,
	       sizeof(flow->outer.bytes));
	id->idiag_sport = htons(is_udp ? flow->outer_port : flow->inner_port);
	id->idiag_dport = htons(is_udp ? flow->inner_port : flow->outer_port);
	id->idiag_cookie[0] = INET_DIAG_NOCOOKIE;
	id->idiag_cookie[1] = INET_DIAG_NOCOOKIE;
}

/* The kernel answers within our send(2): nothing is waited for. */
static int read_answer(int fd, uint32_t *inode_out)
{
	union {
		char bytes[1024];
		struct nlmsghdr head;
	} answer;

	ssize_t n = recv(fd, &answer, sizeof(answer), MSG_DONTWAIT);

	if (n < 0)
		return -errno;
	if ((size_t)n < NLMSG_LENGTH(sizeof(struct nlmsgerr)))
		return -EPROTO;
	if (answer.head.nlmsg_type == NLMSG_ERROR) {
		struct nlmsgerr error;

		memcpy(&error, NLMSG_DATA(&answer.head), sizeof(error));
		return error.error < 0 ? error.error : -EPROTO;
	}
	struct inet_diag_msg found;
	if (answer.head.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
	    (size_t)n < NLMSG_LENGTH(sizeof(found)))
		return -EPROTO;
	memcpy(&found, NLMSG_DATA(&answer.head), sizeof(found));
	/* Closed by everybody, but not by the protocol yet. */
	if (found.idiag_inode == 0)
		return -ENOENT;
	*inode_out = found.idiag_inode;
	return 0;
}

static void forget_answers(int fd)
{
	char ignored[1024];

	while (recv(fd, ignored, sizeof(ignored), MSG_DONTWAIT) >= 0) {
	}
}

int sock_diag_inode(int fd, const struct service_flow *flow,
		    uint32_t *inode_out)
{
	struct request request = {
		.head =
			{
                               .nlmsg_len = sizeof(request),
                               .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                               .nlmsg_flags = NLM_F_REQUEST,
			       },
		.body =
			{
                               .sdiag_family = (uint8_t)flow->inner.family,
                               .sdiag_protocol = (uint8_t)flow->protocol,
                               .idiag_states = UINT32_MAX,
			       },
	};

	set_id(&request.body.id, flow);
	forget_answers(fd);
	if (send(fd, &request, sizeof(request), 0) < 0)
		return -errno;
	return read_answer(fd, inode_out);
}
