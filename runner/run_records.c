/* SPDX-License-Identifier: MIT */
/* run_records: the first and the last record of a run. */
#include "run_records.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "handoff.h"
#include "run_files.h"
#include "run_keep.h"

static uint64_t now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void run_records_init(struct run_records *records)
{
	*records = (struct run_records){.fd = -1};
}

int run_records_open(struct run_records *records, const struct policy *policy,
		     struct diag *diag)
{
	int rc = run_id_make(now_ms(), records->run);

	if (rc != 0) {
		diag_set(diag, "naming the run: %s", strerror(-rc));
		return -1;
	}
	records->fd = run_audit_open(policy->audit.file, records->run,
				     records->path, diag);
	if (records->fd >= 0)
		run_keep_lock(records->fd);
	/* A file that the user named is theirs, even where it is new. */
	records->is_for_nothing = policy->audit.file == NULL;
	return records->fd < 0 ? -1 : 0;
}

void run_records_clear(struct run_records *records)
{
	if (records->fd >= 0) {
		(void)close(records->fd);
		if (records->is_for_nothing)
			(void)unlink(records->path);
	}
	run_records_init(records);
}

int run_records_start(struct run_records *records, const char *command,
		      const char *detail)
{
	/* The program's name alone: arguments may hold secrets. */
	const struct audit_record record = {
		.event = AUDIT_RUN_START,
		.ts_ms = now_ms(),
		.seq = HANDOFF_FIRST_PROXY_SEQ - 1,
		.run = records->run,
		.argv0 = command,
		.detail = detail,
	};

	records->is_for_nothing = false;
	return audit_write(records->fd, &record);
}

int run_records_exit(const struct run_records *records, uint64_t seq,
		     int exit_code, const char *why)
{
	const struct audit_record record = {
		.event = AUDIT_RUN_EXIT,
		.ts_ms = now_ms(),
		.seq = seq,
		.run = records->run,
		.has_exit_code = true,
		.exit_code = exit_code,
		.detail = why,
	};

	return audit_write(records->fd, &record);
}
