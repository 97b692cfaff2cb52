/* SPDX-License-Identifier: MIT */
/* own_files: which files of the host are exeat's own, and never the command's.
 */
#include "own_files.h"

#include <stddef.h>
#include <stdlib.h>

#include "run_files.h"
#include "text.h"

static void runtime_folder(char path_out[static PATH_MAX])
{
	const char *folder = getenv("XDG_RUNTIME_DIR");
	struct text path;

	text_init(&path, path_out, PATH_MAX);
	if (folder != NULL && folder[0] == '/')
		text_addf(&path, "%s/exeat", folder);
	if (path.is_cut)
		path_out[0] = '\0';
}

static size_t add(struct own_files *own, size_t count, const char *path)
{
	if (path != NULL && path[0] != '\0')
		own->list[count++] = path;
	return count;
}

void own_files_fill(struct own_files *own, const char *audit,
		    const char *policy)
{
	if (!run_state_folder(own->state))
		own->state[0] = '\0';
	runtime_folder(own->runtime);
	size_t count = add(own, 0, own->state);
	count = add(own, count, own->runtime);
	count = add(own, count, audit);
	count = add(own, count, policy);
	own->list[count] = NULL;
}
