/* SPDX-License-Identifier: MIT */
/* bwrap_argv: a plan as options of bubblewrap. */
#include "bwrap_argv.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "bytes.h"
#include "plan_grafts.h"

/*
 * The variants without "-try" fail where a namespace cannot be had. As uid 0
 * bubblewrap keeps every capability unless told otherwise. --die-with-parent:
 * without the runner nobody records or ends what runs.
 */
static const char *const always[] = {
	"--unshare-user",
	"--unshare-ipc",
	"--unshare-pid",
	"--unshare-net",
	"--unshare-cgroup",
	"--cap-drop",
	"ALL",
	"--die-with-parent",
	NULL,
};

static void word(struct bytes *out, const char *s)
{
	bytes_add(out, s, strlen(s) + 1);
}

static void words(struct bytes *out, const char *option, const char *first,
		  const char *second)
{
	word(out, option);
	word(out, first);
	if (second != NULL)
		word(out, second);
}

static void with_perms(struct bytes *out, const char *perms, const char *option,
		       const char *path)
{
	words(out, "--perms", perms, NULL);
	words(out, option, path, NULL);
}

/* A file in a folder of ours is written there; over one of the host's it has to
 * be a mount. */
static void write_file(struct bytes *out, const struct fence_plan *plan,
		       const struct plan_entry *e, int first_fd)
{
	bool is_program = plan->files[e->file].is_program;
	char fd[16];

	(void)snprintf(fd, sizeof(fd), "%d", first_fd + (int)e->file);
	words(out, "--perms", is_program ? "0555" : "0444", NULL);
	words(out, e->is_over_host ? "--ro-bind-data" : "--file", fd, e->path);
}

static void write_private(struct bytes *out, const struct fence_plan *plan,
			  const struct plan_entry *e)
{
	bool is_home = strcmp(e->path, plan->home) == 0;

	with_perms(out, is_home ? "0700" : "1777", "--tmpfs", e->path);
}

static void write_entry(struct bytes *out, const struct fence_plan *plan,
			const struct plan_entry *e, int first_fd)
{
	switch (e->access) {
	case PLAN_READ:
		words(out, "--ro-bind", e->source, e->path);
		return;
	case PLAN_WRITE:
	case PLAN_SOCKET:
		words(out, "--bind", e->source, e->path);
		return;
	case PLAN_PRIVATE:
		write_private(out, plan, e);
		return;
	case PLAN_FOLDER:
		with_perms(out, "0755", "--dir", e->path);
		return;
	case PLAN_HIDE_FOLDER:
		with_perms(out, "0555", "--tmpfs", e->path);
		return;
	case PLAN_HIDE_FILE:
		/* Bound without device rights, so it opens for nobody. */
		words(out, "--ro-bind", "/dev/null", e->path);
		return;
	case PLAN_LINK:
		words(out, "--symlink", e->source, e->path);
		return;
	case PLAN_FILE:
		write_file(out, plan, e, first_fd);
		return;
	case PLAN_PROC:
		words(out, "--proc", e->path, NULL);
		return;
	case PLAN_DEV:
		words(out, "--dev", e->path, NULL);
		return;
	case PLAN_SEAL:
		words(out, "--remount-ro", e->path, NULL);
		return;
	}
}

static void write_variable(struct bytes *out, const char *item)
{
	size_t name = strcspn(item, "=");

	word(out, "--setenv");
	bytes_add(out, item, name);
	bytes_add(out, "", 1);
	word(out, item + name + (item[name] == '='));
}

static bool is_init(const struct fence_plan *plan, const struct plan_entry *e)
{
	return e->access == PLAN_FILE && plan->init_path != NULL &&
	       e->file == 0;
}

static void write_whole(struct bytes *out, const struct fence_plan *plan,
			int first_fd)
{
	word(out, "--unshare-uts");
	words(out, "--hostname", plan->hostname, NULL);
	for (size_t i = 0; i < plan->entry_count; i++)
		write_entry(out, plan, &plan->entries[i], first_fd);
}

/* exeat-init after everything but the seals: when it can be read, all is in
 * place. */
static void write_grafted(struct bytes *out, const struct fence_plan *plan,
			  int first_fd)
{
	const struct plan_entry *init = NULL;

	for (size_t i = 0; i < plan->entry_count; i++) {
		const struct plan_entry *e = &plan->entries[i];
		if (is_init(plan, e)) {
			init = e;
			continue;
		}
		if (e->access == PLAN_SEAL && init != NULL) {
			write_entry(out, plan, init, first_fd);
			init = NULL;
		}
		if (!plan_is_graft(plan, i))
			write_entry(out, plan, e, first_fd);
	}
	if (init != NULL)
		write_entry(out, plan, init, first_fd);
}

static void write_head(struct bytes *out, const struct fence_plan *plan)
{
	for (size_t i = 0; always[i] != NULL; i++)
		word(out, always[i]);
	for (size_t i = 0; i < plan->environ_count; i++)
		write_variable(out, plan->environ[i]);
}

int bwrap_argv_write(const struct fence_plan *plan, enum bwrap_form form,
		     int first_fd, char **bytes_out, size_t *len_out)
{
	struct bytes out = {NULL, 0, 0, false};
	size_t len;

	switch (form) {
	case BWRAP_WHOLE:
		write_head(&out, plan);
		write_whole(&out, plan, first_fd);
		words(&out, "--chdir", plan->cwd, NULL);
		break;
	case BWRAP_GRAFTED:
		write_head(&out, plan);
		write_grafted(&out, plan, first_fd);
		words(&out, "--chdir", plan->cwd, NULL);
		word(&out, "--unshare-uts");
		break;
	case BWRAP_GRAFTS:
		for (size_t i = 0; i < plan->entry_count; i++)
			if (plan_is_graft(plan, i))
				write_entry(&out, plan, &plan->entries[i],
					    first_fd);
		break;
	}
	char *bytes = bytes_take(&out, &len);
	if (bytes == NULL)
		return -ENOMEM;
	*bytes_out = bytes;
	*len_out = len;
	return 0;
}
