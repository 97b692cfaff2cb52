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

void own_files_fill(struct own_files *own, const char *audit,
		    const char *policy)
{
	if (!run_state_folder(own->state))
		own->state[0] = '\0';
	runtime_folder(own->runtime);
	const char *const all[OWN_FILES_MAX] = {
		own->state,
		own->runtime,
		audit,
		policy,
	};
	size_t count = 0;

	for (int i = 0; i < OWN_FILES_MAX; i++)
		if (all[i] != NULL && all[i][0] != '\0')
			own->list[count++] = all[i];
	own->list[count] = NULL;
}
