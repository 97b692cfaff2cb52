/* SPDX-License-Identifier: MIT */
/* confine: on Linux. */
#include "confine.h"

#include <errno.h>
#include <sys/prctl.h>

int confine_early(void)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
		return -errno;
	return 0;
}
