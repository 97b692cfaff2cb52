/* SPDX-License-Identifier: MIT */
/* check_path: `exeat check PATH`, whether a command could read or write it. */
#include "check_path.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "handoff.h"
#include "own_files.h"
#include "paths.h"
#include "plan_view.h"
#include "run_fence.h"
#include "text.h"

bool check_path_is_one(const char *word)
{
	return word[0] == '/' || word[0] == '.' ||
	       (word[0] == '~' && (word[1] == '/' || word[1] == '\0'));
}

/* The path as a command in the working directory would find it: links are
 * followed where there are any to follow. */
static const char *path_inside(struct arena *arena,
			       const struct fence_facts *facts,
			       const char *word)
{
	char real[PATH_MAX];
	const char *whole = word;

	if (word[0] == '~' && facts->home != NULL)
		whole = path_join(arena, facts->home, word + 1);
	else if (word[0] != '/')
		whole = path_join(arena, facts->cwd, word);
	if (whole != NULL && realpath(whole, real) != NULL)
		whole = real;
	return whole == NULL ? NULL : path_clean(arena, whole);
}

static const char *why_words(const struct plan_view *view)
{
	static const char *const words[] = {
		[PLAN_FOR_SYSTEM] = "by files.mode: a part of the system",
		[PLAN_FOR_ETC] = "what programs need of /etc",
		[PLAN_FOR_PRIVATE] = "a folder of the run's own lies there",
		[PLAN_FOR_TOOL] = "by PATH: a program is found there",
		[PLAN_FOR_CWD] = "by the working directory",
		[PLAN_FOR_GRANT] = "by files.read or files.write",
		[PLAN_FOR_MOUNT] = "by files.mounts",
		[PLAN_FOR_SOCKET] = "a host's socket",
		[PLAN_FOR_SECRET] = "hidden: it holds secrets",
		[PLAN_FOR_HIDE] = "by files.hide",
		[PLAN_FOR_PROTECT] =
			"by files.protect: others obey or execute it later",
		[PLAN_FOR_PIN] = "by the working directory",
		[PLAN_FOR_OWN] = "exeat's own: never written from inside",
		[PLAN_FOR_KERNEL] = "the kernel's",
		[PLAN_FOR_EXEAT] = "exeat's own",
	};

	if (view->entry == NULL)
		return "nothing shows it";
	return words[view->entry->why];
}

static int say(const struct fence_plan *plan, const char *path)
{
	struct plan_view view = plan_view(plan, path);
	char name[PATH_MAX];
	struct text t;

	text_init(&t, name, sizeof(name));
	text_add_printable(&t, path, strlen(path));
	if (view.is_written)
		printf("allowed %s: read and written", name);
	else if (view.is_read)
		printf("allowed %s: read only", name);
	else
		printf("denied %s", name);
	printf("\n  %s\n", why_words(&view));
	return view.is_read ? 0 : 1;
}

int check_path(const struct policy *policy, const char *policy_file,
	       const char *word, struct diag *diag)
{
	struct own_files own;

	own_files_fill(&own, NULL, policy_file);
	const struct run_fence_settings settings = {
		.policy = policy,
		.command = "/bin/sh",
		.protect = own.list,
	};
	struct run_fence fence;
	struct arena arena = {NULL};
	int rc = EXIT_OWN_FAILURE;

	run_fence_init(&fence);
	if (run_fence_make(&fence, &settings, diag) == 0) {
		const char *path = path_inside(&arena, fence.facts, word);
		if (path == NULL)
			diag_set(diag, "out of memory");
		else
			rc = say(fence.plan, path);
	}
	arena_clear(&arena);
	run_fence_clear(&fence);
	return rc;
}
