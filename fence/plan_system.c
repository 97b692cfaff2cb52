/* SPDX-License-Identifier: MIT */
/* plan_system: the part of a plan that every command needs. */
#include <string.h>

#include "etc_files.h"
#include "fence_tables.h"
#include "paths.h"
#include "plan_internal.h"

/* Where a home folder inside would cover programs, or where there is none. */
#define SPARE_HOME "/run/exeat/home"

static const struct fence_path *find_present(const struct planner *p,
					     const char *path)
{
	const struct fence_path *fp = fence_facts_find(p->facts, path);

	return fp == NULL || fp->kind <= FENCE_UNKNOWN ? NULL : fp;
}

static bool is_link(const struct fence_path *fp)
{
	return strcmp(fp->at, fp->real) != 0;
}

/* A root that is no link holds it. */
static bool is_in_real_root(const struct planner *p, const char *path)
{
	for (size_t i = 0; fence_system_roots[i] != NULL; i++) {
		const struct fence_path *fp =
			find_present(p, fence_system_roots[i]);
		if (fp != NULL && !is_link(fp) &&
		    path_is_within(path, fp->real))
			return true;
	}
	return false;
}

/* Something of the system at its own path, as the link that it is or as it is;
 * and a link that leads out of the system roots brings its target. */
static void show(struct planner *p, enum plan_why why, const char *path)
{
	const struct fence_path *fp = find_present(p, path);

	if (fp == NULL || fp->is_empty)
		return;
	if (is_link(fp))
		plan_want_link(p, why, fp->at, fp->real);
	if (is_link(fp) && is_in_real_root(p, fp->real))
		return;
	if (fp->kind == FENCE_FILE)
		plan_want_file(p, why,
			       &(struct plan_file){
				       .path = fp->real,
				       .bytes = "",
				       .source = fp->real,
			       });
	else
		plan_want_shown(p, PLAN_READ, why, fp);
}

/* A link whose target is shown by another part, if at all. */
static void show_link(struct planner *p, const char *path)
{
	const struct fence_path *fp = find_present(p, path);

	if (fp != NULL && is_link(fp))
		plan_want_link(p, PLAN_FOR_SYSTEM, fp->at, fp->real);
}

static void show_system(struct planner *p)
{
	static const char *const folders[] = {"/etc", "/run", "/var", NULL};

	for (size_t i = 0; folders[i] != NULL; i++)
		plan_want(p, (struct plan_entry){
				     .access = PLAN_FOLDER,
				     .why = PLAN_FOR_SYSTEM,
				     .path = folders[i],
			     });
	for (size_t i = 0; fence_system_roots[i] != NULL; i++)
		show(p, PLAN_FOR_SYSTEM, fence_system_roots[i]);
	for (size_t i = 0; fence_system_links[i] != NULL; i++)
		show_link(p, fence_system_links[i]);
	for (size_t i = 0; fence_etc_shown[i] != NULL; i++)
		show(p, PLAN_FOR_ETC, fence_etc_shown[i]);
	plan_want_link(p, PLAN_FOR_SYSTEM, "/var/run", "/run");
	plan_want_link(p, PLAN_FOR_SYSTEM, "/var/tmp", "/tmp");
}

static void show_all(struct planner *p)
{
	plan_want(p, (struct plan_entry){
			     .access = PLAN_READ,
			     .why = PLAN_FOR_SYSTEM,
			     .path = "/",
			     .source = "/",
			     .is_folder = true,
		     });
}

static void want_private(struct planner *p, const char *path)
{
	plan_want(p, (struct plan_entry){
			     .access = PLAN_PRIVATE,
			     .why = PLAN_FOR_PRIVATE,
			     .path = path,
		     });
}

static const char *real_of(const struct planner *p, const char *path)
{
	const struct fence_path *fp = find_present(p, path);

	return fp == NULL ? path : fp->real;
}

