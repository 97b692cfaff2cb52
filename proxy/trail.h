/* SPDX-License-Identifier: MIT */
/* trail: numbers audit records, stamps them, and appends them to one fd. */
#ifndef TRAIL_H
#define TRAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "log.h"

struct audit_record;

/**
 * struct trail - where records go
 * @fd:		borrowed, O_APPEND
 * @run:	run id, borrowed; NULL for a daemon
 * @next_seq:	of the next record
 * @continues:	audit.on_error = "continue": a failure is only logged
 */
struct trail {
	int fd;
	const char *run;
	uint64_t next_seq;
	uint64_t next_conn;
	bool continues;
	struct log_limit limit;
};

/**
 * trail_write() - fill ts, seq and run of @record and write it
 *
 * When this returns 0 the record is in the kernel's hands (write(2) returned);
 * nothing is synced to disk, which would cost more than the tunnel.
 *
 * Return: 0; -errno: it is not recorded, and what it speaks of must not happen.
 */
int trail_write(struct trail *trail, struct audit_record *record)
	__attribute__((warn_unused_result));

#endif
