/* SPDX-License-Identifier: MIT */
/* run_records: the first and the last record of a run. */
#ifndef RUN_RECORDS_H
#define RUN_RECORDS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "audit.h"
#include "diag.h"
#include "policy.h"

/**
 * struct run_records - where a run's records go
 * @run:	its id
 * @fd:		-1: not open
 * @is_for_nothing: the file was made for a run that has not taken place
 */
struct run_records {
	char run[AUDIT_RUN_ID_BYTES];
	char path[PATH_MAX];
	int fd;
	bool is_for_nothing;
};

/** run_records_init() - nothing is open */
void run_records_init(struct run_records *records);

/** run_records_open() - name the run and open its file. Return: 0, or -1 with
 * @diag set. */
int run_records_open(struct run_records *records, const struct policy *policy,
		     struct diag *diag) __attribute__((warn_unused_result));

/** run_records_clear() - close the file, and remove it if no run took place */
void run_records_clear(struct run_records *records);

/** run_records_start() - before the command runs; @detail: back end and limits.
 * Return: 0 or -errno. */
int run_records_start(struct run_records *records, const char *command,
		      const char *detail) __attribute__((warn_unused_result));

/**
 * run_records_exit() - after it
 * @seq:	of this record; 0: not known, since the proxy did not end well
 * @why:	what exeat itself has to say, or NULL
 */
int run_records_exit(const struct run_records *records, uint64_t seq,
		     int exit_code, const char *why)
	__attribute__((warn_unused_result));

#endif
