/* SPDX-License-Identifier: MIT */
/* facts_text: facts as text, read and written. */
#include "facts_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "paths.h"
#include "text.h"
#include "words.h"

#define WORDS_MAX 4

/* @words[0] is the line's first word; @count of them. */
struct line {
	struct fence_facts *facts;
	char *words[WORDS_MAX];
	size_t count;
};

static const struct {
	const char *word;
	enum fence_kind kind;
} kinds[] = {
	{"unknown", FENCE_UNKNOWN},
        {"file",    FENCE_FILE   },
	{"linked",  FENCE_FILE   },
        {"folder",  FENCE_FOLDER },
	{"empty",   FENCE_FOLDER },
        {"socket",  FENCE_SOCKET },
	{"other",   FENCE_OTHER  },
};

#define KIND_COUNT (sizeof(kinds) / sizeof(kinds[0]))

static bool set_id(const struct line *line, const char **name, uint32_t *id)
{
	uint64_t value;

	if (line->count != 3 ||
	    !text_parse_decimal(line->words[2], strlen(line->words[2]),
				UINT32_MAX, &value))
		return false;
	*name = line->words[1];
	*id = (uint32_t)value;
	return true;
}

static bool is_path(const char *word)
{
	return word[0] == '/';
}

static bool set_path(const struct line *line, const char **path)
{
	if (line->count != 2 || !is_path(line->words[1]))
		return false;
	*path = line->words[1];
	return true;
}

static bool add_string(struct fence_facts *facts, const char *const **list,
		       size_t *count, const char *s)
{
	return arena_append(&facts->arena, list, count, &s, sizeof(s)) == 0;
}

static bool take_path(const struct line *line, bool is_link)
{
	struct fence_facts *facts = line->facts;
	const char *kind = line->words[1];

	if (line->count < 3 || !is_path(line->words[2]) ||
	    (line->count == 4 && !is_path(line->words[3])))
		return false;
	const char *real = line->words[line->count - 1];
	struct fence_path fp = {
		.path = line->words[2],
		.at = is_link ? line->words[2] : real,
		.real = real,
		.is_empty = strcmp(kind, "empty") == 0,
		.has_other_name = strcmp(kind, "linked") == 0,
	};
	for (size_t i = 0; i < KIND_COUNT; i++)
		if (strcmp(kinds[i].word, kind) == 0)
			fp.kind = kinds[i].kind;
	return fp.kind != FENCE_ABSENT &&
	       arena_append(&facts->arena, &facts->paths, &facts->path_count,
			    &fp, sizeof(fp)) == 0;
}

static bool take_mount(const struct line *line)
{
	struct fence_facts *facts = line->facts;

	if (line->count != 4 || !is_path(line->words[2]) ||
	    !is_path(line->words[3]))
		return false;
	const struct fence_mount mount = {
		.device = line->words[1],
		.root = line->words[2],
		.point = line->words[3],
	};
	return arena_append(&facts->arena, &facts->mounts, &facts->mount_count,
			    &mount, sizeof(mount)) == 0;
}

static bool take_landlock(const struct line *line)
{
	uint64_t abi;

	if (line->count != 2 ||
	    !text_parse_decimal(line->words[1], strlen(line->words[1]), 1000,
				&abi))
		return false;
	line->facts->landlock_abi = (unsigned int)abi;
	return true;
}

static bool take_listed(const struct line *line, const char *const **list,
			size_t *count)
{
	return line->count == 2 && is_path(line->words[1]) &&
	       add_string(line->facts, list, count, line->words[1]);
}

static bool take(const struct line *line)
{
	struct fence_facts *f = line->facts;
	const char *key = line->words[0];

	if (strcmp(key, "user") == 0)
		return set_id(line, &f->user, &f->uid);
	if (strcmp(key, "group") == 0)
		return set_id(line, &f->group, &f->gid);
	if (strcmp(key, "home") == 0)
		return set_path(line, &f->home);
	if (strcmp(key, "account-home") == 0)
		return set_path(line, &f->account_home);
	if (strcmp(key, "cwd") == 0)
		return set_path(line, &f->cwd);
	if (strcmp(key, "landlock") == 0)
		return take_landlock(line);
	if (strcmp(key, "path") == 0)
		return take_path(line, true);
	if (strcmp(key, "real") == 0)
		return line->count == 4 && take_path(line, false);
	if (strcmp(key, "socket") == 0)
		return take_listed(line, &f->sockets, &f->socket_count);
	if (strcmp(key, "interpreter") == 0)
		return set_path(line, &f->interpreter);
	if (strcmp(key, "own-link") == 0)
		return take_listed(line, &f->own_links, &f->own_link_count);
	return strcmp(key, "mount") == 0 && take_mount(line);
}

/* Words of a line; false where there are too many or one is malformed. */
static bool split(struct line *line, const char *text, size_t len)
{
	const char *end = text + len;

	for (line->count = 0; text < end;) {
		const char *space = memchr(text, ' ', (size_t)(end - text));
		const char *stop = space == NULL ? end : space;
		if (line->count == WORDS_MAX || stop == text)
			return false;
		char *word = word_read(&line->facts->arena, text,
				       (size_t)(stop - text));
		if (word == NULL)
			return false;
		line->words[line->count++] = word;
		text = space == NULL ? end : space + 1;
	}
	return line->count > 0;
}

