/* SPDX-License-Identifier: MIT */
/* trail: numbers audit records, stamps them, and appends them to one fd. */
#include "trail.h"

#include <string.h>

#include "audit.h"
#include "ticks.h"

int trail_write(struct trail *trail, struct audit_record *record)
{
	record->ts_ms = ticks_wall_ms();
	record->seq = trail->next_seq;
	record->run = trail->run;
	int rc = audit_write(trail->fd, record);
	if (rc == 0) {
		trail->next_seq++;
		return 0;
	}
	if (log_limit_pass(&trail->limit, ticks_now_ms()))
		log_warn("audit record not written: %s; %s", strerror(-rc),
			 trail->continues
				 ? "going on without (audit.on_error)"
				 : "connections are refused until it can be");
	return trail->continues ? 0 : rc;
}
