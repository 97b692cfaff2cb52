/* SPDX-License-Identifier: MIT */
/* process_info: what is known of the process at the other end. */
#include "process_info.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "audit.h"
#include "service.h"

/**
 * struct process_info - one per connection, so no larger than it must be
 * @strings:	exe, argv0 and parents, one behind the other
 */
struct process_info {
	uint32_t pid;
	uint16_t process;
	uint16_t argv0_at;
	uint16_t parents_at;
	char strings[];
};

struct process_info *process_info_new(const struct service_answer *answer)
{
	size_t exe = strnlen(answer->exe, SERVICE_EXE_BYTES - 1) + 1;
	size_t argv0 = strnlen(answer->argv0, SERVICE_ARGV0_BYTES - 1) + 1;
	size_t parents = strnlen(answer->parents, SERVICE_PARENT_BYTES - 1) + 1;
	struct process_info *info =
		calloc(1, sizeof(*info) + exe + argv0 + parents);

	if (info == NULL)
		return NULL;
	info->pid = answer->pid;
	info->process = (uint16_t)answer->process;
	info->argv0_at = (uint16_t)exe;
	info->parents_at = (uint16_t)(exe + argv0);
	memcpy(info->strings, answer->exe, exe - 1);
	memcpy(info->strings + exe, answer->argv0, argv0 - 1);
	memcpy(info->strings + exe + argv0, answer->parents, parents - 1);
	return info;
}

void process_info_free(struct process_info *info)
{
	free(info);
}

static const char *word_or_null(const char *s)
{
	return s[0] != '\0' ? s : NULL;
}

void process_info_fill(const struct process_info *info,
		       struct audit_record *record)
{
	if (info == NULL)
		return;
	switch ((enum service_process)info->process) {
	case SERVICE_FOUND:
		record->pid = info->pid;
		record->exe = word_or_null(info->strings);
		record->argv0 = word_or_null(info->strings + info->argv0_at);
		record->parents =
			word_or_null(info->strings + info->parents_at);
		return;
	case SERVICE_GONE:
		record->process = "gone";
		return;
	case SERVICE_HIDDEN:
		record->process = "hidden";
		return;
	case SERVICE_UNKNOWN:
		break;
	}
	record->process = "unknown";
}
