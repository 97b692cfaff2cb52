/* SPDX-License-Identifier: MIT */
/* plan_layers: sorts what was wanted into layers and drops what is idle. */
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "plan_internal.h"
#include "plan_view.h"

/* Of several entries for one path the strongest stays: what the user named
 * beats what we assume, hiding beats showing, the system's own mounts beat
 * all. */
static int strength(const struct plan_entry *e)
{
	switch (e->why) {
	case PLAN_FOR_SYSTEM:
		return e->access == PLAN_FOLDER ? 0 : 3;
	case PLAN_FOR_ETC:
		return e->access == PLAN_FILE ? 15 : 4;
	case PLAN_FOR_TOOL:
		return e->access == PLAN_LINK ? 1 : 5;
	case PLAN_FOR_PRIVATE:
		return 6;
	case PLAN_FOR_SECRET:
		return 7;
	case PLAN_FOR_PIN:
		return 2;
	case PLAN_FOR_GRANT:
		if (e->access == PLAN_LINK)
			return 1;
		return e->access == PLAN_WRITE ? 10 : 8;
	case PLAN_FOR_PROTECT:
		return 9;
	case PLAN_FOR_CWD:
		return 11;
	case PLAN_FOR_MOUNT:
		return 12;
	case PLAN_FOR_SOCKET:
		return e->access == PLAN_LINK ? 1 : 13;
	case PLAN_FOR_HIDE:
		return 14;
	case PLAN_FOR_OWN:
	case PLAN_FOR_KERNEL:
	case PLAN_FOR_EXEAT:
		break;
	}
	return 15;
}

static int compare(const void *a, const void *b)
{
	const struct plan_entry *left = a;
	const struct plan_entry *right = b;
	int order = path_compare(left->path, right->path);

	if (order != 0)
		return order;
	order = strength(right) - strength(left);
	if (order != 0)
		return order;
	order = (int)left->access - (int)right->access;
	if (order != 0 || left->source == NULL || right->source == NULL)
		return order;
	return strcmp(left->source, right->source);
}

static bool shows_host(const struct plan_entry *e)
{
	return e != NULL && (e->access == PLAN_READ || e->access == PLAN_WRITE);
}

/* @e shows exactly what @cover shows there anyway. */
static bool is_same_view(const struct plan_entry *e,
			 const struct plan_entry *cover)
{
	const char *rest = path_rest(e->path, cover->path);

	return path_is_within(e->source, cover->source) &&
	       strcmp(path_rest(e->source, cover->source), rest) == 0;
}

static bool is_idle_read(const struct plan_entry *e,
			 const struct plan_entry *cover)
{
	/* Read-only on purpose, inside something writable. */
	if (cover->access == PLAN_WRITE &&
	    (e->why == PLAN_FOR_PROTECT || e->why == PLAN_FOR_MOUNT))
		return false;
	/* The kernel's folders and a mount of another source. */
	return is_same_view(e, cover) && e->why != PLAN_FOR_KERNEL;
}

/* Would @e change anything, where @cover (or nothing, NULL) is shown? */
static bool is_idle(const struct plan_entry *e, const struct plan_entry *cover)
{
	switch (e->access) {
	case PLAN_READ:
		if (e->why == PLAN_FOR_PROTECT || e->why == PLAN_FOR_OWN)
			return cover == NULL || cover->access != PLAN_WRITE;
		return shows_host(cover) && is_idle_read(e, cover);
	case PLAN_WRITE:
		if (e->why == PLAN_FOR_PIN)
			return cover == NULL || cover->access != PLAN_WRITE;
		return cover != NULL && cover->access == PLAN_WRITE &&
		       is_same_view(e, cover);
	case PLAN_HIDE_FOLDER:
	case PLAN_HIDE_FILE:
		return !shows_host(cover) && e->why != PLAN_FOR_KERNEL;
	case PLAN_LINK:
	case PLAN_FOLDER:
		return cover != NULL && cover->access != PLAN_PRIVATE;
	case PLAN_PRIVATE:
	case PLAN_FILE:
	case PLAN_PROC:
	case PLAN_DEV:
	case PLAN_SEAL:
	case PLAN_SOCKET:
		break;
	}
	return false;
}

/* A mount point below something of the host must be there already: making one
 * would leave a folder behind on the host, or fail. */
