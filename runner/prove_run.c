/* SPDX-License-Identifier: MIT */
/* prove_run: the attacker behind the fence and without it. */
#include "prove_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "handoff.h"
#include "text.h"

/* A word for each case, and those of the fence. */
#define TEXTS_MAX         (PROVE_MAX + 16)
#define WORDS_MAX         128
#define OUTPUT_MAX_BYTES  16384
#define LIMIT_MS          20000
#define RECORDS_MAX_BYTES 65536

/* A command line in the making; @texts holds what was put together. */
struct words {
	char *items[WORDS_MAX];
	size_t count;
	char texts[TEXTS_MAX][PROVE_VALUE_MAX + 32];
	size_t text_count;
};

/* One run of a program, in ROOT/app, with its standard output read. */
struct job {
	struct words words;
	char *environ[4];
	const char *cwd;
	int out;
	int secret;
	int quiet;
};

static void add(struct words *w, char *word)
{
	if (w->count + 1 < WORDS_MAX)
		w->items[w->count++] = word;
}

static void add_text(struct words *w, const char *first, const char *second)
{
	char *text = w->texts[w->text_count++ % TEXTS_MAX];

	(void)snprintf(text, sizeof(w->texts[0]), "%s%s", first, second);
	add(w, text);
}

static void live(const void *arg)
{
	const struct job *job = arg;
	const struct child_fd fds[] = {
		{job->quiet,  0              },
		{job->out,    1              },
		{job->quiet,  2              },
		{job->secret, PROVE_SECRET_FD},
	};

	if (chdir(job->cwd) == 0 && child_place_fds(fds, 4) == 0)
		(void)execve(job->words.items[0], job->words.items,
			     job->environ);
}

/* Reads until the end; kills @pid when it takes too long. */
static size_t read_all(int fd, pid_t pid, char out[static OUTPUT_MAX_BYTES])
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	size_t len = 0;
	ssize_t n = 1;

	while (n > 0 && len + 1 < OUTPUT_MAX_BYTES) {
		if (poll(&p, 1, LIMIT_MS) != 1) {
			child_end(pid);
			break;
		}
		n = read(fd, out + len, OUTPUT_MAX_BYTES - 1 - len);
		len += n > 0 ? (size_t)n : 0;
	}
	out[len] = '\0';
	return len;
}

/* Starts it; *pid_out and the end to read from, or -errno. */
static int start(struct prove_stage *stage, struct job *job, pid_t *pid_out)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return -errno;
	job->out = ends[1];
	job->cwd = prove_stage_path(stage, "app");
	job->quiet = open("/dev/null", O_RDWR | O_CLOEXEC);
	job->secret =
		open(prove_stage_path(stage, "secret"), O_RDONLY | O_CLOEXEC);
	*pid_out = child_fork(live, job);
	(void)close(ends[1]);
	(void)close(job->quiet);
	(void)close(job->secret);
	if (*pid_out > 0)
		return ends[0];
	(void)close(ends[0]);
	return (int)*pid_out;
}

