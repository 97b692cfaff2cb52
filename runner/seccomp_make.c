/* SPDX-License-Identifier: MIT */
/*
 * seccomp_make: writes the filter of syscall_table.h as C source.
 *
 * It runs while exeat is built: compiling the filter at each start of a command
 * would cost up to a millisecond. Usage: seccomp_make OUT.c
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <seccomp.h>

#include "syscall_table.h"

/* libseccomp compares 64 bits, whatever its SCMP_CMP32 suggests: a bit above an
 * int's would make TIOCSTI something else. The mask makes it 32. Greater and
 * different take such a bit for a reason to refuse, which is as good. */
static struct scmp_arg_cmp compare(const struct syscall_argument *argument)
{
	unsigned int index = argument->index;
	uint64_t value = argument->value;
	uint64_t mask = UINT32_MAX;

	switch (argument->test) {
	case SYSCALL_ABOVE:
		return SCMP_CMP64(index, SCMP_CMP_GT, value);
	case SYSCALL_DIFFERS:
		return SCMP_CMP64(index, SCMP_CMP_NE, value);
	case SYSCALL_HAS_BITS:
		mask = value;
		break;
	case SYSCALL_EQUALS:
	case SYSCALL_ALWAYS:
		break;
	}
	return SCMP_CMP64(index, SCMP_CMP_MASKED_EQ, mask, value);
}

/* socketcall(2) of 32-bit x86 has its arguments in memory, where no filter can
 * look, so libseccomp refuses it for any rule on socket(2), and needs one
 * answer for all of them. Its sockets come from socket(2) itself. */
static uint32_t error_of(const struct syscall_row *row)
{
	if (strcmp(row->name, "socket") == 0)
		return EAFNOSUPPORT;
	return (uint32_t)row->error;
}

static int add_row(scmp_filter_ctx filter, const struct syscall_row *row,
		   uint32_t error)
{
	struct scmp_arg_cmp compares[SYSCALL_ARGUMENTS];
	unsigned int count = 0;
	int number = seccomp_syscall_resolve_name(row->name);

	if (number == __NR_SCMP_ERROR)
		return -ENOSYS;
	for (; count < SYSCALL_ARGUMENTS &&
	       row->arguments[count].test != SYSCALL_ALWAYS;
	     count++)
		compares[count] = compare(&row->arguments[count]);
	return seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(error), number,
				      count, compares);
}

static int add_rows(scmp_filter_ctx filter, bool is_multiplexed)
{
	struct syscall_row row;
	size_t count;
	const struct syscall_row *rows = syscall_rows(&count);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < count; i++) {
		row = rows[i];
		rc = add_row(filter, &row,
			     is_multiplexed ? error_of(&row)
					    : (uint32_t)row.error);
	}
	for (size_t at = 0; rc == 0 && syscall_family_next(at, &row); at++)
		rc = add_row(filter, &row, (uint32_t)row.error);
	if (rc != 0)
		(void)fprintf(stderr, "seccomp_make: %s: %s\n", row.name,
			      strerror(-rc));
	return rc;
}

/* @filter gets the rules for another ABI of the machine too, whose numbers mean
 * other calls; what has no rules is killed. */
static int add_other(scmp_filter_ctx filter, uint32_t architecture)
{
	scmp_filter_ctx other = seccomp_init(SCMP_ACT_ALLOW);
	int rc = other != NULL ? 0 : -ENOMEM;

	if (rc == 0)
		rc = seccomp_arch_add(other, architecture);
	if (rc == 0)
		rc = seccomp_arch_remove(other, SCMP_ARCH_NATIVE);
	if (rc == 0)
		rc = add_rows(other, architecture == SCMP_ARCH_X86);
	/* It takes over what it merges. */
	if (rc == 0 && (rc = seccomp_merge(filter, other)) == 0)
		return 0;
	seccomp_release(other);
	return rc;
}

static int add_others(scmp_filter_ctx filter)
{
	static const struct {
		uint32_t native;
		uint32_t other;
	} also[] = {
		{SCMP_ARCH_X86_64,  SCMP_ARCH_X86},
		{SCMP_ARCH_X86_64,  SCMP_ARCH_X32},
		{SCMP_ARCH_AARCH64, SCMP_ARCH_ARM},
	};

	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof(also) / sizeof(also[0]); i++)
		if (also[i].native == seccomp_arch_native())
			rc = add_other(filter, also[i].other);
	return rc;
}

/* @program, read from its start, as the bytes of an array. */
static int write_source(const char *path, FILE *program)
{
	FILE *out = fopen(path, "w");
	int byte;

	if (out == NULL)
		return -errno;
	(void)fputs("/* Made by seccomp_make from syscall_table.c. */\n"
		    "#include \"seccomp_filter.h\"\n\n"
		    "static const unsigned char program[] = {",
		    out);
	for (size_t at = 0; (byte = getc(program)) != EOF; at++)
		(void)fprintf(out, "%s0x%02x,", at % 12 == 0 ? "\n\t" : " ",
			      (unsigned int)byte);
	(void)fputs("\n};\n\n"
		    "const void *seccomp_filter(size_t *len_out)\n"
		    "{\n\t*len_out = sizeof(program);\n\treturn program;\n}\n",
		    out);
	return fclose(out) == 0 ? 0 : -errno;
}

static int make(const char *path)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	FILE *program = tmpfile();
	int rc = filter != NULL && program != NULL ? 0 : -ENOMEM;

	/* Each call passes the filter: look it up by halves. */
	if (rc == 0)
		rc = seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	if (rc == 0)
		rc = add_rows(filter, false);
	if (rc == 0)
		rc = add_others(filter);
	if (rc == 0)
		rc = seccomp_export_bpf(filter, fileno(program));
	if (rc == 0) {
		rewind(program);
		rc = write_source(path, program);
	}
	if (program != NULL)
		(void)fclose(program);
	seccomp_release(filter);
	return rc;
}

int main(int argc, char *argv[])
{
	int rc = argc == 2 ? make(argv[1]) : -EINVAL;

	if (rc == 0)
		return EXIT_SUCCESS;
	(void)fprintf(stderr, "seccomp_make OUT.c: %s\n", strerror(-rc));
	return EXIT_FAILURE;
}
