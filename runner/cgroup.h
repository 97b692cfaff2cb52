/* SPDX-License-Identifier: MIT */
/* cgroup: finds where a control group of our own can be made, and makes it. */
#ifndef CGROUP_H
#define CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/**
 * struct cgroup_files - where the kernel says which groups there are
 * @self:	/proc/self/cgroup, cgroups(7)
 * @mountinfo:	/proc/self/mountinfo
 */
struct cgroup_files {
	const char *self;
	const char *mountinfo;
};

extern const struct cgroup_files cgroup_kernel_files;

/**
 * struct cgroup_place - a folder below which we may make groups
 * @is_v2:	of the unified hierarchy
 */
struct cgroup_place {
	char folder[PATH_MAX];
	bool is_v2;
};

/**
 * cgroup_find() - the nearest such folder above us that has @controller
 *
 * Version 2: a folder that was delegated to us, with the controller switched on
 * for what is below it. Version 1: our own group in the controller's hierarchy,
 * which as a rule only root can write to.
 *
 * Return: 0; -ENOENT: no hierarchy has the controller; -EACCES: none that we
 * may write to has it.
 */
int cgroup_find(const struct cgroup_files *files, const char *controller,
		struct cgroup_place *place_out)
	__attribute__((warn_unused_result));

/** cgroup_make() - a group @name there; one that exists is taken as it is.
 * @path_out: its folder. Return: 0 or -errno. */
int cgroup_make(const struct cgroup_place *place, const char *name,
		char path_out[static PATH_MAX])
	__attribute__((warn_unused_result));

/** cgroup_write() - @text into file @file of the group. Return: 0 or -errno. */
int cgroup_write(const char *group, const char *file, const char *text)
	__attribute__((warn_unused_result));

/** cgroup_remove() - once nobody is in it. Return: 0 or -errno. */
int cgroup_remove(const char *group);

#endif
