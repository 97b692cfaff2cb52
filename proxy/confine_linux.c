/* SPDX-License-Identifier: MIT */
/* confine: on Linux: a list of system calls, and Landlock for files. */
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine_files.h"

#if defined(__x86_64__)
#define NATIVE_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define NATIVE_ARCH AUDIT_ARCH_RISCV64
#endif

/* Sanitizers open files and trace threads of their own. */
#if defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

int confine_early(void)
{
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0)
		return -errno;
	return 0;
}

#if defined(HAS_SANITIZER)

int confine_late(const struct confine_settings *settings)
{
	(void)settings;
	return 0;
}

#elif defined(NATIVE_ARCH)

/* Without looking at their arguments. */
static const int allowed[] = {
	/* bytes and descriptors */
	SYS_read,
	SYS_write,
	SYS_readv,
	SYS_writev,
	SYS_pread64,
	SYS_lseek,
	SYS_close,
	SYS_fcntl,
	SYS_splice,
	SYS_pipe2,
	SYS_fstat,
	SYS_statx,
#ifdef SYS_newfstatat
	SYS_newfstatat,
#endif
	/* sockets; which families: below */
	SYS_accept4,
	SYS_connect,
	SYS_bind,
	SYS_shutdown,
	SYS_sendto,
	SYS_sendmsg,
	SYS_sendmmsg,
	SYS_recvfrom,
	SYS_recvmsg,
	SYS_getsockopt,
	SYS_setsockopt,
	SYS_getsockname,
	SYS_getpeername,
	/* the loop */
	SYS_epoll_ctl,
	SYS_epoll_pwait,
	SYS_ppoll,
#ifdef SYS_epoll_wait
	SYS_epoll_wait,
#endif
#ifdef SYS_poll
	SYS_poll,
#endif
	/* memory and time */
	SYS_brk,
	SYS_munmap,
	SYS_mremap,
	SYS_madvise,
	SYS_clock_gettime,
	SYS_gettimeofday,
	SYS_getrandom,
	SYS_futex,
	SYS_nanosleep,
	SYS_clock_nanosleep,
	/* ourselves: signals, the end; no signal to anybody else */
	SYS_getpid,
	SYS_gettid,
	SYS_uname,
	SYS_rt_sigaction,
	SYS_rt_sigprocmask,
	SYS_rt_sigreturn,
	SYS_restart_syscall,
	SYS_exit,
	SYS_exit_group,
	/* the working directory, to which a reload's paths are relative */
	SYS_getcwd,
};

#define ALLOWED_COUNT (sizeof(allowed) / sizeof(allowed[0]))
#define PROGRAM_MAX   (2 * ALLOWED_COUNT + 64)

struct program {
	struct sock_filter lines[PROGRAM_MAX];
	unsigned short count;
};

static void add(struct program *p, uint16_t code, uint32_t k, uint8_t yes,
		uint8_t no)
{
	p->lines[p->count++] =
		(struct sock_filter){.code = code, .jt = yes, .jf = no, .k = k};
}

static void load(struct program *p, size_t offset)
{
	add(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(struct program *p, uint32_t action)
{
	add(p, BPF_RET | BPF_K, action, 0, 0);
}

#define REFUSE        (SECCOMP_RET_ERRNO | EPERM)

/* The low half of an argument: the kernel looks at no more of an int. */
static size_t argument(size_t index)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return offsetof(struct seccomp_data, args) + 8 * index + 4;
#else
	return offsetof(struct seccomp_data, args) + 8 * index;
#endif
}

/* Call @number only where argument @index has none of the bits @mask. */
static void allow_without(struct program *p, int number, size_t index,
			  uint32_t mask)
{
	add(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 4);
	load(p, argument(index));
	add(p, BPF_JMP | BPF_JSET | BPF_K, mask, 1, 0);
	answer(p, SECCOMP_RET_ALLOW);
	answer(p, REFUSE);
}

/* TCP, DNS, and the kernel's list of our own addresses. */
static void allow_families(struct program *p)
{
	add(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)SYS_socket, 0, 6);
	load(p, argument(0));
	add(p, BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 3, 0);
	add(p, BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 2, 0);
	add(p, BPF_JMP | BPF_JEQ | BPF_K, AF_NETLINK, 1, 0);
	answer(p, REFUSE);
	answer(p, SECCOMP_RET_ALLOW);
}

static void write_program(struct program *p,
			  const struct confine_settings *settings)
{
	p->count = 0;
	/* Another architecture's numbers would mean other calls. */
	load(p, offsetof(struct seccomp_data, arch));
	add(p, BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCH, 1, 0);
	answer(p, REFUSE);
	load(p, offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < ALLOWED_COUNT; i++) {
		add(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i], 0, 1);
		answer(p, SECCOMP_RET_ALLOW);
	}
	allow_families(p);
	allow_without(p, SYS_prlimit64, 0, UINT32_MAX); /* our own */
	allow_without(p, SYS_mmap, 2, PROT_EXEC);
	allow_without(p, SYS_mprotect, 2, PROT_EXEC);
	if (settings->count > 0)
		allow_without(p, SYS_openat, 2, O_ACCMODE | O_CREAT | O_TRUNC);
	if (settings->removes_files) {
#ifdef SYS_unlink
		allow_without(p, SYS_unlink, 0, 0);
#endif
		allow_without(p, SYS_unlinkat, 2, UINT32_MAX);
	}
	answer(p, REFUSE);
}

int confine_late(const struct confine_settings *settings)
{
	struct program program;
	int rc = confine_files(settings);

	if (rc != 0)
		return rc;
	write_program(&program, settings);
	const struct sock_fprog filter = {.len = program.count,
					  .filter = program.lines};
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0
		       ? 0
		       : -errno;
}

#else

int confine_late(const struct confine_settings *settings)
{
	return confine_files(settings);
}

#endif
