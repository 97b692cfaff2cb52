/* SPDX-License-Identifier: MIT */
/* prove_stage: the folder that an attack takes place in. */
#include "prove_stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "programs.h"
#include "text.h"
#include "tree_walk.h"

#define NAMES_MAX 1000

static const char *const folders[] = {
	"app", "app/.git", "app/.git/hooks", "fake", NULL,
};

const char *prove_stage_path(struct prove_stage *stage, const char *name)
{
	char *path = stage->paths[stage->path_turn++ % 8];
	struct text t;

	text_init(&t, path, PROVE_VALUE_MAX);
	text_addf(&t, "%s/%s", stage->root, name);
	return path;
}

static int put(struct prove_stage *stage, const char *name, const char *text,
	       mode_t mode)
{
	int fd = open(prove_stage_path(stage, name),
		      O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	size_t len = strlen(text);
	int rc = fd < 0 || write(fd, text, len) != (ssize_t)len ? -errno : 0;

	if (fd >= 0)
		(void)close(fd);
	return rc;
}

/* The attacker is this very program. */
static int put_attacker(struct prove_stage *stage)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = open(prove_stage_path(stage, "app/attacker"),
		      O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	ssize_t n = from < 0 || to < 0 ? -1 : 1;

	while (n > 0)
		n = sendfile(to, from, NULL, (size_t)1 << 20);
	int rc = n < 0 ? -errno : 0;
	if (from >= 0)
		(void)close(from);
	if (to >= 0)
		(void)close(to);
	return rc;
}

static int fill(struct prove_stage *stage)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && folders[i] != NULL; i++)
		if (mkdir(prove_stage_path(stage, folders[i]), 0755) != 0)
			rc = -errno;
	if (rc == 0)
		rc = put(stage, "secret", "secret\n", 0600);
	if (rc == 0)
		rc = put(stage, "app/records.jsonl", "", 0600);
	if (rc == 0)
		rc = put(stage, "app/.git/hooks/pre-commit", "#!/bin/sh\n",
			 0755);
	if (rc == 0)
		rc = put(stage, "fake/bwrap", "#!/bin/sh\nexit 1\n", 0755);
	return rc == 0 ? put_attacker(stage) : rc;
}

/* What a row is tried with: @before, a port (0: none) and @after. */
struct value {
	const char *name;
	const char *before;
	unsigned int port;
	const char *after;
};

static void fill_value(struct prove_stage *s, const char *name,
		       char out[static PROVE_VALUE_MAX])
{
	unsigned int tcp = s->target.ports[PROVE_END_TCP4];
	unsigned int quiet = s->target.ports[PROVE_END_QUIET];

	const struct value rows[] = {
		{"allowed",  "good.prove.test:", tcp,                             ""                 },
		{"name",     "bad.prove.test:",  tcp,                             ""                 },
		{"port",     "good.prove.test:", quiet,                           ""                 },
		{"hello",    "tls.prove.test:",  quiet,                           " tls.prove.test"  },
		{"other",    "tls.prove.test:",  quiet,                           " other.prove.test"},
		{"written",  "good.prove.test:", tcp,                             ""                 },
		{"address",  "127.0.0.1:",       tcp,                             ""                 },
		{"metadata", "169.254.169.254:", 80,                              ""                 },
		{"udp",      "127.0.0.1 ",       s->target.ports[PROVE_END_UDP],  ""                 },
		{"tcp4",     "127.0.0.1 ",       tcp,                             ""                 },
		{"tcp6",     "::1 ",             s->target.ports[PROVE_END_TCP6], ""                 },
		{"signal",   "",                 (unsigned int)s->target.pid,     ""                 },
		{"abstract", s->target.abstract, 0,                               ""                 },
		{"unix",     prove_stage_path(s, "far.sock"),                     0,                   ""},
		{"near",          "near.sock",                       0,                                  ""                             },
		{"secret",          prove_stage_path(s,                     "secret"),                         0,""},
		{"outside",        prove_stage_path(s,                          "outside"),                                                 0,                                                          ""},
		{"hook",         ".git/hooks/pre-commit",                         0,        ""},
		{"record",         "records.jsonl", 0,                         ""									},
		{"sysctl",         "/proc/sys/kernel/core_pattern",                         0,                                ""},
		{"pressure",         "/proc/pressure/cpu", 0, ""                                       },
	};
	struct text t;

	text_init(&t, out, PROVE_VALUE_MAX);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].name, name) != 0)
			continue;
		text_add(&t, rows[i].before);
		if (rows[i].port != 0)
			text_addf(&t, "%u", rows[i].port);
		text_add(&t, rows[i].after);
	}
}

