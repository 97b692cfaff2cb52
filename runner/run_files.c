/* SPDX-License-Identifier: MIT */
/* run_files: the run's name and its audit file, opened before anything runs. */
#include "run_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

int run_id_make(uint64_t now_ms, char id_out[static AUDIT_RUN_ID_BYTES])
{
	time_t now = (time_t)(now_ms / 1000);
	struct tm utc;
	uint32_t salt;
	char when[20];

	if (getrandom(&salt, sizeof(salt), 0) != (ssize_t)sizeof(salt))
		return -errno;
	if (gmtime_r(&now, &utc) == NULL ||
	    strftime(when, sizeof(when), "%Y%m%dT%H%M%S", &utc) == 0)
		return -EINVAL;
	(void)snprintf(id_out, AUDIT_RUN_ID_BYTES, "%.15s.%03uZ-%08x", when,
		       (unsigned int)(now_ms % 1000), salt);
	return 0;
}

/* Make every missing folder of @path (its last part is a file), for us alone.
 */
static int make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		int rc = mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : -errno;
		*slash = '/';
		if (rc != 0)
			return rc;
	}
	return 0;
}

bool run_state_folder(char path_out[static PATH_MAX])
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	struct text path;

	text_init(&path, path_out, PATH_MAX);
	/* The XDG base directory specification: a relative path is ignored. */
	if (state != NULL && state[0] == '/')
		text_add(&path, state);
	else if (home != NULL && home[0] == '/')
		text_addf(&path, "%s/.local/state", home);
	else
		return false;
	text_add(&path, "/exeat");
	return !path.is_cut;
}

bool run_files_folder(char path_out[static PATH_MAX])
{
	struct text path = {.buf = path_out, .size = PATH_MAX};

	if (!run_state_folder(path_out))
		return false;
	path.len = strlen(path_out);
	text_add(&path, "/runs");
	return !path.is_cut;
}

static bool default_path(const char *run, char path_out[static PATH_MAX])
{
	char folder[PATH_MAX];
	struct text path;

	if (!run_files_folder(folder))
		return false;
	text_init(&path, path_out, PATH_MAX);
	text_addf(&path, "%s/%s.jsonl", folder, run);
	return !path.is_cut;
}

static int open_file(char *path, int extra)
{
	return open(path,
		    O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW |
			    O_NONBLOCK | extra,
		    0600);
}

int run_audit_open(const char *file, const char *run,
		   char path_out[static PATH_MAX], struct diag *diag)
{
	int extra = 0;

	if (file != NULL) {
		struct text path;
		text_init(&path, path_out, PATH_MAX);
		text_add(&path, file);
		if (path.is_cut) {
			diag_set(diag, "audit.file: the path is too long");
			return -1;
		}
	} else if (!default_path(run, path_out)) {
		diag_set(diag,
			 "no place for the audit records: set HOME or "
			 "XDG_STATE_HOME, or name a file with --audit FILE");
		return -1;
	} else {
		extra = O_EXCL;
	}

	int fd = open_file(path_out, extra);
	if (fd < 0 && errno == ENOENT && file == NULL) {
		int rc = make_folders(path_out);
		if (rc != 0) {
			diag_set(diag,
				 "%s: cannot make its folders: %s; name "
				 "another file with --audit FILE",
				 path_out, strerror(-rc));
			return -1;
		}
		fd = open_file(path_out, extra);
	}
	if (fd < 0)
		diag_set(diag,
			 "%s: cannot write audit records there: %s; "
			 "name another file with --audit FILE",
			 path_out,
			 errno == ELOOP ? "it is a symbolic link"
					: strerror(errno));
	return fd;
}
