/* SPDX-License-Identifier: MIT */
/* prove_run: the attacker behind the fence and without it. */
#include "prove_run.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "child.h"
#include "handoff.h"
#include "prove_job.h"
#include "text.h"

#define RECORDS_MAX_BYTES 65536

/* Two names, for TCP and for TLS, and where they lead. */
static void add_rules(const struct prove_stage *stage,
		      struct prove_words *words)
{
	static char allow[] = "--allow", resolve[] = "--resolve";
	char text[64];

	(void)snprintf(text, sizeof(text), "%u/tcp+private",
		       (unsigned int)stage->target.ports[PROVE_END_TCP4]);
	prove_job_word(words, allow);
	prove_job_text(words, "good.prove.test:", text);
	(void)snprintf(text, sizeof(text), "%u/tls+private",
		       (unsigned int)stage->target.ports[PROVE_END_QUIET]);
	prove_job_word(words, allow);
	prove_job_text(words, "tls.prove.test:", text);
	prove_job_word(words, resolve);
	prove_job_text(words, "good.prove.test:", "127.0.0.1");
	prove_job_word(words, resolve);
	prove_job_text(words, "tls.prove.test:", "127.0.0.1");
}

static void add_attack(struct prove_stage *stage, struct prove_words *w)
{
	static char attacker[] = "./attacker", attack[] = "--attack";

	prove_job_word(w, attacker);
	prove_job_word(w, attack);
	for (size_t i = 0; i < stage->case_count; i++) {
		const struct prove_case *c = &stage->cases[i];
		char *text = w->texts[w->text_count++ % PROVE_TEXTS_MAX];
		(void)snprintf(text, sizeof(w->texts[0]), "%.16s=%.500s",
			       c->probe->name, c->value);
		prove_job_word(w, text);
	}
}

/* "NAME reached", "NAME blocked ..." */
static void read_answers(struct prove_stage *stage, const char *out,
			 bool is_inside)
{
	for (size_t i = 0; i < stage->case_count; i++) {
		struct prove_case *c = &stage->cases[i];
		char line[64];
		enum prove_answer answer = PROVE_UNTRIED;
		(void)snprintf(line, sizeof(line), "%s reached",
			       c->probe->name);
		if (strstr(out, line) != NULL)
			answer = PROVE_REACHED;
		(void)snprintf(line, sizeof(line), "%s blocked",
			       c->probe->name);
		if (strstr(out, line) != NULL)
			answer = PROVE_BLOCKED;
		if (c->host_path[0] != '\0' && answer == PROVE_REACHED &&
		    unlink(c->host_path) != 0)
			answer = PROVE_BLOCKED;
		if (is_inside)
			c->inside = answer;
		else
			c->control = answer;
	}
}

int prove_run_attack(struct prove_stage *stage, const struct prove_flags *flags,
		     struct diag *diag)
{
	static char end[] = "--";
	struct prove_job job = {.words = {.count = 0}};
	char out[PROVE_OUTPUT_BYTES];

	prove_job_environ(&job, prove_job_path());
	if (flags != NULL) {
		prove_job_fence(stage, &job.words);
		add_rules(stage, &job.words);
		for (int i = 0; i < flags->count; i++)
			prove_job_word(&job.words, flags->words[i]);
		prove_job_word(&job.words, end);
	}
	add_attack(stage, &job.words);
	int rc = prove_job_run(stage, &job, out);
	read_answers(stage, out, flags != NULL);
	if (rc == 0)
		return 0;
	diag_set(diag,
		 "the attacker could not be run %s the fence (exit %d): try "
		 "exeat run with the same flags, or exeat doctor",
		 flags != NULL ? "behind" : "without", rc);
	return -1;
}

static void read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		(void)close(fd);
	text[len > 0 ? len : 0] = '\0';
}

bool prove_run_is_recorded(struct prove_stage *stage)
{
	char text[RECORDS_MAX_BYTES];

	read_text(prove_stage_path(stage, "app/records.jsonl"), text,
		  sizeof(text));
	return strstr(text, "bad.prove.test") != NULL &&
	       strstr(text, "169.254.169.254") != NULL &&
	       strstr(text, "good.prove.test") != NULL;
}

