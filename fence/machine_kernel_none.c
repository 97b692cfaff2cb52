/* SPDX-License-Identifier: MIT */
/* machine_kernel_none: on systems that list neither sockets nor mounts;
 * Seatbelt denies sockets by default, and its rules need no mount points. */
#include "machine_internal.h"

int machine_fill_kernel(struct fence_facts *facts, bool wants_mounts)
{
	(void)wants_mounts;
	facts->landlock_abi = 0;
	return 0;
}