static bool read_lines(struct fence_facts *facts, const char *name,
		       const char *text, size_t len, struct diag *diag)
{
	const char *end = text + len;
	unsigned int number = 0;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline == NULL ? end : newline;
		struct line line = {.facts = facts};
		number++;
		if (stop > text && text[0] != '#' &&
		    (!split(&line, text, (size_t)(stop - text)) ||
		     !take(&line))) {
			diag_set(diag, "%s:%u: is not a fact", name, number);
			return false;
		}
		text = newline == NULL ? end : newline + 1;
	}
	if (facts->cwd == NULL || facts->user == NULL || facts->group == NULL) {
		diag_set(diag, "%s: user, group and cwd are needed", name);
		return false;
	}
	return true;
}

struct fence_facts *facts_text_read(const char *name, const char *text,
				    size_t len, struct diag *diag)
{
	struct fence_facts *facts = calloc(1, sizeof(*facts));

	if (facts != NULL && read_lines(facts, name, text, len, diag) &&
	    fence_facts_add(facts, NULL, 0) == 0)
		return facts;
	diag_set(diag, "out of memory");
	fence_facts_free(facts);
	return NULL;
}

/* Of a path that does not exist, as far as the stated links say. */
static const char *absent_real(struct fence_facts *facts, const char *path)
{
	const char *clean = path_clean(&facts->arena, path);

	for (size_t i = 0; clean != NULL && i < facts->path_count; i++) {
		const struct fence_path *fp = &facts->paths[i];
		if (strcmp(fp->path, fp->real) != 0 &&
		    path_is_below(clean, fp->path))
			return path_join(&facts->arena, fp->real,
					 path_rest(clean, fp->path));
	}
	return clean;
}

/* What was asked and not stated is absent. */
static int add_absent(struct fence_facts *facts, const char *const *asked,
		      size_t count)
{
	struct fence_path *absent =
		arena_alloc(&facts->arena, (count + 1) * sizeof(*absent));
	size_t used = 0;

	if (absent == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		if (fence_facts_find(facts, asked[i]) != NULL)
			continue;
		const char *real = absent_real(facts, asked[i]);
		if (real == NULL)
			return -ENOMEM;
		absent[used++] = (struct fence_path){
			.path = asked[i], .at = real, .real = real};
	}
	return fence_facts_add(facts, absent, used);
}

int facts_text_complete(struct fence_facts *facts,
			const struct fence_query *query)
{
	const struct fence_place place = {
		.home = facts->home,
		.account_home = facts->account_home,
		.cwd = facts->cwd,
	};
	const char *const *asked;
	size_t count;
	int rc =
		fence_query_paths(query, &place, &facts->arena, &asked, &count);

	if (rc == 0)
		rc = add_absent(facts, asked, count);
	if (rc == 0)
		rc = fence_query_more(query, facts, &facts->arena, &asked,
				      &count);
	if (rc == 0)
		rc = add_absent(facts, asked, count);
	for (int i = 0; rc == 0 && i < 2; i++) {
		rc = fence_query_interpreter(facts, &facts->arena, &asked,
					     &count);
		if (rc == 0 && count > 0)
			rc = add_absent(facts, asked, count);
	}
	return rc;
}

static const char *kind_word(const struct fence_path *fp)
{
	if (fp->is_empty)
		return "empty";
	if (fp->has_other_name)
		return "linked";
	for (size_t i = 0; i < KIND_COUNT; i++)
		if (kinds[i].kind == fp->kind)
			return kinds[i].word;
	return "other";
}

static void write_path(const struct fence_path *fp, struct bytes *out)
{
	bool is_link = strcmp(fp->at, fp->real) != 0;

	if (fp->kind == FENCE_ABSENT)
		return;
	bytes_addf(out, "%s %s ",
		   is_link || strcmp(fp->path, fp->real) == 0 ? "path" : "real",
		   kind_word(fp));
	word_write(out, fp->path);
	if (is_link || strcmp(fp->path, fp->real) != 0) {
		bytes_add_text(out, " ");
		word_write(out, fp->real);
	}
	bytes_add_text(out, "\n");
}

static void write_fact(struct bytes *out, const char *key, const char *value)
{
	if (value == NULL)
		return;
	bytes_addf(out, "%s ", key);
	word_write(out, value);
	bytes_add_text(out, "\n");
}

void facts_text_write(const struct fence_facts *facts, struct bytes *out)
{
	bytes_add_text(out, "user ");
	word_write(out, facts->user);
	bytes_addf(out, " %u\ngroup ", facts->uid);
	word_write(out, facts->group);
	bytes_addf(out, " %u\n", facts->gid);
	write_fact(out, "home", facts->home);
	write_fact(out, "account-home", facts->account_home);
	write_fact(out, "cwd", facts->cwd);
	bytes_addf(out, "landlock %u\n", facts->landlock_abi);
	write_fact(out, "interpreter", facts->interpreter);
	for (size_t i = 0; i < facts->path_count; i++)
		write_path(&facts->paths[i], out);
	for (size_t i = 0; i < facts->socket_count; i++)
		write_fact(out, "socket", facts->sockets[i]);
	for (size_t i = 0; i < facts->own_link_count; i++)
		write_fact(out, "own-link", facts->own_links[i]);
	for (size_t i = 0; i < facts->mount_count; i++) {
		bytes_add_text(out, "mount ");
		word_write(out, facts->mounts[i].device);
		bytes_add_text(out, " ");
		word_write(out, facts->mounts[i].root);
		bytes_add_text(out, " ");
		word_write(out, facts->mounts[i].point);
		bytes_add_text(out, "\n");
	}
}
