/* SPDX-License-Identifier: MIT */
/* machine_links: the links that the way to exeat's own files goes through. */
#include "machine_internal.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "paths.h"

/* The kernel follows 40 (path_resolution(7)); a longer way is a circle. */
#define LINKS_MAX 40

/* A way that is being gone: @real has no link in it, @rest is still to go. */
struct way {
	struct fence_facts *facts;
	const char *real;
	const char *rest;
	unsigned int links;
};

static int add_link(struct way *way, const char *at)
{
	struct fence_facts *facts = way->facts;

	return arena_append(&facts->arena, &facts->own_links,
			    &facts->own_link_count, &at, sizeof(at));
}

/* @at is a link with @text in it: the way goes on from there. */
static int turn(struct way *way, const char *at, const char *text)
{
	struct arena *arena = &way->facts->arena;

	if (text[0] == '/')
		way->real = "/";
	way->rest = path_join(arena, text, way->rest);
	if (way->rest == NULL || ++way->links > LINKS_MAX)
		return way->rest == NULL ? -ENOMEM : -ELOOP;
	return add_link(way, at);
}

static int step(struct way *way)
{
	struct arena *arena = &way->facts->arena;
	size_t len = strcspn(way->rest, "/");
	const char *name = arena_strndup(arena, way->rest, len);
	char text[PATH_MAX];

	way->rest += len + strspn(way->rest + len, "/");
	if (name == NULL)
		return -ENOMEM;
	if (name[0] == '\0' || strcmp(name, ".") == 0)
		return 0;
	if (strcmp(name, "..") == 0) {
		way->real = path_parent(arena, way->real);
		return way->real == NULL ? -ENOMEM : 0;
	}
	const char *at = path_join(arena, way->real, name);
	if (at == NULL)
		return -ENOMEM;
	ssize_t n = readlink(at, text, sizeof(text) - 1);
	if (n > 0) {
		text[n] = '\0';
		return turn(way, at, text);
	}
	way->real = at;
	return 0;
}

int machine_fill_links(struct fence_facts *facts, const char *const *own)
{
	for (; own != NULL && *own != NULL; own++) {
		const struct fence_path *fp = fence_facts_find(facts, *own);
		struct way way = {facts, "/", *own, 0};
		int rc = 0;
		if (fp == NULL || strcmp(fp->path, fp->real) == 0)
			continue;
		while (rc == 0 && way.rest[0] != '\0')
			rc = step(&way);
		if (rc == -ENOMEM)
			return rc;
	}
	return 0;
}
