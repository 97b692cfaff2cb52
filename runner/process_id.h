/* SPDX-License-Identifier: MIT */
/* process_id: a process that no later one can be mistaken for. */
#ifndef PROCESS_ID_H
#define PROCESS_ID_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/** struct process_id - numbers are used again, with another start time */
struct process_id {
	int32_t pid;
	uint64_t started; /* clock ticks since boot: proc_pid_stat(5), field 22
			   */
};

/**
 * struct process_use - what a process takes
 * @ticks:	processor time, its own and its reaped children's
 * @rss_kib:	memory that is in use, pages that it shares included
 */
struct process_use {
	uint64_t started;
	uint64_t ticks;
	uint64_t rss_kib;
};

/** process_use_read() - Return: false: there is no such process. */
bool process_use_read(pid_t pid, struct process_use *use_out)
	__attribute__((warn_unused_result));

/** process_id_of() - Return: false: there is no such process. */
bool process_id_of(pid_t pid, struct process_id *id_out)
	__attribute__((warn_unused_result));

/** process_id_open() - a pidfd of the very process, or -ESRCH: it has ended;
 * else -errno. */
int process_id_open(const struct process_id *id)
	__attribute__((warn_unused_result));

/** process_pid_ns() - inode of its pid namespace, 0: cannot be seen */
uint64_t process_pid_ns(pid_t pid);

/** process_inner_pid() - its number in its own pid namespace, 0: unknown */
pid_t process_inner_pid(pid_t pid);

#endif
