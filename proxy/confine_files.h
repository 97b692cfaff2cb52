/* SPDX-License-Identifier: MIT */
/* confine_files: Landlock: which files may still be opened; inside confine. */
#ifndef CONFINE_FILES_H
#define CONFINE_FILES_H

struct confine_settings;

/** confine_files() - Return: 0, also where there is no Landlock; -errno. */
int confine_files(const struct confine_settings *settings)
	__attribute__((warn_unused_result));

#endif
