/* SPDX-License-Identifier: MIT */
/* backend: every way to write a plan down, and what each can enforce. A new
 * one is a file of its own and one row of the table in backend.c. Pure. */
#ifndef BACKEND_H
#define BACKEND_H

#include <stdbool.h>

#include "bytes.h"
#include "explain.h"
#include "fence_plan.h"

/**
 * struct backend - one way
 * @is_words:	@write gives NUL-terminated words, else text
 * @write:	appends; Return: 0, or -1 with @diag set where the back end
 *		cannot express the plan at all
 * @explain:	what becomes of a guarantee
 */
struct backend {
	const char *name;
	bool is_words;
	int (*write)(const struct fence_plan *plan, struct bytes *out,
		     struct diag *diag);
	struct explanation (*explain)(const struct fence_plan *plan,
				      enum guarantee guarantee);
};

/** backend_find() - by name; NULL: there is none */
const struct backend *backend_find(const char *name);

/** backend_names() - "plan, bwrap, ...", static, for messages */
const char *backend_names(void);

#endif
