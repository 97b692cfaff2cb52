/* SPDX-License-Identifier: MIT */
/* docker_args: a plan as options of `docker run`. */
#include "docker_args.h"

#include <string.h>

#include "paths.h"

static const char *const always[] = {
	"run",         "--rm", "--network",      "none",
	"--cap-drop",  "ALL",  "--security-opt", "no-new-privileges",
	"--read-only", NULL,
};

static void word(struct bytes *out, const char *s)
{
	bytes_add(out, s, strlen(s) + 1);
}

static void words(struct bytes *out, const char *option, const char *value)
{
	word(out, option);
	word(out, value);
}

/* One field of --mount: a line of CSV, so a comma or a quote in a path needs
 * quotes round the field, and quotes in it are doubled. */
static void field(struct bytes *out, const char *key, const char *value)
{
	bool is_plain = strpbrk(value, ",\"\n\r") == NULL;

	bytes_addf(out, is_plain ? ",%s=" : ",\"%s=", key);
	for (; *value != '\0'; value++) {
		bytes_add(out, value, 1);
		if (*value == '"')
			bytes_add(out, value, 1);
	}
	if (!is_plain)
		bytes_add_text(out, "\"");
}

static void mount_at(struct bytes *out, const struct plan_entry *e,
		     const char *source, bool is_read_only)
{
	word(out, "--mount");
	bytes_add_text(out, "type=bind");
	field(out, "src", source);
	field(out, "dst", e->path);
	if (is_read_only)
		bytes_add_text(out, ",readonly");
	bytes_add(out, "", 1);
}

static void empty_at(struct bytes *out, const struct plan_entry *e,
		     const char *mode)
{
	word(out, "--mount");
	bytes_add_text(out, "type=tmpfs");
	field(out, "dst", e->path);
	bytes_addf(out, ",tmpfs-mode=%s", mode);
	bytes_add(out, "", 1);
}

/* The image brings its own; and the host's secrets in /etc are not in it. */
static bool is_of_image(const struct plan_entry *e)
{
	return (e->why == PLAN_FOR_SECRET && path_is_within(e->path, "/etc")) ||
	       e->why == PLAN_FOR_SYSTEM || e->why == PLAN_FOR_ETC ||
	       e->why == PLAN_FOR_KERNEL || e->why == PLAN_FOR_EXEAT;
}

/* `exeat connect` is exeat-init by another name; the environment points to it.
 */
static void write_connect(struct bytes *out, const struct fence_plan *plan,
			  const struct plan_entry *e)
{
	for (size_t i = 0; i < plan->file_count; i++)
		if (strcmp(plan->files[i].path, FENCE_INIT_PATH) == 0)
			mount_at(out, e, plan->files[i].source, true);
}

static void write_entry(struct bytes *out, const struct fence_plan *plan,
			const struct plan_entry *e)
{
	if (strcmp(e->path, FENCE_CONNECT_PATH) == 0)
		write_connect(out, plan, e);
	if (is_of_image(e))
		return;
	switch (e->access) {
	case PLAN_READ:
		mount_at(out, e, e->source, true);
		return;
	case PLAN_WRITE:
	case PLAN_SOCKET:
		mount_at(out, e, e->source, false);
		return;
	case PLAN_PRIVATE:
		empty_at(out, e, "1777");
		return;
	case PLAN_HIDE_FOLDER:
		/* What is not of the host in the image has no secret. */
		if (e->is_over_host)
			empty_at(out, e, "0555");
		return;
	case PLAN_HIDE_FILE:
		if (e->is_over_host)
			mount_at(out, e, "/dev/null", true);
		return;
	case PLAN_FOLDER:
	case PLAN_LINK:
	case PLAN_FILE:
	case PLAN_PROC:
	case PLAN_DEV:
	case PLAN_SEAL:
		return;
	}
}

static void write_limits(struct bytes *out, const struct policy *policy)
{
	if (policy->limits.memory_bytes != 0) {
		/* Equal: no swap on top of it. */
		bytes_addf(out, "--memory%c%llu%c--memory-swap%c%llu%c", 0,
			   (unsigned long long)policy->limits.memory_bytes, 0,
			   0, (unsigned long long)policy->limits.memory_bytes,
			   0);
	}
	if (policy->limits.processes != 0)
		bytes_addf(out, "--pids-limit%c%llu%c", 0,
			   (unsigned long long)policy->limits.processes, 0);
}

int docker_args_write(const struct fence_plan *plan, struct bytes *out,
		      struct diag *diag)
{
	if (plan->policy->files.mode == POLICY_FILES_OPEN) {
		diag_set(diag, "files.mode \"open\" shows the host's root, and "
			       "docker's root is the image's: use strict or "
			       "allowlist");
		return -1;
	}
	for (size_t i = 0; always[i] != NULL; i++)
		word(out, always[i]);
	words(out, "--hostname", plan->hostname);
	bytes_addf(out, "--user%c%u:%u%c", 0, plan->facts->uid,
		   plan->facts->gid, 0);
	write_limits(out, plan->policy);
	for (size_t i = 0; i < plan->environ_count; i++)
		words(out, "--env", plan->environ[i]);
	for (size_t i = 0; i < plan->entry_count; i++)
		write_entry(out, plan, &plan->entries[i]);
	words(out, "--workdir", plan->cwd);
	words(out, "--entrypoint", "sh");
	return 0;
}

struct explanation docker_explain(const struct fence_plan *plan,
				  enum guarantee guarantee)
{
	static const struct explanation enforced = {EXPLAIN_ENFORCED, NULL};
	static const struct explanation no_network = {
		EXPLAIN_PARTLY,
		"there is no network, so what is declared is not reached "
		"either",
	};
	static const struct explanation not_seen = {
		EXPLAIN_NOT, "nothing outside sees what was tried"};
	static const struct explanation daemon = {
		EXPLAIN_PARTLY,
		"the daemon is trusted: it runs as root and decides alone"};

	(void)plan;
	switch (guarantee) {
	case G1:
	case G6:
	case G7:
		return no_network;
	case G11:
		return not_seen;
	case G12:
	case G13:
		return daemon;
	case G2:
	case G3:
	case G4:
	case G5:
	case G8:
	case G9:
	case G10:
	case GUARANTEE_END:
		break;
	}
	return enforced;
}
