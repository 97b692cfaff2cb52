/* SPDX-License-Identifier: MIT */
/* audit_shared: hosts where anybody can have a place, so that allowing the name
 * is allowing everybody behind it. */
#ifndef AUDIT_SHARED_H
#define AUDIT_SHARED_H

#include "hostname.h"

/** audit_shared_kind() - "object store", "tunnel", ...; NULL: none that is
 * known
 */
const char *audit_shared_kind(const struct hostname *host);

#endif
