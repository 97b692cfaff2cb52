/* SPDX-License-Identifier: MIT */
/* machine_account: the names of the user and the group we run as. */
#include "machine_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

#define ACCOUNT_FIELDS     7
#define DATABASE_MAX_BYTES ((size_t)256 * 1024)

/* One line's fields (passwd(5), group(5)); the ones not there are empty. */
struct fields {
	const char *start[ACCOUNT_FIELDS];
	size_t len[ACCOUNT_FIELDS];
};

static char *read_whole(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text = fd < 0 ? NULL : malloc(DATABASE_MAX_BYTES + 1);
	size_t len = 0;

	while (text != NULL && len < DATABASE_MAX_BYTES) {
		ssize_t n = read(fd, text + len, DATABASE_MAX_BYTES - len);
		if (n <= 0)
			break;
		len += (size_t)n;
	}
	if (text != NULL)
		text[len] = '\0';
	if (fd >= 0)
		(void)close(fd);
	return text;
}

static void split(const char *line, size_t len, struct fields *out)
{
	const char *end = line + len;

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < ACCOUNT_FIELDS && line <= end; i++) {
		const char *colon = memchr(line, ':', (size_t)(end - line));
		const char *stop = colon == NULL ? end : colon;
		out->start[i] = line;
		out->len[i] = (size_t)(stop - line);
		line = stop + 1;
	}
}

/* The line whose third field is @id. */
static bool find_line(const char *text, uint32_t id, struct fields *out)
{
	uint64_t value;

	while (text != NULL && *text != '\0') {
		size_t len = strcspn(text, "\n");
		split(text, len, out);
		if (out->start[2] != NULL &&
		    text_parse_decimal(out->start[2], out->len[2], UINT32_MAX,
				       &value) &&
		    value == id)
			return true;
		text += len + (text[len] == '\n');
	}
	return false;
}

/* Name services (LDAP) are not asked: that would load their modules into the
 * program that raises the fence, and may ask the network. Who is not in the
 * plain file is called "user" inside. */
static int fill_user(struct fence_facts *facts)
{
	struct arena *arena = &facts->arena;
	char *text = read_whole("/etc/passwd");
	struct fields f;
	const char *home = NULL;

	if (find_line(text, facts->uid, &f)) {
		facts->user = arena_strndup(arena, f.start[0], f.len[0]);
		if (f.len[5] > 0)
			home = arena_strndup(arena, f.start[5], f.len[5]);
	} else {
		facts->user = "user";
	}
	free(text);
	facts->account_home = home != NULL && home[0] == '/' ? home : NULL;
	return facts->user == NULL ? -ENOMEM : 0;
}

static int fill_group(struct fence_facts *facts)
{
	char *text = read_whole("/etc/group");
	struct fields f;

	if (find_line(text, facts->gid, &f))
		facts->group =
			arena_strndup(&facts->arena, f.start[0], f.len[0]);
	else
		facts->group = facts->user;
	free(text);
	return facts->group == NULL ? -ENOMEM : 0;
}

int machine_fill_account(struct fence_facts *facts)
{
	facts->uid = (uint32_t)getuid();
	facts->gid = (uint32_t)getgid();
	int rc = fill_user(facts);
	return rc == 0 ? fill_group(facts) : rc;
}
