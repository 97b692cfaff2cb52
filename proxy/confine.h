/* SPDX-License-Identifier: MIT */
/* confine: gives up, for good, what this process does not need. */
#ifndef CONFINE_H
#define CONFINE_H

/**
 * confine_early() - before any foreign byte is read
 *
 * No new privileges by exec, and no dump of our memory, which holds what
 * clients sent: an attacker of the same user could read or trace it otherwise.
 *
 * Return: 0 or -errno.
 */
int confine_early(void) __attribute__((warn_unused_result));

#endif
