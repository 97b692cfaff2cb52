/* SPDX-License-Identifier: MIT */
/* test_planted: which names others obey or execute later. What is listed after
 * a run: tests/integration/test_protect.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "planted.h"

static void names_that_are_obeyed(void **state)
{
	static const char *const names[] = {
		".envrc",
		"sub/.envrc",
		".git",
		"sub/.git",
		".git/config",
		"a/b/.git/config",
		".git/config.worktree",
		".git/commondir",
		".git/hooks/pre-commit",
		".git/hooks/x.sample.sh",
		".git/modules/m/config",
		".git/modules/a/modules/b/hooks/post-checkout",
		".git/worktrees/w/gitdir",
		".git/worktrees/w/commondir",
		".vscode/tasks.json",
		"sub/.vscode/deep/x",
		".npmrc",
		"node_modules/p/.git",
		"node_modules/p/.git/config",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!planted_is_obeyed(names[i]))
			fail_msg("%s", names[i]);
}

static void names_that_are_data(void **state)
{
	static const char *const names[] = {
		"config",
		"hooks/pre-commit",
		"sub/config",
		".git/HEAD",
		".git/index",
		".git/objects/ab/config",
		".git/refs/heads/config",
		".git/hooks/pre-commit.sample",
		".git/modules/m/objects/x",
		".git/logs/hooks.txt",
		"x.git/config",
		"a.envrc",
		".envrc.txt",
		"my.vscode/tasks.json",
		"commondir",
		"node_modules/p/.npmrc",
		"a/node_modules/p/.vscode/tasks.json",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (planted_is_obeyed(names[i]))
			fail_msg("%s", names[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_that_are_obeyed),
		cmocka_unit_test(names_that_are_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
