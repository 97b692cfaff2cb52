/* SPDX-License-Identifier: MIT */
/* hosts_file: what a hosts file says of one name; a parser, no I/O. */
#ifndef HOSTS_FILE_H
#define HOSTS_FILE_H

#include <stddef.h>

#include "hostname.h"
#include "netaddr.h"

/* A larger hosts file is not read at all. */
#define HOSTS_FILE_MAX_BYTES (4U << 20)

/**
 * hosts_file_find() - addresses of @host (hosts(5))
 * @text:	the file, any bytes, @len of them
 * @addrs_out:	room for @max addresses, in the file's order
 *
 * A line whose address is not strictly one (a zone, a short form) is skipped
 * whole, and so is a name that is not one: nothing is repaired.
 *
 * Return: addresses found, at most @max.
 */
size_t hosts_file_find(const char *text, size_t len,
		       const struct hostname *host, struct netaddr *addrs_out,
		       size_t max);

#endif
