/* SPDX-License-Identifier: MIT */
/* machine_kernel_none: on systems that list neither sockets nor mounts;
 * Seatbelt denies sockets by default, and its rules need no mount points. */
#include "machine_internal.h"

int machine_fill_kernel(struct fence_facts *facts)
{
	facts->landlock_abi = 0;
	return 0;
}

int machine_fill_sockets(struct fence_facts *facts, const struct policy *policy)
{
	(void)facts;
	(void)policy;
	return 0;
}
