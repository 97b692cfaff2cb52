/* SPDX-License-Identifier: MIT */
/* seccomp_filter: the filter of syscall_table.h, compiled. */
#ifndef SECCOMP_FILTER_H
#define SECCOMP_FILTER_H

#include <stddef.h>

/** seccomp_filter() - struct sock_filter, as bytes. Return: *len_out of them,
 * which stay. */
const void *seccomp_filter(size_t *len_out);

#endif
