/* SPDX-License-Identifier: MIT */
/* public_suffix: names below which anybody may have a name. */
#include "public_suffix.h"

#include <libpsl.h>

bool public_suffix_is(const struct hostname *name)
{
	const psl_ctx_t *list = psl_builtin();

	/* A libpsl that was built without its list cannot tell *.co.uk from
	 * *.example.com, so no wildcard is safe. */
	return list == NULL ||
	       psl_is_public_suffix2(list, name->text, PSL_TYPE_ANY) != 0;
}
