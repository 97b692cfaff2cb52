/* SPDX-License-Identifier: MIT */
/* etc_files: the files of /etc that the fence writes itself. Pure. */
#ifndef ETC_FILES_H
#define ETC_FILES_H

#include <stddef.h>

#include "fence_plan.h"

/**
 * etc_files() - names for the sandbox: resolv.conf, hosts, nsswitch.conf, and
 * where /etc is built from nothing also passwd, group, services, protocols
 * @plan:	gives mode, home and host name; its arena holds the result
 * Return: 0 or -ENOMEM.
 */
int etc_files(struct fence_plan *plan, const struct fence_facts *facts,
	      struct plan_file **files_out, size_t *count_out)
	__attribute__((warn_unused_result));

#endif
