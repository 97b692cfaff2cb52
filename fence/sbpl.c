/* SPDX-License-Identifier: MIT */
/* sbpl: a plan as a profile for macOS' Seatbelt. */
#include "sbpl.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "sbpl_internal.h"

/* PATH_MAX of macOS: a longer path is no path there, and what its compiler
 * makes of one is not known. */
#define MACOS_PATH_MAX 1024

void sbpl_refuse(struct sbpl *s, const char *format, ...)
{
	char text[DIAG_MAX_BYTES];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	diag_set(s->diag, "%s", text);
	s->is_failed = true;
}

const char *sbpl_real(struct sbpl *s, const char *path)
{
	static const struct {
		const char *link;
		const char *real;
	} links[] = {
		{"/tmp",  "/private/tmp"             },
		{"/var",  "/private/var"             },
		{"/etc",  "/private/etc"             },
		{"/home", "/System/Volumes/Data/home"},
	};

	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		if (!path_is_within(path, links[i].link))
			continue;
		const char *real = path_join(&s->arena, links[i].real,
					     path_rest(path, links[i].link));
		s->is_failed = s->is_failed || real == NULL;
		return real == NULL ? path : real;
	}
	return path;
}

/* In a string only the quote and the backslash mean something; every other
 * byte, a newline among them, stands for itself. */
static void quote(struct sbpl *s, const char *path)
{
	bytes_add_text(s->out, "\"");
	while (*path != '\0') {
		size_t plain = strcspn(path, "\"\\");
		bytes_add(s->out, path, plain);
		path += plain;
		if (*path == '\0')
			break;
		bytes_add_text(s->out, "\\");
		bytes_add(s->out, path, 1);
		path++;
	}
	bytes_add_text(s->out, "\"");
}

static size_t param_index(struct sbpl *s, const char *path)
{
	for (size_t i = s->param_count; i > 0; i--)
		if (strcmp(s->params[i - 1], path) == 0)
			return i - 1;
	if (arena_append(&s->arena, &s->params, &s->param_count, &path,
			 sizeof(path)) != 0)
		s->is_failed = true;
	return s->param_count - 1;
}

static void write_path(struct sbpl *s, const char *path)
{
	if (strlen(path) >= MACOS_PATH_MAX)
		sbpl_refuse(s, "%.64s...: is longer than a path on macOS",
			    path);
	if (s->has_params)
		bytes_addf(s->out, "(param \"P%zu\")", param_index(s, path));
	else
		quote(s, path);
}

void sbpl_filter(struct sbpl *s, unsigned int match, const char *path)
{
	if ((match & SBPL_LITERAL) != 0) {
		bytes_add_text(s->out, " (literal ");
		write_path(s, path);
		bytes_add_text(s->out, ")");
	}
	if ((match & SBPL_SUBPATH) != 0) {
		bytes_add_text(s->out, " (subpath ");
		write_path(s, path);
		bytes_add_text(s->out, ")");
	}
}

void sbpl_rule(struct sbpl *s, const char *head, unsigned int match,
	       const char *path)
{
	bytes_addf(s->out, "(%s", head);
	sbpl_filter(s, match, path);
	bytes_add_text(s->out, ")\n");
}

void sbpl_rules(struct sbpl *s, const char *head, unsigned int match,
		const char *const *paths)
{
	bytes_addf(s->out, "(%s", head);
	for (size_t i = 0; paths[i] != NULL; i++) {
		bytes_add_text(s->out, "\n ");
		sbpl_filter(s, match, paths[i]);
	}
	bytes_add_text(s->out, ")\n");
}

static void write_all(struct sbpl *s)
{
	bytes_add_text(s->out, "(version 1)\n(allow default)\n");
	sbpl_files(s);
	sbpl_network(s);
	sbpl_services(s);
}

static int finish(struct sbpl *s)
{
	int rc = s->is_failed || s->out->is_failed ? -1 : 0;

	if (rc != 0)
		diag_set(s->diag, "out of memory");
	arena_clear(&s->arena);
	return rc;
}

int sbpl_write(const struct fence_plan *plan, struct bytes *out,
	       struct diag *diag)
{
	struct sbpl s = {.plan = plan, .out = out, .diag = diag};

	write_all(&s);
	return finish(&s);
}

int sbpl_write_words(const struct fence_plan *plan, struct bytes *out,
		     struct diag *diag)
{
	struct bytes profile = {NULL, 0, 0, false};
	struct sbpl s = {
		.plan = plan,
		.out = &profile,
		.diag = diag,
		.has_params = true,
	};
	size_t len = 0;

	write_all(&s);
	for (size_t i = 0; i < s.param_count; i++) {
		bytes_add(out, "-D", 3);
		bytes_addf(out, "P%zu=%s", i, s.params[i]);
		bytes_add(out, "", 1);
	}
	char *text = bytes_take(&profile, &len);
	if (text == NULL) {
		s.is_failed = true;
	} else {
		bytes_add(out, "-p", 3);
		bytes_add(out, text, len + 1);
		free(text);
	}
	s.out = out;
	return finish(&s);
}
