/* SPDX-License-Identifier: MIT */
/*
 * syscall_walk: asks the kernel for everything that syscall_table.h refuses, in
 * each ABI of the machine, and prints what came back.
 *
 * One line a try: "ABI NAME ARGUMENTS ERRNO WANTED". What would do harm where
 * it is not refused gets arguments that the kernel turns down.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "syscall_table.h"

#define X32_BIT       0x40000000L
#define HIGH_BIT      (1UL << 32)
#define MAX_ARGUMENTS 6

/* Numbers by ABI; 0: it has none. */
struct number {
	const char *name;
	long native;
	long i386;
	long x32; /* where it is not @native */
};

static const struct number numbers[] = {
	{"socket",            SYS_socket,            359, 0  },
	{"io_uring_setup",    SYS_io_uring_setup,    425, 0  },
	{"io_uring_enter",    SYS_io_uring_enter,    426, 0  },
	{"io_uring_register", SYS_io_uring_register, 427, 0  },
	{"ioctl",             SYS_ioctl,             54,  514},
	{"unshare",           SYS_unshare,           310, 0  },
	{"clone",             SYS_clone,             120, 0  },
	{"clone3",            SYS_clone3,            435, 0  },
	{"add_key",           SYS_add_key,           286, 0  },
	{"request_key",       SYS_request_key,       287, 0  },
	{"keyctl",            SYS_keyctl,            288, 0  },
	{"open_by_handle_at", SYS_open_by_handle_at, 342, 0  },
	{"syslog",            SYS_syslog,            103, 0  },
	{"bpf",               SYS_bpf,               357, 0  },
	{"perf_event_open",   SYS_perf_event_open,   336, 0  },
	{"userfaultfd",       SYS_userfaultfd,       374, 0  },
	{"kexec_load",        SYS_kexec_load,        283, 528},
	{"kexec_file_load",   SYS_kexec_file_load,   0,   0  },
	{"init_module",       SYS_init_module,       128, 0  },
	{"finit_module",      SYS_finit_module,      350, 0  },
	{"delete_module",     SYS_delete_module,     129, 0  },
};

static const struct number *find(const char *name)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (strcmp(numbers[i].name, name) == 0)
			return &numbers[i];
	(void)fprintf(stderr, "%s: no number is known here\n", name);
	exit(EXIT_FAILURE);
}

/* Where the kernel makes a second process, that one ends. */
static int call_native(long number, const unsigned long *a)
{
	bool is_clone = (number & ~X32_BIT) == SYS_clone;

	errno = 0;
	long rc = syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (is_clone && rc == 0)
		_exit(0);
	return rc < 0 ? errno : 0;
}

#if defined(__x86_64__)
/* As a 32-bit program does it; the arguments are small numbers. */
static int call_i386(long number, const unsigned long *a)
{
	const long clone_number = 120;
	long rc;

	__asm__ volatile("int $0x80"
			 : "=a"(rc)
			 : "a"(number), "b"(a[0]), "c"(a[1]), "d"(a[2]),
			   "S"(a[3]), "D"(a[4])
			 : "memory", "r8", "r9", "r10", "r11");
	if (number == clone_number && rc == 0)
		_exit(0);
	int value = (int)rc;
	return value < 0 ? -value : 0;
}
#endif

static void say(const char *abi, const struct syscall_row *row,
		const unsigned long *a, int error)
{
	(void)printf("%s %s %lx,%lx,%lx %d %d\n", abi, row->name, a[0], a[1],
		     a[2], error, row->error);
	(void)fflush(stdout);
}

static void try_native(const struct syscall_row *row, const unsigned long *a)
{
	const struct number *number = find(row->name);

	say("native", row, a, call_native(number->native, a));
#if defined(__x86_64__)
	long x32 = number->x32 != 0 ? number->x32 : number->native;
	say("x32", row, a, call_native(x32 | X32_BIT, a));
#endif
}

static void try_i386(const struct syscall_row *row, const unsigned long *a)
{
#if defined(__x86_64__)
	long number = find(row->name)->i386;

	if (number != 0)
		say("i386", row, a, call_i386(number, a));
#else
	(void)row;
	(void)a;
#endif
}

/* Arguments that fit @row; the others would be harmless: no such descriptor, no
 * such address. */
static void fill(const struct syscall_row *row,
		 unsigned long a[static MAX_ARGUMENTS])
{
	for (size_t i = 0; i < MAX_ARGUMENTS; i++)
		a[i] = 0;
	if (strcmp(row->name, "socket") == 0) {
		a[0] = 2; /* AF_INET */
		a[1] = 1; /* SOCK_STREAM */
	}
	if (strcmp(row->name, "kexec_load") == 0)
		a[1] = 1; /* a segment, at no address */
	for (size_t i = 0; i < SYSCALL_ARGUMENTS; i++) {
		const struct syscall_argument *argument = &row->arguments[i];
		unsigned long value = argument->value;

		if (argument->test == SYSCALL_ALWAYS)
			continue;
		if (argument->test == SYSCALL_ABOVE ||
		    argument->test == SYSCALL_DIFFERS)
			value++;
		a[argument->index] = value;
	}
	if (a[0] == 16) /* AF_NETLINK has no streams */
		a[1] = 3;
}

/* A bit above an int's must not hide what is asked for. */
static void try_hidden(const struct syscall_row *row, unsigned long *a)
{
	const struct syscall_argument *first = &row->arguments[0];

	if (first->test == SYSCALL_ALWAYS)
		return;
	a[first->index] |= HIGH_BIT;
	try_native(row, a);
}

/* In a process of its own: what is not refused must not change the rest. */
static void walk_row(const struct syscall_row *row)
{
	unsigned long a[MAX_ARGUMENTS];
	pid_t pid = fork();

	if (pid != 0) {
		(void)waitpid(pid, NULL, 0);
		return;
	}
	fill(row, a);
	try_native(row, a);
	try_i386(row, a);
	try_hidden(row, a);
	_exit(0);
}

int main(void)
{
	struct syscall_row row;
	size_t count;
	const struct syscall_row *rows = syscall_rows(&count);

	for (size_t i = 0; i < count; i++)
		walk_row(&rows[i]);
	for (size_t at = 0; syscall_family_next(at, &row); at++) {
		/* The last row stands for all that come after it. */
		uint32_t first = row.arguments[0].value;
		uint32_t last = first;

		if (row.arguments[0].test == SYSCALL_ABOVE)
			last = first + 64;
		for (uint32_t f = first; f <= last; f++) {
			row.arguments[0].value = f;
			walk_row(&row);
		}
	}
	return EXIT_SUCCESS;
}
