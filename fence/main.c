/* SPDX-License-Identifier: MIT */
/* main: exeat-fence prints what would be enforced, and does nothing. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "facts_text.h"
#include "fence_options.h"
#include "handoff.h"
#include "machine.h"
#include "words.h"

#ifdef __APPLE__
extern char **environ; /* POSIX leaves it to the program */
#endif

#define INPUT_MAX_BYTES ((size_t)4 * 1024 * 1024)

/**
 * struct job - all that one run holds
 * @protect:	the policy file, absolute, and a final NULL
 */
struct job {
	struct fence_options options;
	struct diag diag;
	struct fence_facts *facts;
	struct policy *policy;
	struct fence_plan *plan;
	struct fence_query query;
	char cwd[PATH_MAX];
	char policy_path[PATH_MAX + 2];
	const char *protect[2];
};

static const char usage[] =
	"usage: exeat-fence [--backend NAME] [-0] [FLAGS] [-- COMMAND]\n"
	"       exeat-fence --explain [--backend NAME] [FLAGS]\n"
	"\n"
	"Prints what would be enforced, for any system, and does nothing.\n"
	"\n"
	"  --backend NAME     %s\n"
	"  -0                 words end with a NUL and are exact\n"
	"  --explain          each guarantee: enforced, partly or not, and "
	"why\n"
	"  --print-facts      what was found out about this machine\n"
	"  --facts FILE       use these facts instead\n"
	"  --proxy-port PORT  of the proxy, on 127.0.0.1 inside\n"
	"  --init FILE        exeat-init, shown inside\n"
	"  --tmp-dir DIR      a private TMPDIR on the host (seatbelt)\n"
	"  --open LIST        services of macOS: trustd, terminals, browser\n"
	"  --policy FILE      policy file\n"
	"\n"
	"and the flags of a policy:\n"
	"%s";

static char *read_file(struct job *job, const char *path, size_t *len_out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text = fd < 0 ? NULL : malloc(INPUT_MAX_BYTES);
	size_t len = 0;
	ssize_t n = fd < 0 ? -1 : 1;

	while (text != NULL && n > 0 && len < INPUT_MAX_BYTES) {
		n = read(fd, text + len, INPUT_MAX_BYTES - len);
		len += n > 0 ? (size_t)n : 0;
	}
	if (n < 0 || text == NULL)
		diag_set(&job->diag, "%s: %s", path, strerror(errno));
	else if (n > 0)
		diag_set(&job->diag, "%s: is larger than 4 MiB", path);
	if (fd >= 0)
		(void)close(fd);
	if (n == 0) {
		*len_out = len;
		return text;
	}
	free(text);
	return NULL;
}

static int read_facts(struct job *job)
{
	const char *name = job->options.facts_file;
	size_t len;
	char *text = read_file(job, name, &len);

	if (text == NULL)
		return -1;
	job->facts = facts_text_read(name, text, len, &job->diag);
	free(text);
	return job->facts == NULL ? -1 : 0;
}

static int add_policy_file(struct job *job, struct conf *conf)
{
	const char *name = job->options.policy_file;
	const char *cwd =
		job->options.facts_file == NULL ? job->cwd : job->facts->cwd;
	size_t len;

	if (name == NULL)
		return 0;
	if (snprintf(job->policy_path, sizeof(job->policy_path), "%s%s%s",
		     name[0] == '/' ? "" : cwd, name[0] == '/' ? "" : "/",
		     name) >= (int)sizeof(job->policy_path)) {
		diag_set(&job->diag, "%s: is too long a path", name);
		return -1;
	}
	job->protect[0] = job->policy_path;
	char *text = read_file(job, name, &len);
	int rc = text == NULL ? -1
			      : conf_add_file(conf, job->policy_path, text, len,
					      &job->diag);
	free(text);
	return rc;
}

static int add_flags(struct job *job, struct conf *conf)
{
	char **words = job->options.policy_words;
	int left = job->options.policy_word_count;

	while (left > 0) {
		int used = 1;
		switch (conf_add_flag(conf, left, words, &used, &job->diag)) {
		case CONF_FLAG_TAKEN:
			break;
		case CONF_FLAG_UNKNOWN:
			diag_set(&job->diag,
				 "%s: is no flag: see exeat-fence --help",
				 words[0]);
			return -1;
		case CONF_FLAG_BAD:
			return -1;
		}
		words += used;
		left -= used;
	}
	return 0;
}

