/* SPDX-License-Identifier: MIT */
/* syscall_table: what the command may not ask the kernel, and why. */
#include "syscall_table.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define PROTOCOL_SCTP  132
#define PROTOCOL_MPTCP 262

#define WHEN(how, at, what)                                   \
	{                                                     \
		.test = (how), .index = (at), .value = (what) \
	}
#define REFUSE(call, number, why)                                  \
	{                                                          \
		.name = (call), .error = (number), .reason = (why) \
	}
#define REFUSE_IF(call, number, why, ...)                           \
	{                                                           \
		.name = (call), .error = (number), .reason = (why), \
		.arguments = {                                      \
			__VA_ARGS__                                 \
		}                                                   \
	}

static const struct syscall_row rows[] = {
	/* sockets that no wall of ours would see */
	REFUSE_IF("socket", EPROTONOSUPPORT,
		  "of netlink only routes and links are asked by programs; the "
		  "others reach into the kernel",
		  WHEN(SYSCALL_EQUALS, 0, AF_NETLINK),
		  WHEN(SYSCALL_DIFFERS, 2, NETLINK_ROUTE)),
	REFUSE_IF("socket", EPROTONOSUPPORT,
		  "multipath TCP passes Landlock's rules for ports",
		  WHEN(SYSCALL_EQUALS, 2, PROTOCOL_MPTCP)),
	REFUSE_IF("socket", EPROTONOSUPPORT,
		  "neither captured nor recorded; a large part of the kernel",
		  WHEN(SYSCALL_EQUALS, 2, PROTOCOL_SCTP)),
	REFUSE("io_uring_setup", ENOSYS,
	       "makes and connects sockets out of the sight of any filter"),
	REFUSE("io_uring_enter", ENOSYS, "as io_uring_setup"),
	REFUSE("io_uring_register", ENOSYS, "as io_uring_setup"),

	/* the terminal */
	REFUSE_IF("ioctl", EPERM,
		  "types into a terminal, for the shell that comes after us",
		  WHEN(SYSCALL_EQUALS, 1, TIOCSTI)),
	REFUSE_IF("ioctl", EPERM, "pastes into a console",
		  WHEN(SYSCALL_EQUALS, 1, TIOCLINUX)),

	/* new powers */
	REFUSE_IF("unshare", EPERM,
		  "a user namespace gives every capability over new networks "
		  "and mounts: much more of the kernel to attack",
		  WHEN(SYSCALL_HAS_BITS, 0, CLONE_NEWUSER)),
	REFUSE_IF("clone", EPERM, "as unshare",
		  WHEN(SYSCALL_HAS_BITS, 0, CLONE_NEWUSER)),
	REFUSE("clone3", ENOSYS,
	       "its flags lie in memory; libc falls back to clone(2)"),

	/* what is shared with the host in spite of namespaces */
	REFUSE("add_key", EPERM, "keyrings are in no namespace of ours"),
	REFUSE("request_key", EPERM, "as add_key; and starts a host program"),
	REFUSE("keyctl", EPERM, "as add_key"),
	REFUSE("open_by_handle_at", EPERM,
	       "opens files by number, past every mount"),
	REFUSE("syslog", EPERM, "the kernel's messages tell of the host"),

	/* large or dangerous parts of the kernel that no build or test needs */
	REFUSE("bpf", EPERM, "programs in the kernel"),
	REFUSE("perf_event_open", EPERM, "sees what other processes do"),
	REFUSE("userfaultfd", EPERM,
	       "halts the kernel in the middle of an act: a tool of exploits"),
	REFUSE("kexec_load", EPERM, "starts another kernel"),
	REFUSE("kexec_file_load", EPERM, "as kexec_load"),
	REFUSE("init_module", EPERM, "code in the kernel"),
	REFUSE("finit_module", EPERM, "as init_module"),
	REFUSE("delete_module", EPERM, "as init_module"),
};

static const struct family_row families[] = {
	{AF_UNIX,    "processes of the sandbox talk to each other"           },
	{AF_INET,    "the namespace's own loopback, and the way to the proxy"},
	{AF_INET6,   "as AF_INET"					    },
	{AF_NETLINK, "libc asks for its addresses (getifaddrs)"              },
};

#define FAMILY_COUNT (sizeof(families) / sizeof(families[0]))

const struct syscall_row *syscall_rows(size_t *count_out)
{
	*count_out = sizeof(rows) / sizeof(rows[0]);
	return rows;
}

const struct family_row *family_rows(size_t *count_out)
{
	*count_out = FAMILY_COUNT;
	return families;
}

/* The @at-th number between two families, or false. */
static bool find_between(size_t at, uint32_t *family_out)
{
	for (size_t i = 0; i + 1 < FAMILY_COUNT; i++) {
		size_t first = (size_t)families[i].family + 1;
		size_t behind = (size_t)families[i + 1].family;

		if (at < behind - first) {
			*family_out = (uint32_t)(first + at);
			return true;
		}
		at -= behind - first;
	}
	return false;
}

bool syscall_family_next(size_t at, struct syscall_row *row_out)
{
	static const char reason[] =
		"no network namespace confines every family (AF_VSOCK reaches "
		"a virtual machine's host), and each is code to attack";
	struct syscall_row row = {
		.name = "socket",
		.error = EAFNOSUPPORT,
		.arguments = {{SYSCALL_EQUALS, 0, 0}},
		.reason = reason,
	};
	uint32_t last = (uint32_t)families[FAMILY_COUNT - 1].family;
	uint32_t before;

	if (find_between(at, &row.arguments[0].value)) {
		*row_out = row;
		return true;
	}
	/* One row more: all that come after the last that is allowed. */
	if (at > 0 && (!find_between(at - 1, &before)))
		return false;
	row.arguments[0].test = SYSCALL_ABOVE;
	row.arguments[0].value = last;
	*row_out = row;
	return true;
}
