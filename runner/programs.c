/* SPDX-License-Identifier: MIT */
/* programs: where the other programs of a run are. */
#include "programs.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

/* The folder of the running program; never taken from argv[0], which the
 * caller chooses. */
static bool own_folder(char folder_out[static PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", folder_out, PATH_MAX - 1);

	if (n <= 0)
		return false;
	folder_out[n] = '\0';
	char *slash = strrchr(folder_out, '/');
	if (slash == NULL)
		return false;
	*slash = '\0';
	return true;
}

static bool join(char path_out[static PATH_MAX], const char *folder,
		 size_t folder_len, const char *name)
{
	struct text path;

	text_init(&path, path_out, PATH_MAX);
	text_add_bytes(&path, folder, folder_len);
	text_add(&path, "/");
	text_add(&path, name);
	return !path.is_cut && access(path_out, X_OK) == 0;
}

int programs_find_own(const char *name, char path_out[static PATH_MAX])
{
	char folder[PATH_MAX];

	if (!own_folder(folder))
		return -1;
	if (join(path_out, folder, strlen(folder), name))
		return 0;
	/* PREFIX/bin/exeat and PREFIX/libexec/exeat/NAME. */
	char *slash = strrchr(folder, '/');
	if (slash == NULL)
		return -1;
	*slash = '\0';
	struct text libexec;
	char below[PATH_MAX];
	text_init(&libexec, below, sizeof(below));
	text_add(&libexec, folder);
	text_add(&libexec, "/libexec/exeat");
	if (!libexec.is_cut && join(path_out, below, libexec.len, name))
		return 0;
	return -1;
}

static int find_on_path(const char *name, char path_out[static PATH_MAX])
{
	const char *path = getenv("PATH");

	if (path == NULL || path[0] == '\0')
		path = "/usr/local/bin:/usr/bin:/bin";
	while (*path != '\0') {
		size_t len = strcspn(path, ":");
		/* A relative entry would run what lies in the folder that the
		 * command may write to. */
		if (len > 0 && path[0] == '/' &&
		    join(path_out, path, len, name))
			return 0;
		path += len;
		path += *path == ':';
	}
	return -1;
}

int programs_find_bwrap(char path_out[static PATH_MAX])
{
	return find_on_path("bwrap", path_out);
}

int programs_find(struct programs *programs_out, struct diag *diag)
{
	if (programs_find_own("exeat-proxy", programs_out->proxy) != 0) {
		diag_set(diag, "exeat-proxy is neither beside exeat nor in "
			       "../libexec/exeat: install exeat again");
		return -1;
	}
	if (programs_find_own("exeat-init", programs_out->init) != 0) {
		diag_set(diag, "exeat-init is neither beside exeat nor in "
			       "../libexec/exeat: install exeat again");
		return -1;
	}
	if (programs_find_bwrap(programs_out->bwrap) != 0) {
		diag_set(diag,
			 "bubblewrap (bwrap) is not installed, and there "
			 "is no fence without it: install the package "
			 "bubblewrap (apt install bubblewrap, dnf install "
			 "bubblewrap, pacman -S bubblewrap, apk add "
			 "bubblewrap)");
		return -1;
	}
	return 0;
}
