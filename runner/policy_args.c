/* SPDX-License-Identifier: MIT */
/* policy_args: the policy part of a command line, kept to be passed on. */
#include "policy_args.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

#define POLICY_FILE_MAX_BYTES (1U << 20)

int policy_args_init(struct policy_args *args, int argc, struct diag *diag)
{
	const char *home = getenv("HOME");

	*args = (struct policy_args){.conf = NULL};
	if (getcwd(args->cwd, sizeof(args->cwd)) == NULL) {
		diag_set(diag, "the working directory cannot be read: %s",
			 strerror(errno));
		return -1;
	}
	if (home != NULL && home[0] != '/')
		home = NULL;
	args->conf = conf_new(args->cwd, home);
	args->words = calloc((size_t)argc + 1, sizeof(*args->words));
	if (args->conf == NULL || args->words == NULL) {
		diag_set(diag, "out of memory");
		return -1;
	}
	return 0;
}

void policy_args_clear(struct policy_args *args)
{
	conf_free(args->conf);
	free(args->words);
	free(args->file_text);
	free(args->file_path);
	*args = (struct policy_args){.conf = NULL};
}

/* Read the whole file, or say why not; one byte over the limit tells. */
static int read_file(struct policy_args *args, int fd, struct diag *diag)
{
	char *text = malloc(POLICY_FILE_MAX_BYTES + 1);
	size_t len = 0;
	ssize_t n = 1;

	if (text == NULL) {
		diag_set(diag, "out of memory");
		return -1;
	}
	while (n > 0 && len <= POLICY_FILE_MAX_BYTES) {
		n = read(fd, text + len, POLICY_FILE_MAX_BYTES + 1 - len);
		if (n > 0)
			len += (size_t)n;
		else if (n < 0 && errno == EINTR)
			n = 1;
	}
	if (n < 0)
		diag_set(diag, "--policy %s: %s", args->file, strerror(errno));
	else if (len > POLICY_FILE_MAX_BYTES)
		diag_set(diag, "--policy %s: over 1 MiB, too much for a policy",
			 args->file);
	else {
		args->file_text = text;
		args->file_len = len;
		return 0;
	}
	free(text);
	return -1;
}

/* As it was written: a link on the way is looked at by the fence. */
static char *absolute(const struct policy_args *args, const char *file)
{
	char path[PATH_MAX];
	struct text t;

	text_init(&t, path, sizeof(path));
	if (file[0] != '/')
		text_addf(&t, "%s/", args->cwd);
	text_add(&t, file);
	return t.is_cut ? NULL : strdup(path);
}

static int take_file(struct policy_args *args, char *file, struct diag *diag)
{
	if (args->file != NULL) {
		diag_set(diag,
			 "--policy %s: one policy file at a time (%s is "
			 "given already); more rules go in flags",
			 file, args->file);
		return -1;
	}
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		diag_set(diag, "--policy %s: %s", file, strerror(errno));
		return -1;
	}
	args->file = file;
	args->file_path = absolute(args, file);
	if (args->file_path == NULL)
		diag_set(diag, "--policy %s: the path is too long", file);
	int rc = args->file_path == NULL ? -1 : read_file(args, fd, diag);
	(void)close(fd);
	if (rc != 0)
		return -1;
	return conf_add_file(args->conf, file, args->file_text, args->file_len,
			     diag);
}

static enum policy_args_result take_policy(struct policy_args *args, int argc,
					   char *argv[], int *used_out,
					   struct diag *diag)
{
	static const char with_value[] = "--policy=";
	char *file = argc > 1 ? argv[1] : NULL;
	int used = 2;

	if (strncmp(argv[0], with_value, sizeof(with_value) - 1) == 0) {
		file = argv[0] + sizeof(with_value) - 1;
		used = 1;
	}
	if (file == NULL || file[0] == '\0') {
		diag_set(diag, "--policy needs a file");
		return POLICY_ARGS_BAD;
	}
	if (take_file(args, file, diag) != 0)
		return POLICY_ARGS_BAD;
	*used_out = used;
	return POLICY_ARGS_TAKEN;
}

enum policy_args_result policy_args_take(struct policy_args *args, int argc,
					 char *argv[], int *used_out,
					 struct diag *diag)
{
	if (strcmp(argv[0], "--policy") == 0 ||
	    strncmp(argv[0], "--policy=", 9) == 0)
		return take_policy(args, argc, argv, used_out, diag);

	int used = 0;
	switch (conf_add_flag(args->conf, argc, argv, &used, diag)) {
	case CONF_FLAG_TAKEN:
		/* Values of variables are none of the proxy's business, and
		 * would show in its command line. */
		if (strncmp(argv[0], "--env", 5) != 0)
			for (int i = 0; i < used; i++)
				args->words[args->word_count++] = argv[i];
		*used_out = used;
		return POLICY_ARGS_TAKEN;
	case CONF_FLAG_UNKNOWN:
		return POLICY_ARGS_NOT_OURS;
	case CONF_FLAG_BAD:
		break;
	}
	return POLICY_ARGS_BAD;
}

struct policy *policy_args_build(struct policy_args *args, struct diag *diag)
{
	return conf_build(args->conf, diag);
}
