/* SPDX-License-Identifier: MIT */
/*
 * plan_internal: a plan in the making, for the parts of fence_plan.c.
 *
 * How it works: every part adds what it wants to one list. The list is sorted
 * so that a folder comes before what is in it; of several entries for one path
 * the strongest stays (enum plan_why, plan_strength()); and what changes
 * nothing where it stands is dropped. What is left is the plan's entries.
 */
#ifndef PLAN_INTERNAL_H
#define PLAN_INTERNAL_H

#include "fence_plan.h"

/**
 * struct planner - the parts' common hand
 * @wanted:	entries in no order
 * @is_failed:	@diag says why, or memory ran out
 */
struct planner {
	struct fence_plan *plan;
	const struct policy *policy;
	const struct fence_facts *facts;
	const struct fence_request *request;
	struct diag *diag;
	struct plan_entry *wanted;
	size_t wanted_count;
	bool is_failed;
};

/** planner_place() - where the planner stands, for fence_query.h */
struct fence_place planner_place(const struct planner *p);

/** plan_want() - add an entry; a NULL path means that memory ran out */
void plan_want(struct planner *p, struct plan_entry entry);

/** plan_want_shown() - show @source (real) at its own path */
void plan_want_shown(struct planner *p, enum plan_access access,
		     enum plan_why why, const struct fence_path *source);

/** plan_want_link() - a link at @path to @target; dropped where it is visible
 * anyway */
void plan_want_link(struct planner *p, enum plan_why why, const char *path,
		    const char *target);

/** plan_want_file() - provide @file at its path */
void plan_want_file(struct planner *p, enum plan_why why,
		    const struct plan_file *file);

/** plan_want_hidden() - hide @path, a thing of @kind; nothing if it is absent
 */
void plan_want_hidden(struct planner *p, enum plan_why why, const char *path,
		      enum fence_kind kind);

/** plan_note() - a sentence for the user */
void plan_note(struct planner *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** plan_refuse() - give up, with what, why and the remedy */
void plan_refuse(struct planner *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/** plan_add_string() - append to a list of strings of the plan */
void plan_add_string(struct planner *p, const char *const **list, size_t *count,
		     const char *s);

/** plan_in_system() - @path is within what is shown as a system root */
bool plan_in_system(const struct planner *p, const char *path);

/** plan_mode() - files.mode; anything unknown counts as strict */
enum policy_files_mode plan_mode(const struct planner *p);

/* The parts, in the order of their calls. */
void plan_system(struct planner *p); /* roots, /etc, /proc, /dev, private */
void plan_grants(struct planner *p); /* cwd, read, write, mounts, sockets */
void plan_tools(struct planner *p);  /* PATH */
void plan_interpreter(struct planner *p); /* a script's program */
void plan_hides(struct planner *p);       /* secrets, hide, foreign sockets */
void plan_protect(struct planner *p);     /* what others execute later */
void plan_layers(struct planner *p);      /* wanted -> entries */

/** plan_show_programs() - show a folder of programs, and what they need beside
 * it */
void plan_show_programs(struct planner *p, const char *folder);

/** plan_shows() - @path is something of the host and can be seen; after
 * plan_layers() */
bool plan_shows(const struct fence_plan *plan, const char *path);

/** plan_search_path() - PATH inside; after plan_layers(). NULL: no memory */
const char *plan_search_path(struct planner *p);

#endif
