/* SPDX-License-Identifier: MIT */
/* audit_follow: records as they are written, one line each. */
#include "audit_follow.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "audit_cell.h"
#include "audit_file.h"
#include "audit_find.h"
#include "audit_key.h"
#include "audit_table.h"
#include "audit_time.h"
#include "text.h"

/* File systems that tell nobody (NFS) are looked at this often. */
#define LOOK_MS    1000
#define LINE_BYTES 8192

/**
 * struct following - a file that is watched
 * @is_over:	its run has ended
 */
struct following {
	const struct audit_options *options;
	struct audit_style style;
	struct audit_file *file;
	int watch;
	bool is_over;
};

static void write_record(const struct audit_entry *entry, struct text *t)
{
	char when[AUDIT_TIME_BYTES];
	struct audit_key key;

	audit_time_format_local(entry->ts_ms, when);
	text_addf(t, "%s  %-8s  ", when,
		  audit_outcome_text(audit_outcome_of(entry)));
	audit_key_of(AUDIT_BY_DESTINATION, entry, &key);
	text_add_printable(t, key.words.at, key.words.len);
	if (entry->event == AUDIT_CLOSE) {
		text_add(t, "  closed, up ");
		audit_write_bytes(entry->bytes_up, t);
		text_add(t, ", down ");
		audit_write_bytes(entry->bytes_down, t);
	} else if (entry->reason.len > 0) {
		text_add(t, "  ");
		text_add_printable(t, entry->reason.at, entry->reason.len);
	}
	struct audit_words process = audit_process_of(entry);
	if (process.len > 0) {
		text_add(t, "  by ");
		text_add_printable(t, process.at, process.len);
	}
}

static void print_record(const struct following *following,
			 const struct audit_entry *entry)
{
	char buf[LINE_BYTES];
	struct text t;

	if (!entry->has_verdict ||
	    !audit_options_want(following->options, entry))
		return;
	text_init(&t, buf, sizeof(buf));
	write_record(entry, &t);
	bool is_red = following->style.has_colour &&
		      audit_outcome_of(entry) == AUDIT_OUTCOME_DENIED;
	(void)fprintf(stdout, "%s%s%s\n", is_red ? "\x1b[31m" : "", buf,
		      is_red ? "\x1b[0m" : "");
}

static int read_rest(struct following *following, struct diag *diag)
{
	enum audit_file_next next;
	struct audit_entry entry;

	while ((next = audit_file_next(following->file, &entry, diag)) ==
	       AUDIT_FILE_RECORD) {
		print_record(following, &entry);
		following->is_over = entry.event == AUDIT_RUN_EXIT;
	}
	if (fflush(stdout) != 0) {
		diag_set(diag, "standard output: %s", strerror(errno));
		return -1;
	}
	return next == AUDIT_FILE_END ? 0 : -1;
}

static void wait_for_more(const struct following *following)
{
	struct pollfd ready = {.fd = following->watch, .events = POLLIN};
	char events[4096];

	if (poll(&ready, 1, LOOK_MS) > 0)
		(void)!read(following->watch, events, sizeof(events));
}

static int follow_file(struct following *following, const char *path,
		       struct diag *diag)
{
	/* Watched before it is read: nothing falls between. */
	following->watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (following->watch < 0 ||
	    inotify_add_watch(following->watch, path, IN_MODIFY) < 0) {
		diag_set(diag, "%s: cannot be watched: %s", path,
			 strerror(errno));
		return -1;
	}
	following->file = audit_file_open(path, diag);
	if (following->file == NULL)
		return -1;
	following->file->is_following = true;
	while (!following->is_over) {
		if (read_rest(following, diag) != 0)
			return -1;
		if (!following->is_over)
			wait_for_more(following);
	}
	return 0;
}

int audit_follow(const struct audit_options *options, struct diag *diag)
{
	struct following following = {
		.options = options,
		.style = audit_style_of(stdout),
		.watch = -1,
	};
	char *path = audit_find_one(options->sources[0], diag);
	int rc = -1;

	if (path != NULL)
		rc = follow_file(&following, path, diag);
	audit_file_close(following.file);
	if (following.watch >= 0)
		(void)close(following.watch);
	free(path);
	return rc;
}
