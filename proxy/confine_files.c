/* SPDX-License-Identifier: MIT */
/* confine_files: Landlock: which files may still be opened. */
#include "confine_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine.h"

/* landlock(7). Defined here: the headers of a distribution are often older
 * than its kernel. */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule       445
#define SYS_landlock_restrict_self  446
#endif

#define ASK_VERSION     1U
#define RULE_PATH       1
#define READ_FILE       (UINT64_C(1) << 2)
#define READ_DIR        (UINT64_C(1) << 3)
#define REMOVE_FILE     (UINT64_C(1) << 5)
#define RIGHTS_ABI_1    ((UINT64_C(1) << 13) - 1)
#define RIGHT_REFER     (UINT64_C(1) << 13) /* ABI 2 */
#define RIGHT_TRUNCATE  (UINT64_C(1) << 14) /* ABI 3 */
#define RIGHT_IOCTL_DEV (UINT64_C(1) << 15) /* ABI 5 */

struct ruleset {
	uint64_t handled_fs;
};

struct path_rule {
	uint64_t allowed;
	int32_t parent_fd;
} __attribute__((packed));

/* What may be refused: as much as this kernel knows. */
static uint64_t rights_of(long abi, bool removes_files)
{
	uint64_t rights = RIGHTS_ABI_1;

	if (abi >= 2)
		rights |= RIGHT_REFER;
	if (abi >= 3)
		rights |= RIGHT_TRUNCATE;
	if (abi >= 5)
		rights |= RIGHT_IOCTL_DEV;
	if (removes_files)
		rights &= ~REMOVE_FILE;
	return rights;
}

/* A path that is not there cannot be opened later either. */
static int allow_reading(int ruleset, const char *path)
{
	struct stat st;
	int rc = 0;
	int fd = open(path, O_PATH | O_CLOEXEC);

	if (fd < 0)
		return 0;
	struct path_rule rule = {.allowed = READ_FILE, .parent_fd = fd};
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		rule.allowed |= READ_DIR;
	if (syscall(SYS_landlock_add_rule, ruleset, RULE_PATH, &rule, 0U) != 0)
		rc = -errno;
	(void)close(fd);
	return rc;
}

int confine_files(const struct confine_settings *settings)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0UL, ASK_VERSION);
	int rc = 0;

	if (abi < 1)
		return 0;
	const struct ruleset wanted = {
		.handled_fs = rights_of(abi, settings->removes_files)};
	int ruleset = (int)syscall(SYS_landlock_create_ruleset, &wanted,
				   sizeof(wanted), 0U);
	if (ruleset < 0)
		return -errno;
	for (size_t i = 0; i < settings->count && rc == 0; i++)
		rc = allow_reading(ruleset, settings->reads[i]);
	if (rc == 0 && syscall(SYS_landlock_restrict_self, ruleset, 0U) != 0)
		rc = -errno;
	(void)close(ruleset);
	return rc;
}
