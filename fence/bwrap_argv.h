/* SPDX-License-Identifier: MIT */
/* bwrap_argv: a plan as options of bubblewrap (0.8 or newer). */
#ifndef BWRAP_ARGV_H
#define BWRAP_ARGV_H

#include <stddef.h>

#include "explain.h"
#include "fence_plan.h"

/**
 * enum bwrap_form - how much of the plan the options hold
 */
enum bwrap_form {
	BWRAP_WHOLE = 0, /* all of it: bubblewrap alone raises the fence */
	BWRAP_GRAFTED,   /* without plan_is_graft() entries and the hostname;
			    exeat-init is the last file. Cut short anywhere,
			    and with --hostname beside it, it is refused by
			    bubblewrap: --unshare-uts comes last */
	BWRAP_GRAFTS,    /* the plan_is_graft() entries alone, for people */
};

/**
 * bwrap_argv_write() - everything up to, but without, "-- COMMAND"
 * @first_fd:	plan->files[i] must be readable, from offset 0, as descriptor
 *		@first_fd + i in bubblewrap (memfds, in that order); there are
 *		plan->file_count of them
 * @bytes_out:	NUL-separated words (a NUL after each), as --args wants them;
 *		the caller's, freed with free()
 * @len_out:	their length in bytes
 *
 * Namespaces, files, environment (bubblewrap itself is started with an empty
 * one) and working directory are in it. Descriptors of the runner's own
 * (--info-fd, --seccomp) are not.
 *
 * Return: 0 or -ENOMEM.
 */
int bwrap_argv_write(const struct fence_plan *plan, enum bwrap_form form,
		     int first_fd, char **bytes_out, size_t *len_out)
	__attribute__((warn_unused_result));

/** bwrap_explain() - what becomes of @guarantee when exeat raises the plan */
struct explanation bwrap_explain(const struct fence_plan *plan,
				 enum guarantee guarantee);

#endif
