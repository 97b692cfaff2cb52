/* SPDX-License-Identifier: MIT */
/* diag: one error for a human: where, what, and what is accepted. */
#ifndef DIAG_H
#define DIAG_H

#define DIAG_MAX_BYTES 1024

/**
 * struct diag - a message, empty until set; owned by the caller
 * @text:	"policy.cfg:12: allow[2].ports: 70000 is out of range (1 to
 *		65535)" or "--allow example.com:0: port 0 ..."; printable, no
 *		newline
 */
struct diag {
	char text[DIAG_MAX_BYTES];
};

/** diag_set() - the first message wins: later ones are consequences */
void diag_set(struct diag *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
