/* SPDX-License-Identifier: MIT */
/* fence_tables: the paths that mean something, each list with its reason. */
#ifndef FENCE_TABLES_H
#define FENCE_TABLES_H

#include <stdbool.h>

/* Every list ends with NULL. */

/* Folders that hold programs and libraries, of every distribution we know;
 * what does not exist is skipped. */
extern const char *const fence_system_roots[];

/** fence_is_system_text() - @path is spelt as something in a system root, and
 * cannot be anything else */
bool fence_is_system_text(const char *path);

/* Links that lead into them and that programs name. */
extern const char *const fence_system_links[];

/* Of /etc in strict and allowlist: what programs need and what holds no
 * secret. */
extern const char *const fence_etc_shown[];

/* Of /etc and /var: readable for uid 0 and never needed by a command. */
extern const char *const fence_system_secrets[];

/* Below a home: secrets that DESIGN.md section 5 keeps from being a working
 * directory or a mount at all. */
extern const char *const fence_home_sealed[];

/* Below a home: further secrets, hidden wherever a home is shown. */
extern const char *const fence_home_secrets[];

/* Never a working directory or a mount source themselves; what is in them may
 * be. */
extern const char *const fence_forbidden_exact[];

/* Never one, with all that is in them. */
extern const char *const fence_forbidden_trees[];

/* Below a writable folder: what others obey or execute later (git, shells,
 * editors, package managers) - ATTACKS: the command plants it, the user's own
 * shell runs it outside. */
extern const char *const fence_protected[];

/**
 * struct fence_tool - how a folder of PATH is shown
 * @component:	a folder's name in the path
 * @is_whole:	show from that folder on, instead of the PATH entry alone
 * @beside:	further folders, below the one that holds @component
 */
struct fence_tool {
	const char *component;
	bool is_whole;
	const char *beside[4];
};

/* Ends with a NULL component. */
extern const struct fence_tool fence_tools[];

/* Names that PATH gives the folder of programs inside a tool's own folder. */
extern const char *const fence_tool_bins[];

/* The PATH of last resort. */
#define FENCE_STANDARD_PATH \
	"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

#endif
