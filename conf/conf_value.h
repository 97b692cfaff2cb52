/* SPDX-License-Identifier: MIT */
/* conf_value: one value from a file or a flag, before its key takes it. */
#ifndef CONF_VALUE_H
#define CONF_VALUE_H

#include <stddef.h>
#include <stdint.h>

enum conf_value_type {
	CONF_TEXT = 0,
	CONF_INTEGER,
	CONF_BOOLEAN,
	CONF_OTHER,
};

/**
 * struct conf_value - one value from a file or a flag
 * @text, @len:	as written, for CONF_TEXT; NUL-terminated
 * @number:	for CONF_INTEGER and CONF_BOOLEAN
 * @where:	"policy.cfg:12" or "--allow example.com", for messages and
 *		records
 * @folder:	relative paths are below it
 */
struct conf_value {
	enum conf_value_type type;
	const char *text;
	size_t len;
	int64_t number;
	const char *where;
	const char *folder;
};

#endif
