/* SPDX-License-Identifier: MIT */
/* prove_kernel: the attacker's steps at the kernel itself. */
#include <errno.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "prove_steps.h"
#include "text.h"

/* struct io_uring_params (io_uring_setup(2)), which starts as zeroes. */
#define RING_PARAMS_BYTES 120

int step_ring(const char *value)
{
	unsigned char params[RING_PARAMS_BYTES] = {0};
	long fd = syscall(SYS_io_uring_setup, 1, params);

	(void)value;
	if (fd < 0)
		return -errno;
	(void)close((int)fd);
	return 0;
}

/* In a child, which ends with it. */
int step_namespace(const char *value)
{
	int status = 0;
	pid_t pid = fork();

	(void)value;
	if (pid == 0)
		_exit(unshare(CLONE_NEWUSER) == 0 ? 0 : errno & 0x7f);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -ECHILD;
	return -WEXITSTATUS(status);
}

int step_keyring(const char *value)
{
	long rc = syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID,
			  KEY_SPEC_SESSION_KEYRING, 0);

	(void)value;
	return rc < 0 ? -errno : 0;
}

int step_signal(const char *value)
{
	uint64_t pid;

	if (!text_parse_decimal(value, strlen(value), INT32_MAX, &pid))
		return -EINVAL;
	return kill((pid_t)pid, 0) == 0 ? 0 : -errno;
}
