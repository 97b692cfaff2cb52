/* SPDX-License-Identifier: MIT */
/*
 * syscall_table: what the command may not ask the kernel, and why.
 *
 * How it works: everything is allowed but what stands here; a network, process
 * and mount namespace without capabilities hold the rest. Rows refuse what no
 * namespace confines, or what attacks on kernels begin with. seccomp_make.c
 * makes the filter from it while exeat is built, tests walk it inside.
 */
#ifndef SYSCALL_TABLE_H
#define SYSCALL_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum syscall_test {
	SYSCALL_ALWAYS = 0,
	SYSCALL_EQUALS,   /* its low 32 bits are @value */
	SYSCALL_ABOVE,    /* it is greater than @value */
	SYSCALL_DIFFERS,  /* it is not @value */
	SYSCALL_HAS_BITS, /* it has all bits of @value */
};

/**
 * struct syscall_argument - a condition on argument @index
 *
 * The kernel looks at no more than 32 bits of an int: a comparison of 64 would
 * be passed by a bit above them.
 */
struct syscall_argument {
	enum syscall_test test;
	unsigned int index;
	uint32_t value;
};

#define SYSCALL_ARGUMENTS 2

/**
 * struct syscall_row - one call that is refused
 * @name:	as libseccomp spells it
 * @error:	what the command gets
 * @arguments:	all must hold
 */
struct syscall_row {
	const char *name;
	int error;
	struct syscall_argument arguments[SYSCALL_ARGUMENTS];
	const char *reason;
};

/** struct family_row - a socket family that is allowed */
struct family_row {
	int family;
	const char *reason;
};

/** syscall_rows() - the table, without families. Return: a const table. */
const struct syscall_row *syscall_rows(size_t *count_out);

/** family_rows() - the families, in rising order; every other one is refused
 * with EAFNOSUPPORT. Return: a const table. */
const struct family_row *family_rows(size_t *count_out);

/** syscall_family_next() - rows that refuse the families between: the first
 * for @at 0, the next for each @at after it. Return: false: no more. */
bool syscall_family_next(size_t at, struct syscall_row *row_out);

#endif
