/* SPDX-License-Identifier: MIT */
/* idna: international names in policies, as the A-labels that the wire has. */
#ifndef IDNA_H
#define IDNA_H

#include <stddef.h>

#include "hostname.h"

/**
 * idna_to_hostname() - read a name as people write it (RFC 5891 s5)
 * @s:		UTF-8 or ASCII
 *
 * Plain ASCII names go the way of hostname_parse(); the library is only asked
 * about names with a U-label or an A-label. Nothing is mapped: a spelling that
 * is not canonical is refused, so that what is read is what is meant.
 *
 * Return: NULL, or why not: static text.
 */
const char *idna_to_hostname(const char *s, size_t len,
			     struct hostname *name_out)
	__attribute__((warn_unused_result));

#endif
