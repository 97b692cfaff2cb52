/* SPDX-License-Identifier: MIT */
/* setup_cause: from bubblewrap's words to a cause and a remedy. */
#ifndef SETUP_CAUSE_H
#define SETUP_CAUSE_H

/** struct setup_cause - static texts */
struct setup_cause {
	const char *cause;
	const char *remedy;
};

/**
 * setup_cause_find() - what stands behind a failed start of bubblewrap
 * @message:	what it wrote, any text
 * Return: never NULL; an unknown message gets a general remedy.
 */
const struct setup_cause *setup_cause_find(const char *message);

#endif