enum prove_verdict prove_run_asks(struct prove_stage *stage)
{
	static char policy[] = "--policy", end[] = "--",
		    attacker[] = "./attacker", attack[] = "--attack",
		    asked[] = "allowed=asked.prove.test:9",
		    other[] = "name=never.prove.test:9";
	struct prove_job job = {.words = {.count = 0}};
	char out[PROVE_OUTPUT_BYTES];
	char queries[RECORDS_MAX_BYTES];

	prove_job_environ(&job, prove_job_path());
	prove_job_fence(stage, &job.words);
	prove_job_word(&job.words, policy);
	prove_job_text(&job.words, prove_stage_path(stage, "dns.cfg"), "");
	prove_job_word(&job.words, end);
	prove_job_word(&job.words, attacker);
	prove_job_word(&job.words, attack);
	prove_job_word(&job.words, asked);
	prove_job_word(&job.words, other);
	(void)prove_job_run(stage, &job, out);
	read_text(prove_stage_path(stage, "queries"), queries, sizeof(queries));
	if (strstr(queries, "never") != NULL)
		return PROVE_FAILS;
	return strstr(queries, "asked") != NULL ? PROVE_HOLDS : PROVE_BROKEN;
}

bool prove_run_refuses(struct prove_stage *stage)
{
	static char touch[] = "/usr/bin/touch", marker[] = "marker";
	struct prove_job job = {.words = {.count = 0}};
	char out[PROVE_OUTPUT_BYTES];
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s:%.3000s",
		       prove_stage_path(stage, "fake"), prove_job_path());
	prove_job_environ(&job, path);
	prove_job_fence(stage, &job.words);
	prove_job_word(&job.words, touch);
	prove_job_word(&job.words, marker);
	int rc = prove_job_run(stage, &job, out);
	return rc == EXIT_OWN_FAILURE &&
	       access(prove_stage_path(stage, "app/marker"), F_OK) != 0;
}

static bool is_called(uint64_t pid, const char *name)
{
	char path[64], comm[32];

	(void)snprintf(path, sizeof(path), "/proc/%llu/comm",
		       (unsigned long long)pid);
	read_text(path, comm, sizeof(comm));
	return strncmp(comm, name, strlen(name)) == 0;
}

/* The child of @pid that is called @name, or -1. */
static pid_t find_child(pid_t pid, const char *name)
{
	char path[64], text[256];
	uint64_t child;

	(void)snprintf(path, sizeof(path), "/proc/%ld/task/%ld/children",
		       (long)pid, (long)pid);
	read_text(path, text, sizeof(text));
	for (char *at = text; *at != '\0'; at += strspn(at, " ")) {
		size_t digits = strcspn(at, " ");
		if (!text_parse_decimal(at, digits, INT32_MAX, &child))
			break;
		if (is_called(child, name))
			return (pid_t)child;
		at += digits;
	}
	return -1;
}

bool prove_run_ends(struct prove_stage *stage)
{
	static char shell[] = "/bin/sh", c[] = "-c",
		    script[] = "echo up; exec sleep 60";
	struct prove_job job = {.words = {.count = 0}};
	char out[PROVE_OUTPUT_BYTES];
	pid_t pid = -1;
	bool holds = false;

	prove_job_environ(&job, prove_job_path());
	prove_job_fence(stage, &job.words);
	prove_job_word(&job.words, shell);
	prove_job_word(&job.words, c);
	prove_job_word(&job.words, script);
	int fd = prove_job_start(stage, &job, &pid);
	if (fd < 0)
		return false;
	struct pollfd p = {.fd = fd, .events = POLLIN};
	if (poll(&p, 1, PROVE_LIMIT_MS) == 1 && read(fd, out, 3) == 3) {
		pid_t proxy = find_child(pid, "exeat-proxy");
		child_end(proxy);
		/* The end of file comes when the command is gone. */
		holds = proxy > 0 && poll(&p, 1, PROVE_LIMIT_MS) == 1 &&
			read(fd, out, 1) == 0;
	}
	if (!holds)
		child_end(pid);
	(void)close(fd);
	return prove_job_wait(pid) == EXIT_OWN_FAILURE && holds;
}
