/* SPDX-License-Identifier: MIT */
/* machine_interpreter: which program runs the command, where that is a script
 * outside the system. */
#include "machine_internal.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "fence_tables.h"
#include "paths.h"
#include "shebang.h"

/* What a distribution puts in its roots needs nothing from elsewhere, but
 * /usr/local is filled by hand. */
static bool is_of_the_system(const char *path)
{
	return fence_is_system_text(path) &&
	       !path_is_within(path, "/usr/local");
}

/* The next absolute entry of PATH from *@at on, with @name behind it; NULL at
 * the end. */
static const char *next_in_path(struct arena *arena, const char **at,
				const char *name)
{
	while (*at != NULL && **at != '\0') {
		const char *start = *at;
		size_t len = strcspn(start, ":");
		*at = start + len + (start[len] == ':');
		if (start[0] != '/')
			continue;
		const char *folder = arena_strndup(arena, start, len);
		return folder == NULL ? NULL : path_join(arena, folder, name);
	}
	return NULL;
}

static const char *find_in_path(struct arena *arena, const char *search_path,
				const char *name)
{
	const char *at = search_path;
	const char *path;

	while ((path = next_in_path(arena, &at, name)) != NULL)
		if (access(path, X_OK) == 0)
			return path;
	return NULL;
}

/* The command as it was looked up already; NULL: it is the system's. */
static const struct fence_path *find_command(struct fence_facts *facts,
					     const struct fence_query *query)
{
	struct arena *arena = &facts->arena;
	const char *command = query->command;
	const char *at = query->search_path;
	const char *path;

	if (command == NULL)
		return NULL;
	if (strchr(command, '/') != NULL) {
		path = command[0] == '/'
			       ? command
			       : path_join(arena, facts->cwd, command);
		return path == NULL ? NULL : fence_facts_find(facts, path);
	}
	while ((path = next_in_path(arena, &at, command)) != NULL) {
		const struct fence_path *fp = fence_facts_find(facts, path);
		if (fp != NULL && fp->kind == FENCE_FILE)
			return fp;
	}
	return NULL;
}

static const char *program_of(struct arena *arena, const char *script)
{
	char text[SHEBANG_MAX_BYTES];
	int fd = open(script, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text));

	if (fd >= 0)
		(void)close(fd);
	return len <= 0 ? NULL : shebang_program(arena, text, (size_t)len);
}

void machine_find_interpreter(struct fence_facts *facts,
			      const struct fence_query *query)
{
	const struct fence_path *command = find_command(facts, query);

	if (command == NULL || command->kind != FENCE_FILE ||
	    is_of_the_system(command->real))
		return;
	const char *program = program_of(&facts->arena, command->real);
	if (program != NULL && strchr(program, '/') == NULL)
		program = find_in_path(&facts->arena, query->search_path,
				       program);
	if (program != NULL && program[0] == '/' && !is_of_the_system(program))
		facts->interpreter = program;
}