static void list_cases(struct prove_stage *stage)
{
	for (const struct prove_probe *p = prove_table; p->name != NULL; p++) {
		struct prove_case *c = &stage->cases[stage->case_count];
		bool has_six = stage->target.fds[PROVE_END_TCP6] >= 0;
		if (strcmp(p->name, "tcp6") == 0 && !has_six)
			continue;
		*c = (struct prove_case){.probe = p};
		fill_value(stage, p->name, c->value);
		/* Inside there is perhaps a folder of the run's own there. */
		if (strcmp(p->name, "outside") == 0)
			memcpy(c->host_path, c->value, PROVE_VALUE_MAX);
		stage->case_count++;
	}
}

/* A policy of its own for the run that asks a name server. */
static int put_names(struct prove_stage *stage)
{
	char policy[512];

	(void)snprintf(policy, sizeof(policy),
		       "version = 1;\n"
		       "allow = ( { host = \"asked.prove.test\"; ports = [9]; "
		       "protocol = \"tcp\"; } );\n"
		       "dns = { servers = [\"127.0.0.1:%u\"]; "
		       "timeout = \"1s\"; };\n",
		       (unsigned int)stage->target.ports[PROVE_END_NAMES]);
	return put(stage, "dns.cfg", policy, 0600);
}

int prove_stage_make(struct prove_stage *stage, struct diag *diag)
{
	*stage = (struct prove_stage){.root = "/tmp/exeat-prove-XXXXXX"};
	if (programs_find_own("exeat", stage->exeat) != 0) {
		diag_set(diag, "exeat is not beside exeat-prove: install "
			       "exeat again");
		return -1;
	}
	if (mkdtemp(stage->root) == NULL) {
		stage->root[0] = '\0';
		diag_set(diag, "/tmp: %s", strerror(errno));
		return -1;
	}
	int rc = fill(stage);
	if (rc == 0)
		rc = prove_target_start(
			&stage->target, prove_stage_path(stage, "far.sock"),
			prove_stage_path(stage, "app/near.sock"),
			prove_stage_path(stage, "queries"));
	if (rc == 0)
		rc = put_names(stage);
	if (rc != 0)
		diag_set(diag, "%s: %s", stage->root, strerror(-rc));
	else
		list_cases(stage);
	return rc == 0 ? 0 : -1;
}

struct removal {
	char names[NAMES_MAX][96];
	size_t count;
};

static int note_name(const struct tree_entry *entry, void *arg)
{
	struct removal *removal = arg;

	if (removal->count < NAMES_MAX)
		(void)snprintf(removal->names[removal->count++],
			       sizeof(removal->names[0]), "%s", entry->rest);
	return 0;
}

void prove_stage_remove(struct prove_stage *stage)
{
	struct removal removal = {.count = 0};
	const struct tree_walk walk = {
		.names_max = NAMES_MAX,
		.on_entry = note_name,
		.arg = &removal,
	};

	if (stage->target.pid != 0)
		prove_target_stop(&stage->target);
	if (stage->root[0] == '\0' || stage->exeat[0] == '\0')
		return;
	/* What is in a folder was seen after it. */
	if (tree_walk(stage->root, &walk) == 0)
		for (size_t i = removal.count; i > 0; i--) {
			const char *path =
				prove_stage_path(stage, removal.names[i - 1]);
			if (unlink(path) != 0)
				(void)rmdir(path);
		}
	(void)rmdir(stage->root);
}
