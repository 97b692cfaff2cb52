/* SPDX-License-Identifier: MIT */
/* docker_args: a plan as options of `docker run`. Pure. */
#ifndef DOCKER_ARGS_H
#define DOCKER_ARGS_H

#include "bytes.h"
#include "diag.h"
#include "explain.h"
#include "fence_plan.h"

/**
 * docker_args_write() - append NUL-terminated words: "run" and everything up
 * to, but without, the image
 *
 * System folders are the image's; what the policy gives of the host is mounted
 * where it is in every other back end. There is no network, so no proxy is
 * reached either.
 *
 * Return: 0, or -1 with @diag set: files.mode "open" shows the host's root.
 */
int docker_args_write(const struct fence_plan *plan, struct bytes *out,
		      struct diag *diag) __attribute__((warn_unused_result));

struct explanation docker_explain(const struct fence_plan *plan,
				  enum guarantee guarantee);

#endif
