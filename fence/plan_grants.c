/* SPDX-License-Identifier: MIT */
/* plan_grants: what the policy gives: working directory, files, mounts,
 * sockets.
 */
#include <string.h>

#include "fence_tables.h"
#include "forbidden.h"
#include "paths.h"
#include "plan_internal.h"

static void grant_cwd(struct planner *p)
{
	const char *cwd = p->facts->cwd;
	const char *why = forbidden_reason(&p->plan->arena, p->facts, cwd);

	p->plan->cwd = cwd;
	if (why != NULL) {
		plan_refuse(p,
			    "the working directory %s %s, and the command "
			    "could write there: change to a project's own "
			    "folder (mkdir work && cd work)",
			    cwd, why);
		return;
	}
	plan_want(p, (struct plan_entry){
			     .access = PLAN_WRITE,
			     .why = PLAN_FOR_CWD,
			     .path = cwd,
			     .source = cwd,
			     .is_folder = true,
		     });
}

/* A path that was named exists under another name: show that name as well. */
static void link_names(struct planner *p, enum plan_why why,
		       const struct fence_path *fp)
{
	if (strcmp(fp->at, fp->real) != 0)
		plan_want_link(p, why, fp->at, fp->real);
	const char *clean = path_clean(&p->plan->arena, fp->path);
	if (clean != NULL && strcmp(clean, fp->at) != 0 &&
	    strcmp(clean, fp->real) != 0)
		plan_want_link(p, why, clean, fp->real);
}

static void grant_read(struct planner *p, const char *asked)
{
	const struct fence_path *fp = fence_facts_find(p->facts, asked);

	if (fp == NULL || fp->kind <= FENCE_UNKNOWN) {
		plan_note(p, "files.read: %s %s", asked,
			  fp == NULL || fp->kind == FENCE_ABSENT
				  ? "does not exist"
				  : "cannot be read by you either");
		return;
	}
	const char *why = forbidden_read_reason(fp->real);
	if (why != NULL) {
		plan_refuse(p, "files.read: %s %s", asked, why);
		return;
	}
	plan_want_shown(p, PLAN_READ, PLAN_FOR_GRANT, fp);
	link_names(p, PLAN_FOR_GRANT, fp);
}

/* A link inside the working directory was perhaps made by an earlier command,
 * and would choose for the user what is written to. */
static bool leads_out(const struct planner *p, const struct fence_path *fp)
{
	return path_is_within(fp->at, p->facts->cwd) &&
	       !path_is_within(fp->real, p->facts->cwd);
}

static void grant_write(struct planner *p, const char *asked)
{
	const struct fence_path *fp = fence_facts_find(p->facts, asked);
	const char *why = NULL;

	if (fp != NULL && leads_out(p, fp))
		why = "is a link that leaves the working directory: grant "
		      "what it leads to by its own name";
	else if (fp != NULL && path_is_within(fp->real, p->facts->cwd) &&
		 fp->kind == FENCE_ABSENT)
		return; /* may be made: the working directory is writable */
	else if (fp == NULL || fp->kind == FENCE_ABSENT)
		why = "does not exist: make it first, or grant the folder that "
		      "it is to be in";
	else if (fp->kind != FENCE_FOLDER && fp->kind != FENCE_FILE)
		why = "is neither a file nor a folder that you can use: leave "
		      "it out";
	else
		why = forbidden_reason(&p->plan->arena, p->facts, fp->real);
	if (fp == NULL || why != NULL) {
		plan_refuse(p, "files.write: %s %s", asked, why);
		return;
	}
	plan_want_shown(p, PLAN_WRITE, PLAN_FOR_GRANT, fp);
	link_names(p, PLAN_FOR_GRANT, fp);
}

/* What a mount may not cover, with all below. */
static const char *const no_targets[] = {
	"/usr",    "/bin", "/sbin", "/lib", "/lib32", "/lib64",
	"/libx32", "/etc", "/nix",  "/gnu", "/boot",  "/run/exeat",
	"/proc",   "/sys", "/dev",  NULL,
};

