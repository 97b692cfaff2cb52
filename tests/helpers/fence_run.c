/* SPDX-License-Identifier: MIT */
/* fence_run: raises the files part of a fence around a command, for tests:
 * fence_run [POLICY-FLAGS] -- COMMAND..., or --time N: how long N plans take */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "bwrap_argv.h"
#include "conf.h"
#include "machine.h"
#include "text.h"

#define FIRST_FD   10
#define ARGS_FD    9
#define PROXY_PORT 17080

static void fail(const char *what)
{
	(void)fprintf(stderr, "fence_run: %s\n", what);
	exit(125);
}

static void place(int fd, const void *bytes, size_t len)
{
	int made = memfd_create("data", MFD_CLOEXEC);

	if (made < 0 || write(made, bytes, len) != (ssize_t)len ||
	    lseek(made, 0, SEEK_SET) != 0 || dup2(made, fd) < 0)
		fail("cannot place a file");
	(void)close(made);
}

static void place_file(int fd, const struct plan_file *file)
{
	if (file->source == NULL) {
		place(fd, file->bytes, file->len);
		return;
	}
	int opened = open(file->source, O_RDONLY | O_CLOEXEC);
	if (opened < 0 || dup2(opened, fd) < 0)
		fail(file->source);
	(void)close(opened);
}

static struct policy *read_policy(int *argc, char ***argv, struct diag *diag)
{
	char cwd[PATH_MAX];
	struct conf *conf = NULL;
	int used = 1;

	if (getcwd(cwd, sizeof(cwd)) != NULL)
		conf = conf_new(cwd, getenv("HOME"));
	while (conf != NULL && *argc > 0 && strcmp((*argv)[0], "--") != 0) {
		if (conf_add_flag(conf, *argc, *argv, &used, diag) !=
		    CONF_FLAG_TAKEN)
			fail(diag->text[0] == '\0' ? (*argv)[0] : diag->text);
		*argc -= used;
		*argv += used;
	}
	struct policy *policy = conf == NULL ? NULL : conf_build(conf, diag);
	conf_free(conf);
	if (policy == NULL)
		fail(diag->text);
	return policy;
}

static void take_time(const struct fence_query *query,
		      const struct fence_request *request, unsigned int rounds)
{
	struct timespec start;
	struct timespec end;
	struct diag diag = {""};

	(void)clock_gettime(CLOCK_MONOTONIC, &start);
	for (unsigned int i = 0; i < rounds; i++) {
		struct fence_facts *facts = NULL;
		char *bytes = NULL;
		size_t len;
		if (machine_look(query, &facts, &diag) != 0)
			fail(diag.text);
		struct fence_plan *plan =
			fence_plan_new(query->policy, facts, request, &diag);
		if (plan == NULL ||
		    bwrap_argv_write(plan, BWRAP_WHOLE, FIRST_FD, &bytes,
				     &len) != 0)
			fail(diag.text);
		free(bytes);
		fence_plan_free(plan);
		fence_facts_free(facts);
	}
	(void)clock_gettime(CLOCK_MONOTONIC, &end);
	double us = (double)(end.tv_sec - start.tv_sec) * 1e6 +
		    (double)(end.tv_nsec - start.tv_nsec) / 1e3;
	(void)printf("%.1f us\n", us / rounds);
}

static void run(const struct fence_plan *plan, char **command)
{
	char *bytes;
	size_t len;
	size_t words = 0;
	char *nothing[] = {NULL};

	while (command[words] != NULL)
		words++;
	char **argv = calloc(words + 5, sizeof(*argv));
	if (argv == NULL ||
	    bwrap_argv_write(plan, BWRAP_WHOLE, FIRST_FD, &bytes, &len) != 0)
		fail("out of memory");
	for (size_t i = 0; i < plan->file_count; i++)
		place_file(FIRST_FD + (int)i, &plan->files[i]);
	place(ARGS_FD, bytes, len);
	argv[0] = strdup("bwrap");
	argv[1] = strdup("--args");
	argv[2] = strdup("9");
	argv[3] = strdup("--");
	memcpy(argv + 4, command, words * sizeof(*command));
	(void)execvpe("bwrap", argv, nothing);
	fail(strerror(errno));
}

int main(int argc, char *argv[])
{
	struct diag diag = {""};
	uint64_t rounds = 0;

	argc--;
	argv++;
	if (argc > 1 && strcmp(argv[0], "--time") == 0) {
		if (!text_parse_decimal(argv[1], strlen(argv[1]), 1000000,
					&rounds))
			fail("--time N");
		argc -= 2;
		argv += 2;
	}
	struct policy *policy = read_policy(&argc, &argv, &diag);
	if (argc < 2)
		fail("no command");
	const struct fence_query query = {
		.policy = policy,
		.home = getenv("HOME"),
		.search_path = getenv("PATH"),
		.command = argv[1],
	};
	const struct fence_request request = {
		.query = &query,
		.proxy_port = PROXY_PORT,
		.environ = (const char *const *)environ,
	};
	if (rounds > 0) {
		take_time(&query, &request, (unsigned int)rounds);
		return 0;
	}
	struct fence_facts *facts;
	if (machine_look(&query, &facts, &diag) != 0)
		fail(diag.text);
	struct fence_plan *plan =
		fence_plan_new(policy, facts, &request, &diag);
	if (plan == NULL)
		fail(diag.text);
	for (size_t i = 0; i < plan->note_count; i++)
		(void)fprintf(stderr, "note: %s\n", plan->notes[i]);
	run(plan, argv + 1);
}
