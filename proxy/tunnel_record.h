/* SPDX-License-Identifier: MIT */
/* tunnel_record: what a tunnel has to say to the audit trail. */
#ifndef TUNNEL_RECORD_H
#define TUNNEL_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "decision.h"

struct client_hello;
struct tunnel;

/** tunnel_set_host() - keep the destination for records.
 * Return: 0 or -ENOMEM. */
int tunnel_set_host(struct tunnel *tunnel, const char *host, size_t len,
		    uint16_t port) __attribute__((warn_unused_result));
void tunnel_set_hello(struct tunnel *tunnel, const struct client_hello *hello);
void tunnel_set_raw_name(struct tunnel *tunnel, const uint8_t *name,
			 size_t len);

/** tunnel_record_decision() - Return: 0, or -errno: it must not happen. */
int tunnel_record_decision(struct tunnel *tunnel, const struct decision *d)
	__attribute__((warn_unused_result));
void tunnel_record_close(struct tunnel *tunnel);
void tunnel_count_denied(struct tunnel *tunnel, enum reason reason,
			 const char *flag);

#endif
