/* SPDX-License-Identifier: MIT */
/* prove_job: one run of a program on the stage, with its output read. */
#include "prove_job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

void prove_job_word(struct prove_words *w, char *word)
{
	if (w->count + 1 < PROVE_WORDS_MAX)
		w->items[w->count++] = word;
}

void prove_job_text(struct prove_words *w, const char *first,
		    const char *second)
{
	char *text = w->texts[w->text_count++ % PROVE_TEXTS_MAX];

	(void)snprintf(text, sizeof(w->texts[0]), "%s%s", first, second);
	prove_job_word(w, text);
}

static void live(const void *arg)
{
	const struct prove_job *job = arg;
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
static size_t read_all(int fd, pid_t pid, char out[static PROVE_OUTPUT_BYTES])
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	size_t len = 0;
	ssize_t n = 1;

	while (n > 0 && len + 1 < PROVE_OUTPUT_BYTES) {
		if (poll(&p, 1, PROVE_LIMIT_MS) != 1) {
			child_end(pid);
			break;
		}
		n = read(fd, out + len, PROVE_OUTPUT_BYTES - 1 - len);
		len += n > 0 ? (size_t)n : 0;
	}
	out[len] = '\0';
	return len;
}

/* Starts it; *pid_out and the end to read from, or -errno. */
int prove_job_start(struct prove_stage *stage, struct prove_job *job,
		    pid_t *pid_out)
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

int prove_job_wait(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The program's exit code, or -1. */
int prove_job_run(struct prove_stage *stage, struct prove_job *job,
		  char out[static PROVE_OUTPUT_BYTES])
{
	pid_t pid = -1;
	int fd = prove_job_start(stage, job, &pid);

	out[0] = '\0';
	if (fd < 0)
		return -1;
	(void)read_all(fd, pid, out);
	(void)close(fd);
	return prove_job_wait(pid);
}

void prove_job_environ(struct prove_job *job, const char *path)
{
	const char *home = getenv("HOME");

	(void)snprintf(job->texts[0], sizeof(job->texts[0]), "PATH=%.3000s",
		       path);
	(void)snprintf(job->texts[1], sizeof(job->texts[1]), "HOME=%.3000s",
		       home == NULL ? "/" : home);
	(void)snprintf(job->texts[2], sizeof(job->texts[2]),
		       PROVE_SECRET "=s3cr3t");
	for (int i = 0; i < 3; i++)
		job->environ[i] = job->texts[i];
	job->environ[3] = NULL;
}

const char *prove_job_path(void)
{
	const char *path = getenv("PATH");

	return path == NULL ? "/usr/bin:/bin" : path;
}

void prove_job_fence(struct prove_stage *stage, struct prove_words *words)
{
	static char run_word[] = "run", audit[] = "--audit";

	prove_job_word(words, stage->exeat);
	prove_job_word(words, run_word);
	prove_job_word(words, audit);
	prove_job_text(words, prove_stage_path(stage, "app/records.jsonl"), "");
}
