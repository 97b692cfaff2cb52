/* SPDX-License-Identifier: MIT */
/* machine_kernel: what the kernel says of mounts and Landlock. */
#include "machine_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Debian 12's headers know them, older ones do not. */
#ifndef __NR_landlock_create_ruleset
#define __NR_landlock_create_ruleset 444
#endif
#define LANDLOCK_ASK_VERSION 1U

/* \040 and the like, as proc_pid_mountinfo(5) writes blanks. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s != '\0'; s++) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' &&
		    s[2] <= '7' && s[3] >= '0' && s[3] <= '7') {
			*to++ = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 +
				       (s[3] - '0'));
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
}

static int add_mount(struct fence_facts *facts, char *line)
{
	char *fields[5];
	char *rest = line;

	for (size_t i = 0; i < 5; i++) {
		fields[i] = strsep(&rest, " ");
		if (rest == NULL)
			return 0;
	}
	unescape(fields[3]);
	unescape(fields[4]);
	struct arena *a = &facts->arena;
	struct fence_mount mount = {
		.point = arena_strndup(a, fields[4], strlen(fields[4])),
		.device = arena_strndup(a, fields[2], strlen(fields[2])),
		.root = arena_strndup(a, fields[3], strlen(fields[3])),
	};
	if (mount.point == NULL || mount.device == NULL || mount.root == NULL)
		return -ENOMEM;
	return arena_append(a, &facts->mounts, &facts->mount_count, &mount,
			    sizeof(mount));
}

static int fill_mounts(struct fence_facts *facts)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t size = 0;
	int rc = 0;

	if (file == NULL)
		return -errno;
	while (rc == 0 && getline(&line, &size, file) > 0)
		rc = add_mount(facts, line);
	free(line);
	(void)fclose(file);
	return rc;
}

static unsigned int landlock_abi(void)
{
	long abi = syscall(__NR_landlock_create_ruleset, NULL, (size_t)0,
			   LANDLOCK_ASK_VERSION);

	return abi < 0 ? 0 : (unsigned int)abi;
}

int machine_fill_kernel(struct fence_facts *facts)
{
	facts->landlock_abi = landlock_abi();
	return fill_mounts(facts);
}
