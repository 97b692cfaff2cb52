/* SPDX-License-Identifier: MIT */
/* env_plan: the command's environment, built and not inherited. Pure. */
#ifndef ENV_PLAN_H
#define ENV_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena.h"
#include "diag.h"
#include "policy.h"

/**
 * struct env_settings - what the environment is made of; borrowed
 * @caller:	the caller's environment, NULL-terminated, or NULL
 * @user:	for USER and LOGNAME
 * @proxy_port:	on 127.0.0.1; 0: no proxy variables
 * @has_own_loopback: loopback inside is not the host's, so programs may go
 *		there directly
 * @has_capture: leave out variables that only lead to the proxy
 * @connect_path: `exeat connect` as the command finds it, or NULL
 */
struct env_settings {
	const struct policy *policy;
	const char *const *caller;
	const char *user;
	const char *home;
	const char *tmp;
	const char *search_path;
	uint16_t proxy_port;
	bool has_own_loopback;
	bool has_capture;
	const char *connect_path;
};

/**
 * env_plan() - "NAME=VALUE" strings, sorted by name, each name once
 * @environ_out: in @arena, with a final NULL
 *
 * Later sources win: our own, the proxy's (those that every tool of a long
 * list was seen to obey), then the policy's.
 *
 * Return: 0, or -1: out of memory, or a variable was refused (@diag set).
 */
int env_plan(const struct env_settings *settings, struct arena *arena,
	     const char *const **environ_out, size_t *count_out,
	     struct diag *diag) __attribute__((warn_unused_result));

/** env_is_hook() - @name makes loaders or interpreters run code of its
 * value's choice in every program */
bool env_is_hook(const char *name);

#endif
