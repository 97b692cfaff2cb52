/* SPDX-License-Identifier: MIT */
/* netlink_batch: several netlink messages, written and sent as one. */
#include "netlink_batch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER_BYTES   8192
#define ATTRIBUTE_HEAD sizeof(struct nlattr)

/* Zeroed, aligned room at the end; NULL when there is none. */
static void *append(struct netlink_batch *batch, size_t len)
{
	size_t room = NLMSG_ALIGN(len);

	if (batch->is_full || room > sizeof(batch->bytes) - batch->len) {
		batch->is_full = true;
		return NULL;
	}
	void *at = batch->bytes + batch->len;
	batch->len += room;
	return at;
}

static void set_message_length(struct netlink_batch *batch)
{
	const uint32_t len = (uint32_t)(batch->len - batch->message);

	memcpy(batch->bytes + batch->message +
		       offsetof(struct nlmsghdr, nlmsg_len),
	       &len, sizeof(len));
}

void netlink_message(struct netlink_batch *batch, unsigned int type,
		     unsigned int flags, const void *header, size_t len)
{
	size_t at = batch->len;
	struct nlmsghdr *message = append(batch, sizeof(*message));
	void *fixed = append(batch, len);

	if (fixed == NULL || batch->count == NETLINK_BATCH_MESSAGES) {
		batch->is_full = true;
		return;
	}
	batch->message = at;
	message->nlmsg_type = (uint16_t)type;
	message->nlmsg_flags = (uint16_t)(flags | NLM_F_REQUEST);
	message->nlmsg_seq = ++batch->count;
	memcpy(fixed, header, len);
	set_message_length(batch);
}

void netlink_put(struct netlink_batch *batch, unsigned int attribute,
		 const void *data, size_t len)
{
	const struct nlattr head = {
		.nla_len = (uint16_t)(ATTRIBUTE_HEAD + len),
		.nla_type = (uint16_t)attribute,
	};
	uint8_t *at = append(batch, ATTRIBUTE_HEAD + len);

	if (at == NULL)
		return;
	memcpy(at, &head, sizeof(head));
	if (len > 0)
		memcpy(at + ATTRIBUTE_HEAD, data, len);
	set_message_length(batch);
}

void netlink_put_text(struct netlink_batch *batch, unsigned int attribute,
		      const char *text)
{
	netlink_put(batch, attribute, text, strlen(text) + 1);
}

void netlink_put_be32(struct netlink_batch *batch, unsigned int attribute,
		      uint32_t value)
{
	const uint32_t ordered = htonl(value);

	netlink_put(batch, attribute, &ordered, sizeof(ordered));
}

size_t netlink_nest(struct netlink_batch *batch, unsigned int attribute)
{
	size_t nest = batch->len;

	netlink_put(batch, attribute | NLA_F_NESTED, NULL, 0);
	return nest;
}

void netlink_nest_end(struct netlink_batch *batch, size_t nest)
{
	const uint16_t len = (uint16_t)(batch->len - nest);

	if (!batch->is_full)
		memcpy(batch->bytes + nest + offsetof(struct nlattr, nla_len),
		       &len, sizeof(len));
}

static void note_answers(const uint8_t *bytes, size_t len, uint32_t count,
			 int errors[static NETLINK_BATCH_MESSAGES])
{
	struct nlmsghdr head;
	struct nlmsgerr answer;
	const size_t least = NLMSG_HDRLEN + sizeof(answer.error);

	while (len >= sizeof(head)) {
		memcpy(&head, bytes, sizeof(head));
		if (head.nlmsg_len < sizeof(head) || head.nlmsg_len > len)
			return;
		if (head.nlmsg_type == NLMSG_ERROR && head.nlmsg_len >= least &&
		    head.nlmsg_seq >= 1 && head.nlmsg_seq <= count) {
			memcpy(&answer.error, bytes + NLMSG_HDRLEN,
			       sizeof(answer.error));
			/* An error stays, whatever is said after it. */
			if (errors[head.nlmsg_seq - 1] == 0)
				errors[head.nlmsg_seq - 1] = answer.error;
		}
		size_t step = NLMSG_ALIGN(head.nlmsg_len);
		if (step >= len)
			return;
		bytes += step;
		len -= step;
	}
}

static int read_answers(int fd, uint32_t count,
			int errors[static NETLINK_BATCH_MESSAGES])
{
	uint8_t buf[ANSWER_BYTES];

	for (;;) {
		ssize_t n = recv(fd, buf, sizeof(buf), MSG_DONTWAIT);

		if (n > 0)
			note_answers(buf, (size_t)n, count, errors);
		else if (n == 0 || errno == EAGAIN)
			return 0;
		else if (errno != EINTR)
			return -errno;
	}
}

int netlink_exchange(int protocol, const struct netlink_batch *batch,
		     int errors_out[static NETLINK_BATCH_MESSAGES])
{
	const struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};

	if (batch->is_full)
		return -ENOSPC;
	memset(errors_out, 0, NETLINK_BATCH_MESSAGES * sizeof(*errors_out));
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, protocol);
	if (fd < 0)
		return -errno;
	ssize_t n = sendto(fd, batch->bytes, batch->len, 0,
			   (const struct sockaddr *)&kernel, sizeof(kernel));
	int rc = n == (ssize_t)batch->len ? 0 : n < 0 ? -errno : -EIO;
	if (rc == 0)
		rc = read_answers(fd, batch->count, errors_out);
	(void)close(fd);
	return rc;
}
