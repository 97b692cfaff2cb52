/* SPDX-License-Identifier: MIT */
/* plan_text: a plan as stable text. */
#include "plan_text.h"

#include <string.h>

#include "words.h"

static const char *access_text(enum plan_access access)
{
	switch (access) {
	case PLAN_READ:
		return "read";
	case PLAN_WRITE:
		return "write";
	case PLAN_PRIVATE:
		return "private";
	case PLAN_FOLDER:
		return "folder";
	case PLAN_HIDE_FOLDER:
	case PLAN_HIDE_FILE:
		return "hide";
	case PLAN_LINK:
		return "link";
	case PLAN_FILE:
		return "file";
	case PLAN_PROC:
		return "proc";
	case PLAN_DEV:
		return "dev";
	case PLAN_SEAL:
		return "seal";
	case PLAN_SOCKET:
		return "socket";
	}
	return "?";
}

static const char *why_text(enum plan_why why)
{
	static const char *const texts[] = {
		[PLAN_FOR_SYSTEM] = "system",   [PLAN_FOR_ETC] = "etc",
		[PLAN_FOR_PRIVATE] = "private", [PLAN_FOR_TOOL] = "tool",
		[PLAN_FOR_CWD] = "cwd",         [PLAN_FOR_GRANT] = "grant",
		[PLAN_FOR_MOUNT] = "mount",     [PLAN_FOR_SOCKET] = "unix",
		[PLAN_FOR_SECRET] = "secret",   [PLAN_FOR_HIDE] = "hide",
		[PLAN_FOR_PROTECT] = "protect", [PLAN_FOR_PIN] = "pin",
		[PLAN_FOR_OWN] = "own",         [PLAN_FOR_KERNEL] = "kernel",
		[PLAN_FOR_EXEAT] = "exeat",
	};

	return texts[why];
}

static const char *mode_text(enum policy_files_mode mode)
{
	switch (mode) {
	case POLICY_FILES_ALLOWLIST:
		return "allowlist";
	case POLICY_FILES_OPEN:
		return "open";
	case POLICY_FILES_STRICT:
		break;
	}
	return "strict";
}

static void fact(struct bytes *out, const char *key, const char *value)
{
	bytes_addf(out, "%s ", key);
	word_write_line(out, value == NULL ? "-" : value);
	bytes_add_text(out, "\n");
}

static void write_head(const struct fence_plan *plan, struct bytes *out)
{
	fact(out, "mode", mode_text(plan->policy->files.mode));
	fact(out, "cwd", plan->cwd);
	fact(out, "home", plan->home);
	fact(out, "tmp", plan->tmp);
	fact(out, "init", plan->init_path);
	fact(out, "hostname", plan->hostname);
	fact(out, "namespaces", "user ipc pid net uts cgroup");
}

/* Of a file that is a copy, what it is a copy of. */
static const char *source_of(const struct fence_plan *plan,
			     const struct plan_entry *e)
{
	return e->access == PLAN_FILE ? plan->files[e->file].source : e->source;
}

static void write_entry(const struct fence_plan *plan,
			const struct plan_entry *e, struct bytes *out)
{
	const char *source = source_of(plan, e);

	bytes_addf(out, "%-7s %-7s ", access_text(e->access), why_text(e->why));
	word_write_line(out, e->path);
	if (e->access == PLAN_FILE && source != NULL) {
		bytes_add_text(out, " copied from ");
		word_write_line(out, source);
	} else if (source != NULL && strcmp(source, e->path) != 0) {
		bytes_add_text(out, e->access == PLAN_LINK ? " -> " : " from ");
		word_write_line(out, source);
	}
	bytes_add_text(out, "\n");
}

static void write_ports(const char *key, const struct policy_ports *ports,
			struct bytes *out)
{
	for (size_t i = 0; i < ports->count; i++)
		bytes_addf(out, "%s %u\n", key, (unsigned int)ports->items[i]);
}

static void write_network(const struct fence_plan *plan, struct bytes *out)
{
	const struct policy *policy = plan->policy;
	char address[NETADDR_TEXT_BYTES];

	bytes_add_text(out, "\n[network]\n");
	if (plan->proxy_port != 0)
		bytes_addf(out, "proxy %u\n", (unsigned int)plan->proxy_port);
	for (size_t i = 0; i < policy->ports.listen_count; i++) {
		const struct policy_listen *l = &policy->ports.listen[i];
		netaddr_format(&l->host_address, address);
		bytes_addf(out, "listen %u at %s port %u\n",
			   (unsigned int)l->port, address,
			   (unsigned int)l->host_port);
	}
	if ((plan->openings & PLAN_OPEN_TRUSTD) != 0)
		bytes_add_text(out, "open trustd\n");
	if ((plan->openings & PLAN_OPEN_TERMINALS) != 0)
		bytes_add_text(out, "open terminals\n");
	if ((plan->openings & PLAN_OPEN_BROWSER) != 0)
		bytes_add_text(out, "open browser\n");
	write_ports("connect", &policy->ports.connect, out);
	write_ports("loopback", &policy->ports.loopback, out);
	for (size_t i = 0; i < policy->unix_sockets.count; i++)
		fact(out, "unix", policy->unix_sockets.items[i]);
}

static void write_limits(const struct fence_plan *plan, struct bytes *out)
{
	const struct policy *policy = plan->policy;

	bytes_add_text(out, "\n[limits]\n");
	if (policy->limits.wall_ms != 0)
		bytes_addf(out, "wall %llu ms\n",
			   (unsigned long long)policy->limits.wall_ms);
	if (policy->limits.memory_bytes != 0)
		bytes_addf(out, "memory %llu bytes\n",
			   (unsigned long long)policy->limits.memory_bytes);
	if (policy->limits.processes != 0)
		bytes_addf(out, "processes %llu\n",
			   (unsigned long long)policy->limits.processes);
}

static void write_list(const char *title, const char *const *items,
		       size_t count, struct bytes *out)
{
	bytes_addf(out, "\n[%s]\n", title);
	for (size_t i = 0; i < count; i++) {
		word_write_line(out, items[i]);
		bytes_add_text(out, "\n");
	}
}

void plan_text_write(const struct fence_plan *plan, struct bytes *out)
{
	write_head(plan, out);
	bytes_add_text(out, "\n[files]\n");
	for (size_t i = 0; i < plan->entry_count; i++)
		write_entry(plan, &plan->entries[i], out);
	write_network(plan, out);
	write_limits(plan, out);
	write_list("environment", plan->environ, plan->environ_count, out);
	write_list("unprotected", plan->unprotected, plan->unprotected_count,
		   out);
	write_list("notes", plan->notes, plan->note_count, out);
}
