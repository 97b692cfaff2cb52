/* SPDX-License-Identifier: MIT */
/* options: the command line of exeat-proxy, and the policy it makes. */
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conf.h"
#include "handoff.h"
#include "policy.h"

#define POLICY_FILE_MAX_BYTES (1U << 20)

/**
 * struct reading - one pass over the command line
 * @argc:	words left, from @argv on
 */
struct reading {
	struct options options;
	struct conf *conf;
	int argc;
	char **argv;
	struct diag *diag;
};

/* Return: 0, or -errno; -EFBIG: more than a policy may have. */
static int read_all(int fd, char *text, size_t *len_out)
{
	size_t len = 0;
	ssize_t n = 1;

	while (n > 0 && len <= POLICY_FILE_MAX_BYTES) {
		n = read(fd, text + len, POLICY_FILE_MAX_BYTES + 1 - len);
		if (n > 0)
			len += (size_t)n;
		else if (n < 0 && errno == EINTR)
			n = 1;
	}
	if (n < 0)
		return -errno;
	*len_out = len;
	return len > POLICY_FILE_MAX_BYTES ? -EFBIG : 0;
}

/* Started by exeat, the text comes from a descriptor: runner and proxy cannot
 * see two versions of it. */
static int open_file(const struct reading *reading, const char *name)
{
	if (reading->options.run != NULL)
		return dup(HANDOFF_FD_POLICY);
	return open(name, O_RDONLY | O_CLOEXEC);
}

static int add_file(struct reading *reading, const char *name)
{
	char *text = malloc(POLICY_FILE_MAX_BYTES + 1);
	size_t len = 0;
	int result = -1;

	int fd = text != NULL ? open_file(reading, name) : -1;
	int rc = fd >= 0 ? read_all(fd, text, &len) : -errno;
	if (rc != 0)
		diag_set(reading->diag, "%s: %s", name, strerror(-rc));
	else
		result = conf_add_file(reading->conf, name, text, len,
				       reading->diag);
	if (fd >= 0)
		(void)close(fd);
	free(text);
	return result;
}

/* "--name VALUE" or "--name=VALUE". Return: words used, 0: another option,
 * -1: the value is missing. */
static int match(struct reading *reading, const char *name, char **value_out)
{
	size_t len = strlen(name);
	char *word = reading->argv[0];

	if (strncmp(word, name, len) != 0)
		return 0;
	if (word[len] == '=') {
		*value_out = word + len + 1;
		return 1;
	}
	if (word[len] != '\0')
		return 0;
	if (reading->argc < 2) {
		diag_set(reading->diag, "%s needs a value", name);
		return -1;
	}
	*value_out = reading->argv[1];
	return 2;
}

static int take_listen(struct reading *reading, const char *where)
{
	struct options *options = &reading->options;

	if (options->listen_count == OPTIONS_LISTEN_MAX) {
		diag_set(reading->diag, "--listen-on: at most %d of them",
			 OPTIONS_LISTEN_MAX);
		return -1;
	}
	options->listen[options->listen_count++] = where;
	return 0;
}

static int take_file(struct reading *reading, const char *name)
{
	struct options *options = &reading->options;

	if (options->file_count == OPTIONS_FILES_MAX) {
		diag_set(reading->diag, "%s: at most %d policy files", name,
			 OPTIONS_FILES_MAX);
		return -1;
	}
	options->files[options->file_count++] = name;
	return add_file(reading, name);
}

static bool take_switch(struct reading *reading)
{
	const struct {
		const char *name;
		bool *is_on;
	} switches[] = {
		{"--help",    &reading->options.wants_help   },
		{"-h",        &reading->options.wants_help   },
		{"--version", &reading->options.wants_version},
		{"--check",   &reading->options.is_check     },
		{"--verbose", &reading->options.is_verbose   },
	};

	for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++) {
		if (strcmp(reading->argv[0], switches[i].name) != 0)
			continue;
		*switches[i].is_on = true;
		return true;
	}
	return false;
}

/* Return: words used; 0: not an option of ours; -1: wrong. */
static int take_own(struct reading *reading)
{
	struct options *options = &reading->options;
	char *value = NULL;
	int used;

	if (take_switch(reading))
		return 1;
	used = match(reading, "--handoff", &value);
	if (used > 0)
		options->run = value;
	if (used != 0)
		return used;
	used = match(reading, "--listen-on", &value);
	if (used > 0 && take_listen(reading, value) != 0)
		return -1;
	if (used != 0)
		return used;
	used = match(reading, "--audit", &value);
	if (used > 0 && strcmp(value, "-") == 0) {
		options->audit_stdout = true;
		return used;
	}
	used = match(reading, "--policy", &value);
	if (used == 0)
		used = match(reading, "--config", &value);
	if (used > 0 && take_file(reading, value) != 0)
		return -1;
	return used;
}

static int take_flag(struct reading *reading)
{
	int used = take_own(reading);

	if (used != 0)
		return used;
	switch (conf_add_flag(reading->conf, reading->argc, reading->argv,
			      &used, reading->diag)) {
	case CONF_FLAG_TAKEN:
		return used;
	case CONF_FLAG_UNKNOWN:
		diag_set(reading->diag,
			 "%s: unknown option; exeat-proxy --help lists them",
			 reading->argv[0]);
		return -1;
	case CONF_FLAG_BAD:
		break;
	}
	return -1;
}

static bool is_informative(const struct options *options)
{
	return options->wants_help || options->wants_version;
}

static int read_words(struct reading *reading)
{
	while (reading->argc > 0 && !is_informative(&reading->options)) {
		int used = take_flag(reading);

		if (used < 0)
			return -1;
		reading->argc -= used;
		reading->argv += used;
	}
	return 0;
}

/* Going round an upstream proxy that was asked for, or speaking to it without
 * the TLS that was asked for, would be worse than not starting. */
static struct policy *build(struct conf *conf, struct diag *diag)
{
	struct policy *policy = conf_build(conf, diag);

	if (policy != NULL && policy->upstream.url != NULL &&
	    strncmp(policy->upstream.url, "https:", 6) == 0) {
		diag_set(diag, "upstream.url: TLS to the upstream proxy is not "
			       "served by this version; use http://, or leave "
			       "it out to connect directly");
		policy_free(policy);
		return NULL;
	}
	return policy;
}

int options_parse(int argc, char *argv[], struct options *options_out,
		  struct policy **policy_out, struct diag *diag)
{
	struct reading reading = {
		.argc = argc - 1, .argv = argv + 1, .diag = diag};
	const char *home = getenv("HOME");
	char cwd[PATH_MAX];
	int rc = -1;

	if (getcwd(cwd, sizeof(cwd)) == NULL) {
		diag_set(diag, "the working directory cannot be read: %s",
			 strerror(errno));
		return -1;
	}
	if (home != NULL && home[0] != '/')
		home = NULL;
	reading.conf = conf_new(cwd, home);
	if (reading.conf == NULL)
		diag_set(diag, "out of memory");
	else
		rc = read_words(&reading);
	if (rc == 0 && !is_informative(&reading.options)) {
		struct policy *policy = build(reading.conf, diag);

		if (policy != NULL)
			*policy_out = policy;
		else
			rc = -1;
	}
	conf_free(reading.conf);
	*options_out = reading.options;
	return rc;
}

struct policy *options_build_policy(int argc, char *argv[], struct diag *diag)
{
	struct options options;
	struct policy *policy = NULL;

	if (options_parse(argc, argv, &options, &policy, diag) != 0)
		return NULL;
	return policy;
}
