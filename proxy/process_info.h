/* SPDX-License-Identifier: MIT */
/* process_info: what is known of the process at the other end. */
#ifndef PROCESS_INFO_H
#define PROCESS_INFO_H

struct audit_record;
struct process_info;
struct service_answer;

/** process_info_new() - Return: the caller's; NULL: out of memory. */
struct process_info *process_info_new(const struct service_answer *answer);

/** process_info_free() - NULL does nothing */
void process_info_free(struct process_info *info);

/**
 * process_info_fill() - put it into @record, which borrows from @info
 *
 * Never a guess: a process that was not found is "gone", "hidden", or, where
 * no answer came in time, "unknown". NULL: nobody was asked.
 */
void process_info_fill(const struct process_info *info,
		       struct audit_record *record);

#endif