/* What was granted for reading must be seen, so it cannot be a private one. */
static bool is_granted(const struct planner *p, const char *home)
{
	for (size_t i = 0; plan_mode(p) == POLICY_FILES_ALLOWLIST &&
			   i < p->policy->files.read.count;
	     i++) {
		const struct fence_path *fp =
			find_present(p, p->policy->files.read.items[i]);
		if (fp != NULL && path_is_within(home, fp->real))
			return true;
	}
	return false;
}

static bool is_fit_for_home(const struct planner *p, const char *home)
{
	return home != NULL && strcmp(home, "/") != 0 &&
	       plan_mode(p) != POLICY_FILES_OPEN && !plan_in_system(p, home) &&
	       !is_granted(p, home) && !path_is_within(home, "/etc") &&
	       !path_is_within(home, "/run") &&
	       !path_is_within(home, "/proc") && !path_is_within(home, "/dev");
}

/* Folders of the run's own. In open mode the home that is shown is the real
 * one, so programs get another to write to. */
static void plan_private(struct planner *p)
{
	bool is_open = plan_mode(p) == POLICY_FILES_OPEN;
	const struct fence_path *tmp = fence_facts_find(p->facts, "/tmp");

	const char *host_tmp = p->request->tmp_dir;

	p->plan->tmp = host_tmp == NULL ? "/tmp" : host_tmp;
	want_private(p, real_of(p, "/tmp"));
	if (tmp != NULL && is_link(tmp))
		plan_want_link(p, PLAN_FOR_SYSTEM, tmp->at, tmp->real);
	if (is_open) {
		want_private(p, real_of(p, "/run"));
		if (find_present(p, "/var/tmp") != NULL)
			want_private(p, real_of(p, "/var/tmp"));
	}
	p->plan->home = is_fit_for_home(p, p->facts->home) ? p->facts->home
							   : SPARE_HOME;
	want_private(p, p->plan->home);
	if (host_tmp != NULL)
		p->plan->home = path_join(&p->plan->arena, host_tmp, "home");
	if (p->policy->files.home != NULL)
		p->plan->home = real_of(p, p->policy->files.home);
	p->is_failed = p->is_failed || p->plan->home == NULL;
}

static void plan_kernel(struct planner *p)
{
	plan_want(p, (struct plan_entry){.access = PLAN_DEV,
					 .why = PLAN_FOR_KERNEL,
					 .path = "/dev"});
	plan_want(p, (struct plan_entry){.access = PLAN_PROC,
					 .why = PLAN_FOR_KERNEL,
					 .path = "/proc"});
	/* Files of /proc go by the host's uid 0, not by capabilities, so as
	 * uid 0 all of it is sealed at the end (plan_layers()). */
	if (p->facts->uid == 0)
		return;
	plan_want(p, (struct plan_entry){
			     .access = PLAN_READ,
			     .why = PLAN_FOR_KERNEL,
			     .path = "/proc/sys",
			     .source = "/proc/sys",
			     .is_folder = true,
		     });
}

static void plan_init(struct planner *p)
{
	const char *init = p->request->init_path;

	if (init == NULL)
		return;
	p->plan->init_path = FENCE_INIT_PATH;
	plan_want_file(p, PLAN_FOR_EXEAT,
		       &(struct plan_file){
			       .path = FENCE_INIT_PATH,
			       .bytes = "",
			       .source = init,
			       .is_program = true,
		       });
	plan_want_link(p, PLAN_FOR_EXEAT, FENCE_CONNECT_PATH, "init");
}

static void plan_files(struct planner *p)
{
	struct plan_file *files;
	size_t count;

	if (etc_files(p->plan, p->facts, &files, &count) != 0) {
		p->is_failed = true;
		return;
	}
	for (size_t i = 0; i < count; i++)
		plan_want_file(p, PLAN_FOR_ETC, &files[i]);
}

void plan_system(struct planner *p)
{
	/* The first of the files, so that its number is known early. */
	plan_init(p);
	if (plan_mode(p) == POLICY_FILES_OPEN)
		show_all(p);
	else
		show_system(p);
	plan_private(p);
	plan_kernel(p);
	plan_files(p);
}
