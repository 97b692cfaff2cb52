/* SPDX-License-Identifier: MIT */
/* diag: one error for a human: where, what, and what is accepted. */
#include "diag.h"

#include <stdarg.h>
#include <stdio.h>

#include "text.h"

void diag_set(struct diag *d, const char *format, ...)
{
	char message[DIAG_MAX_BYTES];
	struct text out;
	va_list args;

	if (d->text[0] != '\0')
		return;
	va_start(args, format);
	int n = vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	if (n < 0)
		n = 0;
	if ((size_t)n >= sizeof(message))
		n = (int)sizeof(message) - 1;
	text_init(&out, d->text, sizeof(d->text));
	/* Parts of it come from files and flags: one line, no control bytes.
	 * UTF-8 stays: people name their files in it. */
	for (int i = 0; i < n; i++) {
		unsigned char c = (unsigned char)message[i];
		if (c < 0x20 || c == 0x7f)
			text_addf(&out, "\\x%02x", c);
		else
			text_add_bytes(&out, &c, 1);
	}
}
