/* SPDX-License-Identifier: MIT */
/* prove_job: one run of a program on the stage, with its output read. */
#ifndef PROVE_JOB_H
#define PROVE_JOB_H

#include <sys/types.h>

#include "prove_stage.h"

/* A word for each case, and those of the fence. */
#define PROVE_TEXTS_MAX    (PROVE_MAX + 16)
#define PROVE_WORDS_MAX    128

#define PROVE_OUTPUT_BYTES 16384
#define PROVE_LIMIT_MS     20000

/** struct prove_words - a command line in the making; @texts holds what was put
 * together */
struct prove_words {
	char *items[PROVE_WORDS_MAX];
	size_t count;
	char texts[PROVE_TEXTS_MAX][PROVE_VALUE_MAX + 32];
	size_t text_count;
};

/** struct prove_job - starts zeroed */
struct prove_job {
	struct prove_words words;
	char *environ[4];
	char texts[3][PATH_MAX];
	const char *cwd;
	int out;
	int secret;
	int quiet;
};

/** prove_job_word() - add a word that lasts as long as the job */
void prove_job_word(struct prove_words *words, char *word);

/** prove_job_text() - add @first and @second as one word */
void prove_job_text(struct prove_words *words, const char *first,
		    const char *second);

/** prove_job_fence() - add `exeat run`, with its records on the stage */
void prove_job_fence(struct prove_stage *stage, struct prove_words *words);

/** prove_job_environ() - @path as PATH, HOME (exeat's own folder is found by
 * it), and the secret */
void prove_job_environ(struct prove_job *job, const char *path);

/** prove_job_path() - the caller's PATH */
const char *prove_job_path(void);

/** prove_job_start() - in ROOT/app; Return: where its output comes from, with
 * *pid_out set, or -errno. */
int prove_job_start(struct prove_stage *stage, struct prove_job *job,
		    pid_t *pid_out);

/** prove_job_wait() - Return: the exit code, or -1 */
int prove_job_wait(pid_t pid);

/** prove_job_run() - all of it; Return: the exit code, or -1 */
int prove_job_run(struct prove_stage *stage, struct prove_job *job,
		  char out[static PROVE_OUTPUT_BYTES]);

#endif
