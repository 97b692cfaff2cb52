/* SPDX-License-Identifier: MIT */
/* public_suffix: names below which anybody may have a name. */
#ifndef PUBLIC_SUFFIX_H
#define PUBLIC_SUFFIX_H

#include <stdbool.h>

#include "hostname.h"

/** public_suffix_is() - such as com, co.uk or github.io: a wildcard below it
 * would allow everybody's sites */
bool public_suffix_is(const struct hostname *name);

#endif
