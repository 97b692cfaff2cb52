/* SPDX-License-Identifier: MIT */
/* mount_calls: the system calls for mounts by descriptor (Linux 5.2, 5.12),
 * which the C library has only since glibc 2.36. As open_tree(2) and so on,
 * always with an empty path. Return: as the system call; errno is set. */
#ifndef MOUNT_CALLS_H
#define MOUNT_CALLS_H

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

/** mount_clone() - a copy of what is seen at @fd, with all below it */
static inline int mount_clone(int fd)
{
	return (int)syscall(SYS_open_tree, fd, "",
			    OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE |
				    AT_EMPTY_PATH);
}

/** mount_change() - @flags: 0 or AT_RECURSIVE */
static inline int mount_change(int fd, unsigned int flags,
			       struct mount_attr *attr)
{
	return (int)syscall(SYS_mount_setattr, fd, "", AT_EMPTY_PATH | flags,
			    attr, sizeof(*attr));
}

/** mount_move() - attach the detached mount @tree at @place */
static inline int mount_move(int tree, int place)
{
	return (int)syscall(SYS_move_mount, tree, "", place, "",
			    MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH);
}

/** mount_tmpfs() - a detached tmpfs, its root with @mode (octal digits) */
static inline int mount_tmpfs(const char *mode, unsigned int attr)
{
	int tree = -1;
	int fs = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC);

	if (fs < 0)
		return -1;
	if (syscall(SYS_fsconfig, fs, FSCONFIG_SET_STRING, "mode", mode, 0) ==
		    0 &&
	    syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
		tree = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, attr);
	(void)close(fs);
	return tree;
}

#endif
