/* SPDX-License-Identifier: MIT */
/* script: a program given as text, from its file to the words that run it. */
#include "script.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "text.h"

/* The kernel reads no more of a first line (BINPRM_BUF_SIZE). */
#define FIRST_LINE_BYTES 256

void script_init(struct script *script)
{
	*script = (struct script){.text = NULL};
}

void script_clear(struct script *script)
{
	free(script->text);
	free((void *)script->command);
	free(script->tool);
	script_init(script);
}

static int read_all(struct script *script, int fd)
{
	size_t size = 4096;
	ssize_t n = 1;

	while (n != 0 && script->len <= SCRIPT_MAX_BYTES) {
		if (script->text == NULL || script->len == size) {
			size *= 2;
			char *more = realloc(script->text, size);
			if (more == NULL)
				return -ENOMEM;
			script->text = more;
		}
		n = read(fd, script->text + script->len, size - script->len);
		if (n > 0)
			script->len += (size_t)n;
		else if (n < 0 && errno != EINTR)
			return -errno;
	}
	return script->len > SCRIPT_MAX_BYTES ? -EFBIG : 0;
}

static int read_file(struct script *script, const char *file, struct diag *diag)
{
	int fd = STDIN_FILENO;
	int rc;

	script->was_input = strcmp(file, "-") == 0;
	if (!script->was_input)
		fd = open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	rc = fd < 0 ? -errno : read_all(script, fd);
	if (fd > STDERR_FILENO)
		(void)close(fd);
	if (rc == -EFBIG)
		diag_set(diag,
			 "--script %s: over 16 MiB, too much for a script",
			 file);
	else if (rc != 0)
		diag_set(diag, "--script %s: %s", file, strerror(-rc));
	else if (script->len == 0)
		diag_set(diag, "--script %s: it is empty", file);
	else
		return 0;
	return -1;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

/* Its own name: messages show it, and some interpreters go by its end. */
static void name_inside(struct script *script, const char *file)
{
	const char *name = base_name(file);
	struct text path;

	if (script->was_input || name[0] == '\0' || strcmp(name, ".") == 0 ||
	    strcmp(name, "..") == 0 || strlen(name) > NAME_MAX)
		name = "script";
	text_init(&path, script->path, sizeof(script->path));
	text_add(&path, SCRIPT_FOLDER);
	text_add(&path, name);
}

static bool is_shell(const char *program)
{
	static const char *const shells[] = {"sh",  "bash", "dash", "ash",
					     "ksh", "mksh", "zsh"};
	const char *name = base_name(program);

	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
		if (strcmp(name, shells[i]) == 0)
			return true;
	return false;
}

/* The program of a first line "#! /usr/bin/env python3", or NULL: none. */
static char *first_line_program(const struct script *script)
{
	char line[FIRST_LINE_BYTES];
	size_t len =
		script->len < sizeof(line) - 1 ? script->len : sizeof(line) - 1;

	if (len < 2 || memcmp(script->text, "#!", 2) != 0)
		return NULL;
	memcpy(line, script->text, len);
	line[len] = '\0';
	char *at = line + 2 + strspn(line + 2, " \t");
	at[strcspn(at, " \t\r\n")] = '\0';
	return strdup(at);
}

static int fill_command(struct script *script,
			const struct script_request *request)
{
	static char dash_s[] = "-s", end[] = "--";
	size_t words = 0;

	while (request->words[words] != NULL)
		words++;
	char **at = calloc(words + 5, sizeof(*at));
	if (at == NULL)
		return -1;
	script->command = at;
	if (script->is_input) {
		*at++ = script->tool;
		*at++ = dash_s;
		*at++ = end;
	} else {
		if (request->interpreter != NULL)
			*at++ = script->tool;
		*at++ = script->path;
	}
	memcpy((void *)at, (const void *)request->words, words * sizeof(*at));
	return 0;
}

int script_load(struct script *script, const struct script_request *request,
		struct diag *diag)
{
	if (read_file(script, request->file, diag) != 0)
		return -1;
	char *named = first_line_program(script);
	if (request->interpreter != NULL) {
		free(named);
		script->tool = strdup(request->interpreter);
		script->is_input = is_shell(request->interpreter);
	} else if (named != NULL) {
		script->tool = named;
	} else {
		script->tool = strdup("sh");
		script->is_input = true;
	}
	if (!script->is_input)
		name_inside(script, request->file);
	if (script->tool == NULL || fill_command(script, request) != 0) {
		diag_set(diag, "out of memory");
		return -1;
	}
	return 0;
}

int script_place_input(const struct script *script)
{
	int rc = 0;
	int fd;

	if (!script->is_input && !script->was_input)
		return 0;
	if (script->is_input)
		fd = memfd_create("script", MFD_CLOEXEC);
	else
		fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (script->is_input &&
	    (write(fd, script->text, script->len) != (ssize_t)script->len ||
	     lseek(fd, 0, SEEK_SET) != 0))
		rc = -EIO;
	if (rc == 0 && dup2(fd, STDIN_FILENO) < 0)
		rc = -errno;
	(void)close(fd);
	return rc;
}
