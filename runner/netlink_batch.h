/* SPDX-License-Identifier: MIT */
/* netlink_batch: several netlink messages, written and sent as one. */
#ifndef NETLINK_BATCH_H
#define NETLINK_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/netlink.h>

#define NETLINK_BATCH_BYTES    2048
#define NETLINK_BATCH_MESSAGES 16

/**
 * struct netlink_batch - starts zeroed
 * @len:	bytes written
 * @message:	where the message begins that is being written
 * @count:	messages so far; the n-th has sequence number n, from 1 on
 * @is_full:	something had no room: it must not be sent
 */
struct netlink_batch {
	union {
		struct nlmsghdr align;
		uint8_t bytes[NETLINK_BATCH_BYTES];
	};

	size_t len;
	size_t message;
	uint32_t count;
	bool is_full;
};

/** netlink_message() - begin a message; @flags besides NLM_F_REQUEST;
 * @header: the fixed part of its type, @len bytes */
void netlink_message(struct netlink_batch *batch, unsigned int type,
		     unsigned int flags, const void *header, size_t len);

/** netlink_put() - an attribute of the message begun last */
void netlink_put(struct netlink_batch *batch, unsigned int attribute,
		 const void *data, size_t len);
void netlink_put_text(struct netlink_batch *batch, unsigned int attribute,
		      const char *text);
/** netlink_put_be32() - in network order, as netfilter has its numbers */
void netlink_put_be32(struct netlink_batch *batch, unsigned int attribute,
		      uint32_t value);

/** netlink_nest() - what follows is inside of @attribute, until
 * netlink_nest_end() is called with what this returned */
size_t netlink_nest(struct netlink_batch *batch, unsigned int attribute);
void netlink_nest_end(struct netlink_batch *batch, size_t nest);

/**
 * netlink_exchange() - send all messages and read what the kernel answers
 * @protocol:	NETLINK_ROUTE, NETLINK_NETFILTER
 * @errors_out:	by message, from 0 on: 0 or -errno
 *
 * Messages with NLM_F_ACK are answered; of the others only errors are heard.
 * The kernel answers before sendmsg(2) returns, so nothing is waited for.
 *
 * Return: 0: @errors_out says more; -errno: nothing is known.
 */
int netlink_exchange(int protocol, const struct netlink_batch *batch,
		     int errors_out[static NETLINK_BATCH_MESSAGES])
	__attribute__((warn_unused_result));

#endif
