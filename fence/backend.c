/* SPDX-License-Identifier: MIT */
/* backend: every way to write a plan down, and what each can enforce. */
#include "backend.h"

#include <stdlib.h>
#include <string.h>

#include "bwrap_argv.h"
#include "docker_args.h"
#include "plan_text.h"
#include "sbpl.h"

/* bubblewrap's own descriptors and exeat's come first (runner/raise.h). */
#define BWRAP_FIRST_DATA_FD 7

static int write_plan(const struct fence_plan *plan, struct bytes *out,
		      struct diag *diag)
{
	(void)diag;
	plan_text_write(plan, out);
	return 0;
}

static int write_bwrap(const struct fence_plan *plan, struct bytes *out,
		       struct diag *diag)
{
	char *bytes;
	size_t len;

	if (bwrap_argv_write(plan, BWRAP_WHOLE, BWRAP_FIRST_DATA_FD, &bytes,
			     &len) != 0) {
		diag_set(diag, "out of memory");
		return -1;
	}
	bytes_add(out, bytes, len);
	free(bytes);
	return 0;
}

static const struct backend backends[] = {
	{"plan",          false, write_plan,        bwrap_explain },
	{"seatbelt",      false, sbpl_write,        sbpl_explain  },
	{"seatbelt-args", true,  sbpl_write_words,  sbpl_explain  },
	{"bwrap",         true,  write_bwrap,       bwrap_explain },
	{"docker",        true,  docker_args_write, docker_explain},
};

#define BACKEND_COUNT (sizeof(backends) / sizeof(backends[0]))

const struct backend *backend_find(const char *name)
{
	for (size_t i = 0; i < BACKEND_COUNT; i++)
		if (strcmp(backends[i].name, name) == 0)
			return &backends[i];
	return NULL;
}

const char *backend_names(void)
{
	return "plan, bwrap, seatbelt, seatbelt-args, docker";
}