static int build_policy(struct job *job)
{
	const char *home = getenv("HOME");
	const char *cwd = job->cwd;

	if (job->facts != NULL) {
		home = job->facts->home;
		cwd = job->facts->cwd;
	}
	struct conf *conf = conf_new(cwd, home);
	if (conf == NULL) {
		diag_set(&job->diag, "out of memory");
		return -1;
	}
	if (add_policy_file(job, conf) == 0 && add_flags(job, conf) == 0)
		job->policy = conf_build(conf, &job->diag);
	conf_free(conf);
	return job->policy == NULL ? -1 : 0;
}

static int find_facts(struct job *job)
{
	job->query = (struct fence_query){
		.policy = job->policy,
		.home = getenv("HOME"),
		.search_path = getenv("PATH"),
		.command = job->options.command,
		.protect = job->protect,
	};
	if (job->facts == NULL)
		return machine_look(&job->query, &job->facts, &job->diag);
	if (facts_text_complete(job->facts, &job->query) == 0)
		return 0;
	diag_set(&job->diag, "out of memory");
	return -1;
}

static int make_plan(struct job *job)
{
	const struct fence_request request = {
		.query = &job->query,
		.init_path = job->options.init_path,
		.proxy_port = job->options.proxy_port,
		.environ = (const char *const *)environ,
		.tmp_dir = job->options.tmp_dir,
		.openings = job->options.openings,
	};

	if (job->options.facts_file != NULL && read_facts(job) != 0)
		return -1;
	if (job->options.facts_file == NULL &&
	    getcwd(job->cwd, sizeof(job->cwd)) == NULL) {
		diag_set(&job->diag, "the working directory: %s",
			 strerror(errno));
		return -1;
	}
	if (build_policy(job) != 0 || find_facts(job) != 0)
		return -1;
	job->plan =
		fence_plan_new(job->policy, job->facts, &request, &job->diag);
	return job->plan == NULL ? -1 : 0;
}

/* NUL-terminated words as lines. */
static void as_lines(const struct bytes *words, struct bytes *out)
{
	for (size_t at = 0; at < words->len;) {
		word_write_line(out, words->data + at);
		bytes_add_text(out, "\n");
		at += strlen(words->data + at) + 1;
	}
}

static int write_backend(struct job *job, const struct backend *backend,
			 struct bytes *out)
{
	struct bytes raw = {NULL, 0, 0, false};
	int rc = backend->write(job->plan, &raw, &job->diag);

	if (rc == 0 && backend->is_words && !job->options.has_nul_form)
		as_lines(&raw, out);
	else if (rc == 0)
		bytes_add(out, raw.data, raw.len);
	out->is_failed = out->is_failed || raw.is_failed;
	free(raw.data);
	return rc;
}

static int write_output(struct job *job, struct bytes *out)
{
	const struct backend *backend = backend_find(job->options.backend);

	if (backend == NULL) {
		diag_set(&job->diag, "--backend %s: is one of %s",
			 job->options.backend, backend_names());
		return -1;
	}
	if (make_plan(job) != 0)
		return -1;
	if (job->options.verb == FENCE_EXPLAIN)
		explain_write(backend, job->plan, out);
	else if (job->options.verb == FENCE_FACTS)
		facts_text_write(job->facts, out);
	else if (write_backend(job, backend, out) != 0)
		return -1;
	if (!out->is_failed)
		return 0;
	diag_set(&job->diag, "out of memory");
	return -1;
}

static void print_help(void)
{
	char flags[CONF_HELP_MAX_BYTES];

	conf_flags_help(flags, sizeof(flags));
	(void)printf(usage, backend_names(), flags);
}

static int run(struct job *job, int argc, char *argv[])
{
	struct bytes out = {NULL, 0, 0, false};
	int rc = fence_options_read(argc, argv, &job->options, &job->diag);

	if (rc == 0 && job->options.verb == FENCE_HELP)
		print_help();
	else if (rc == 0 && job->options.verb == FENCE_VERSION)
		(void)puts("exeat-fence " EXEAT_VERSION);
	else if (rc == 0)
		rc = write_output(job, &out);
	if (rc == 0 && out.len > 0)
		(void)fwrite(out.data, 1, out.len, stdout);
	free(out.data);
	if (rc == 0 && fflush(stdout) != 0) {
		diag_set(&job->diag, "standard output: %s", strerror(errno));
		rc = -1;
	}
	return rc;
}

int main(int argc, char *argv[])
{
	struct job job = {.options = {.backend = "plan"}};
	int rc = run(&job, argc - 1, argv + 1);

	if (rc != 0)
		(void)fprintf(stderr, "exeat-fence: %s\n", job.diag.text);
	fence_plan_free(job.plan);
	policy_free(job.policy);
	fence_facts_free(job.facts);
	free(job.options.policy_words);
	return rc == 0 ? 0 : EXIT_OWN_FAILURE;
}