static int wait_code(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The program's exit code, or -1. */
static int run(struct prove_stage *stage, struct job *job,
	       char out[static OUTPUT_MAX_BYTES])
{
	pid_t pid = -1;
	int fd = start(stage, job, &pid);

	out[0] = '\0';
	if (fd < 0)
		return -1;
	(void)read_all(fd, pid, out);
	(void)close(fd);
	return wait_code(pid);
}

/* PATH and HOME alone: exeat finds bubblewrap and its own folder by them. */
static void set_environ(struct job *job, struct words *keep, const char *path)
{
	const char *home = getenv("HOME");
	static char secret[] = PROVE_SECRET "=s3cr3t";
	size_t before = keep->count;

	add_text(keep, "PATH=", path);
	add_text(keep, "HOME=", home == NULL ? "/" : home);
	job->environ[0] = keep->items[before];
	job->environ[1] = keep->items[before + 1];
	job->environ[2] = secret;
	job->environ[3] = NULL;
	keep->count = before;
}

static const char *search_path(void)
{
	const char *path = getenv("PATH");

	return path == NULL ? "/usr/bin:/bin" : path;
}

static void add_fence(struct prove_stage *stage, struct words *w)
{
	static char run_word[] = "run", allow[] = "--allow",
		    resolve[] = "--resolve", audit[] = "--audit";
	char text[64];

	add(w, stage->exeat);
	add(w, run_word);
	(void)snprintf(text, sizeof(text), "%u/tcp+private",
		       (unsigned int)stage->target.ports[PROVE_END_TCP4]);
	add(w, allow);
	add_text(w, "good.prove.test:", text);
	(void)snprintf(text, sizeof(text), "%u/tls+private",
		       (unsigned int)stage->target.ports[PROVE_END_QUIET]);
	add(w, allow);
	add_text(w, "tls.prove.test:", text);
	add(w, resolve);
	add_text(w, "good.prove.test:", "127.0.0.1");
	add(w, resolve);
	add_text(w, "tls.prove.test:", "127.0.0.1");
	add(w, audit);
	add_text(w, prove_stage_path(stage, "app/records.jsonl"), "");
}

static void add_attack(struct prove_stage *stage, struct words *w)
{
	static char attacker[] = "./attacker", attack[] = "--attack";

	add(w, attacker);
	add(w, attack);
	for (size_t i = 0; i < stage->case_count; i++) {
		const struct prove_case *c = &stage->cases[i];
		char *text = w->texts[w->text_count++ % TEXTS_MAX];
		(void)snprintf(text, sizeof(w->texts[0]), "%.16s=%.500s",
			       c->probe->name, c->value);
		add(w, text);
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
	struct job job = {.words = {.count = 0}};
	struct words keep = {.count = 0};
	char out[OUTPUT_MAX_BYTES];

	set_environ(&job, &keep, search_path());
	if (flags != NULL) {
		add_fence(stage, &job.words);
		for (int i = 0; i < flags->count; i++)
			add(&job.words, flags->words[i]);
		add(&job.words, end);
	}
	add_attack(stage, &job.words);
	int rc = run(stage, &job, out);
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

bool prove_run_refuses(struct prove_stage *stage)
{
	static char run_word[] = "run", touch[] = "/usr/bin/touch",
		    marker[] = "marker";
	struct job job = {.words = {.count = 0}};
	struct words keep = {.count = 0};
	char out[OUTPUT_MAX_BYTES];
	char path[PATH_MAX];

	(void)snprintf(path, sizeof(path), "%s:%.3000s",
		       prove_stage_path(stage, "fake"), search_path());
	set_environ(&job, &keep, path);
	add(&job.words, stage->exeat);
	add(&job.words, run_word);
	add(&job.words, touch);
	add(&job.words, marker);
	int rc = run(stage, &job, out);
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
	static char run_word[] = "run", shell[] = "/bin/sh", c[] = "-c",
		    script[] = "echo up; exec sleep 60";
	struct job job = {.words = {.count = 0}};
	struct words keep = {.count = 0};
	char out[OUTPUT_MAX_BYTES];
	pid_t pid = -1;
	bool holds = false;

	set_environ(&job, &keep, search_path());
	add(&job.words, stage->exeat);
	add(&job.words, run_word);
	add(&job.words, shell);
	add(&job.words, c);
	add(&job.words, script);
	int fd = start(stage, &job, &pid);
	if (fd < 0)
		return false;
	struct pollfd p = {.fd = fd, .events = POLLIN};
	if (poll(&p, 1, LIMIT_MS) == 1 && read(fd, out, 3) == 3) {
		pid_t proxy = find_child(pid, "exeat-proxy");
		child_end(proxy);
		/* The end of file comes when the command is gone. */
		holds = proxy > 0 && poll(&p, 1, LIMIT_MS) == 1 &&
			read(fd, out, 1) == 0;
	}
	if (!holds)
		child_end(pid);
	(void)close(fd);
	return wait_code(pid) == EXIT_OWN_FAILURE && holds;
}
