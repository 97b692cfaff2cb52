/* SPDX-License-Identifier: MIT */
/* audit_source: every record that was asked for, from all files it is in. */
#include "audit_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit_file.h"
#include "audit_find.h"

#define LOSS_BYTES 512

static void say_loss(const struct audit_file *file)
{
	char buf[LOSS_BYTES];
	struct text t;

	text_init(&t, buf, sizeof(buf));
	if (!audit_loss_text(file, &t) && file->records == 0)
		text_add(&t, "it is empty");
	if (t.len > 0)
		(void)fprintf(stderr, "exeat audit: warning: %s: %s\n",
			      file->name, buf);
}

static int read_file(const struct audit_options *options, const char *path,
		     audit_take *take, void *arg, struct diag *diag)
{
	struct audit_file *file = audit_file_open(path, diag);
	enum audit_file_next next;
	struct audit_entry entry;
	int rc = 0;

	if (file == NULL)
		return -1;
	while (rc == 0) {
		next = audit_file_next(file, &entry, diag);
		if (next != AUDIT_FILE_RECORD)
			break;
		if (audit_options_want(options, &entry))
			rc = take(&entry, arg);
	}
	if (rc != 0)
		diag_set(diag, "%s", strerror(-rc));
	else if (next == AUDIT_FILE_END)
		say_loss(file);
	audit_file_close(file);
	return rc == 0 && next == AUDIT_FILE_END ? 0 : -1;
}

static int read_all(const struct audit_options *options, audit_take *take,
		    void *arg, struct diag *diag)
{
	struct audit_paths paths;
	int rc = audit_find_runs(&paths, diag);

	if (rc != 0)
		return rc;
	for (size_t i = 0; i < paths.count && rc == 0; i++)
		rc = read_file(options, paths.items[i], take, arg, diag);
	audit_paths_clear(&paths);
	return rc;
}

/* A time says which records are meant, so all runs are looked through; so does
 * a table of runs. */
static bool wants_all(const struct audit_options *options, const char *word)
{
	return options->all ||
	       (word == NULL &&
		(options->since_ms > 0 || options->until_ms < UINT64_MAX ||
		 options->by == AUDIT_BY_RUN));
}

int audit_source_read(const struct audit_options *options, const char *word,
		      audit_take *take, void *arg, struct diag *diag)
{
	if (wants_all(options, word))
		return read_all(options, take, arg, diag);
	char *path = audit_find_one(word, diag);
	if (path == NULL)
		return -1;
	int rc = read_file(options, path, take, arg, diag);
	free(path);
	return rc;
}