static bool has_place(const struct planner *p, const struct plan_entry *e,
		      const struct plan_entry *cover)
{
	if (e->why != PLAN_FOR_MOUNT || !shows_host(cover) ||
	    strcmp(cover->path, cover->source) != 0)
		return true;
	for (size_t i = 0; i < p->facts->path_count; i++) {
		const struct fence_path *fp = &p->facts->paths[i];
		if (strcmp(fp->at, e->path) == 0)
			return fp->kind ==
			       (e->is_folder ? FENCE_FOLDER : FENCE_FILE);
	}
	return true;
}

/* Indices of the entries that hold the one being looked at, outermost first. */
struct stack {
	size_t *items;
	size_t count;
};

static const struct plan_entry *cover_of(struct stack *stack,
					 const struct plan_entry *entries,
					 const char *path)
{
	while (stack->count > 0 &&
	       !path_is_within(path,
			       entries[stack->items[stack->count - 1]].path))
		stack->count--;
	return stack->count == 0 ? NULL
				 : &entries[stack->items[stack->count - 1]];
}

/* What a folder of ours shows is decided by what lies in it. */
static bool is_cover(const struct plan_entry *e)
{
	return e->access != PLAN_FOLDER;
}

static void tell_masked(struct planner *p, const struct plan_entry *e)
{
	if (e->why == PLAN_FOR_SOCKET && e->access == PLAN_HIDE_FILE)
		plan_note(p, "a socket of the host is masked: %s", e->path);
}

/* Return: false: nothing was needed. */
static bool layer(struct planner *p, struct plan_entry *e, struct stack *stack)
{
	struct fence_plan *plan = p->plan;
	const struct plan_entry *cover =
		cover_of(stack, plan->entries, e->path);

	if (is_idle(e, cover))
		return false;
	if (!has_place(p, e, cover)) {
		plan_refuse(p,
			    "mount target %s: there is no such %s, and making "
			    "one would change the host: make it first",
			    e->path, e->is_folder ? "folder" : "file");
		return true;
	}
	e->is_over_host = shows_host(cover);
	if (arena_append(&plan->arena, &plan->entries, &plan->entry_count, e,
			 sizeof(*e)) != 0) {
		p->is_failed = true;
		return true;
	}
	tell_masked(p, e);
	if (is_cover(e))
		stack->items[stack->count++] = plan->entry_count - 1;
	return true;
}

/* The entries of one path, strongest first: one of them counts. Only a pin is
 * asked when a stronger one changed nothing: a grant of `.git` must not take
 * away what holds it in place. */
static void layer_path(struct planner *p, struct plan_entry *first,
		       const struct plan_entry *end, struct stack *stack)
{
	if (layer(p, first, stack))
		return;
	for (struct plan_entry *e = first + 1; e < end; e++)
		if (e->why == PLAN_FOR_PIN && layer(p, e, stack))
			return;
}

static void add_seal(struct planner *p, enum plan_why why, const char *path)
{
	struct fence_plan *plan = p->plan;
	const struct plan_entry entry = {
		.access = PLAN_SEAL, .why = why, .path = path};

	if (arena_append(&plan->arena, &plan->entries, &plan->entry_count,
			 &entry, sizeof(entry)) != 0)
		p->is_failed = true;
}

static void seal(struct planner *p)
{
	const struct fence_plan *plan = p->plan;
	bool is_host_root = plan->entry_count > 0 &&
			    shows_host(&plan->entries[0]) &&
			    strcmp(plan->entries[0].path, "/") == 0;

	if (p->facts->uid == 0)
		add_seal(p, PLAN_FOR_KERNEL, "/proc");
	if (!is_host_root)
		add_seal(p, PLAN_FOR_SYSTEM, "/");
}

void plan_layers(struct planner *p)
{
	struct stack stack = {
		.items = arena_alloc(&p->plan->arena,
				     (p->wanted_count + 1) *
					     sizeof(*stack.items)),
	};

	if (p->is_failed || stack.items == NULL) {
		p->is_failed = true;
		return;
	}
	qsort(p->wanted, p->wanted_count, sizeof(*p->wanted), compare);
	struct plan_entry *end = p->wanted + p->wanted_count;
	for (struct plan_entry *e = p->wanted; e < end;) {
		struct plan_entry *next = e + 1;
		while (next < end && strcmp(next->path, e->path) == 0)
			next++;
		layer_path(p, e, next, &stack);
		e = next;
	}
	seal(p);
}

bool plan_shows(const struct fence_plan *plan, const char *path)
{
	return plan_view(plan, path).is_read;
}