static const char *target_reason(const struct planner *p, const char *target)
{
	for (size_t i = 0; no_targets[i] != NULL; i++)
		if (path_is_within(target, no_targets[i]) ||
		    path_is_within(no_targets[i], target))
			return "would cover a part of the system: choose a "
			       "target elsewhere";
	if (path_is_within(p->facts->cwd, target))
		return "would cover the working directory: choose a target in "
		       "it";
	return NULL;
}

static const char *source_reason(struct planner *p,
				 const struct fence_path *source)
{
	if (source == NULL || source->kind == FENCE_ABSENT)
		return "does not exist: make it first, or leave the mount out";
	if (source->kind == FENCE_SOCKET)
		return "is a socket: give it with --unix";
	if (source->kind != FENCE_FOLDER && source->kind != FENCE_FILE)
		return "is neither a file nor a folder that you can use: leave "
		       "the mount out";
	return forbidden_reason(&p->plan->arena, p->facts, source->real);
}

static const char *mount_target(struct planner *p, const char *target)
{
	const char *asked = target[0] == '/' ? target
					     : path_join(&p->plan->arena,
							 p->facts->cwd, target);
	const struct fence_path *fp =
		asked == NULL ? NULL : fence_facts_find(p->facts, asked);

	if (fp == NULL)
		return asked == NULL ? NULL
				     : path_clean(&p->plan->arena, asked);
	if (strcmp(fp->at, fp->real) != 0) {
		plan_refuse(p,
			    "mount target %s is a link: name the folder that "
			    "it leads to",
			    asked);
	}
	return fp->at;
}

static void grant_mount(struct planner *p, const struct policy_mount *mount)
{
	const struct fence_path *source =
		fence_facts_find(p->facts, mount->source);
	const char *why = source_reason(p, source);

	if (why != NULL) {
		plan_refuse(p, "mount source %s %s", mount->source, why);
		return;
	}
	const char *target = mount_target(p, mount->target);
	if (target != NULL && strcmp(target, source->real) != 0)
		why = target_reason(p, target);
	if (why != NULL) {
		plan_refuse(p, "mount target %s %s", target, why);
		return;
	}
	plan_want(p,
		  (struct plan_entry){
			  .access = mount->is_writable ? PLAN_WRITE : PLAN_READ,
			  .why = PLAN_FOR_MOUNT,
			  .path = target,
			  .source = source->real,
			  .is_folder = source->kind == FENCE_FOLDER,
		  });
}

static void grant_socket(struct planner *p, const char *asked)
{
	const struct fence_path *fp = fence_facts_find(p->facts, asked);

	if (fp == NULL || fp->kind != FENCE_SOCKET) {
		plan_refuse(p, "unix: %s %s", asked,
			    fp == NULL || fp->kind == FENCE_ABSENT
				    ? "does not exist: start what listens "
				      "there first"
				    : "is not a socket that you can use");
		return;
	}
	plan_want(p, (struct plan_entry){
			     .access = PLAN_SOCKET,
			     .why = PLAN_FOR_SOCKET,
			     .path = fp->real,
			     .source = fp->real,
		     });
	link_names(p, PLAN_FOR_SOCKET, fp);
}

void plan_grants(struct planner *p)
{
	const struct policy *policy = p->policy;

	grant_cwd(p);
	if (plan_mode(p) == POLICY_FILES_STRICT && policy->files.read.count > 0)
		plan_note(p, "files.read is without effect in mode strict: say "
			     "--mode allowlist, or mount what is needed");
	for (size_t i = 0; plan_mode(p) != POLICY_FILES_STRICT &&
			   i < policy->files.read.count;
	     i++)
		grant_read(p, policy->files.read.items[i]);
	for (size_t i = 0; i < policy->files.write.count; i++)
		grant_write(p, policy->files.write.items[i]);
	for (size_t i = 0; i < policy->files.mount_count; i++)
		grant_mount(p, &policy->files.mounts[i]);
	for (size_t i = 0; i < policy->unix_sockets.count; i++)
		grant_socket(p, policy->unix_sockets.items[i]);
}
