/* SPDX-License-Identifier: MIT */
/* audit_file: the records of a file, one by one, and how much of it was none.
 */
#include "audit_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct audit_file *audit_file_of(int fd_own, const char *name,
				 struct diag *diag)
{
	struct audit_file *file = NULL;
	struct stat st;

	if (fstat(fd_own, &st) != 0)
		diag_set(diag, "%s: %s", name, strerror(errno));
	else if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))
		diag_set(diag, "%s: not a file of records", name);
	else
		file = malloc(sizeof(*file));
	if (file == NULL) {
		diag_set(diag, "out of memory");
		(void)close(fd_own);
		return NULL;
	}
	file->fd = fd_own;
	file->name = name;
	file->is_following = file->is_skipping = false;
	file->start = file->scanned = file->end = 0;
	file->lines = file->records = 0;
	file->loss = (struct audit_loss){0};
	return file;
}

struct audit_file *audit_file_open(const char *name, struct diag *diag)
{
	/* Not to hang on a pipe that nobody writes to. */
	int fd = strcmp(name, "-") == 0
			 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
			 : open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0) {
		diag_set(diag, "%s: %s", name, strerror(errno));
		return NULL;
	}
	return audit_file_of(fd, name, diag);
}

void audit_file_close(struct audit_file *file)
{
	if (file == NULL)
		return;
	(void)close(file->fd);
	free(file);
}

static void count_bad(struct audit_file *file)
{
	if (file->loss.bad++ == 0)
		file->loss.first_bad = file->lines;
}

/* The rest of a hole, without reading it. */
static void jump_hole(struct audit_file *file)
{
	off_t here = lseek(file->fd, 0, SEEK_CUR);
	off_t data = here < 0 ? -1 : lseek(file->fd, here, SEEK_DATA);

	if (here >= 0 && data < 0 && errno == ENXIO && !file->is_following)
		data = lseek(file->fd, 0, SEEK_END);
	if (data > here)
		file->loss.empty_bytes += (uint64_t)(data - here);
	else if (here >= 0)
		(void)lseek(file->fd, here, SEEK_SET);
}

/* NUL is in no record: what stands before a line's first byte is passed over,
 * so that a record behind it is still found. */
static void drop_empty(struct audit_file *file)
{
	size_t at = file->start;

	while (at < file->end && file->buffer[at] == '\0')
		at++;
	if (at == file->start)
		return;
	file->loss.empty_bytes += at - file->start;
	file->start = at;
	if (file->scanned < at)
		file->scanned = at;
	if (at == file->end)
		jump_hole(file);
}

/* Room for more behind what is not read yet. */
static void make_room(struct audit_file *file)
{
	size_t len = file->end - file->start;

	if (file->is_skipping || len >= AUDIT_LINE_READ_BYTES) {
		if (!file->is_skipping)
			file->loss.too_long++;
		file->is_skipping = true;
		len = 0;
	} else if (len > 0) {
		memmove(file->buffer, file->buffer + file->start, len);
	}
	file->start = 0;
	file->scanned = file->end = len;
}

/* Return: 1; 0 at the end; -errno. */
static int fill(struct audit_file *file)
{
	ssize_t n;

	make_room(file);
	do
		n = read(file->fd, file->buffer + file->end,
			 sizeof(file->buffer) - file->end);
	while (n < 0 && errno == EINTR);
	if (n < 0 && errno != EAGAIN)
		return -errno;
	if (n <= 0)
		return 0;
	file->end += (size_t)n;
	return 1;
}

/* The line up to the newline at @newline. Return: it is a record. */
static bool take_line(struct audit_file *file, const char *newline,
		      struct audit_entry *entry)
{
	const char *line = file->buffer + file->start;
	size_t len = (size_t)(newline - line);
	bool is_skipping = file->is_skipping;

	file->start += len + 1;
	file->scanned = file->start;
	file->is_skipping = false;
	file->lines++;
	if (is_skipping || len >= AUDIT_LINE_READ_BYTES) {
		if (!is_skipping)
			file->loss.too_long++;
		count_bad(file);
		return false;
	}
	/* A writer that could not write a whole line ended it (audit_write()).
	 */
	if (len == 0)
		return false;
	switch (audit_line_parse(line, len, &file->space, entry)) {
	case AUDIT_LINE_OK:
		file->records++;
		return true;
	case AUDIT_LINE_UNKNOWN:
		file->loss.unknown++;
		return false;
	case AUDIT_LINE_UNUSUAL:
	case AUDIT_LINE_BAD:
		count_bad(file);
		break;
	}
	return false;
}

enum audit_file_next audit_file_next(struct audit_file *file,
				     struct audit_entry *entry_out,
				     struct diag *diag)
{
	for (;;) {
		drop_empty(file);
		const char *newline = memchr(file->buffer + file->scanned, '\n',
					     file->end - file->scanned);
		if (newline != NULL) {
			if (take_line(file, newline, entry_out))
				return AUDIT_FILE_RECORD;
			continue;
		}
		file->scanned = file->end;
		int rc = fill(file);
		if (rc < 0) {
			diag_set(diag, "%s: %s", file->name, strerror(-rc));
			return AUDIT_FILE_ERROR;
		}
		if (rc == 0)
			break;
	}
	/* Not NUL: those were counted. */
	if (!file->is_following)
		file->loss.cut_bytes =
			file->end - file->start + (file->is_skipping ? 1 : 0);
	return AUDIT_FILE_END;
}

static void add_item(struct text *out, bool *has_items)
{
	if (*has_items)
		text_add(out, "; ");
	*has_items = true;
}

bool audit_loss_text(const struct audit_file *file, struct text *out)
{
	const struct audit_loss *loss = &file->loss;
	bool has_items = false;

	if (loss->bad > 0) {
		add_item(out, &has_items);
		text_addf(out,
			  "%" PRIu64 " of %" PRIu64 " lines could not be read "
			  "(the first is line %" PRIu64 ")",
			  loss->bad, file->lines, loss->first_bad);
	}
	if (loss->too_long > 0)
		text_addf(out, ", %" PRIu64 " of them longer than %d bytes",
			  loss->too_long, AUDIT_LINE_READ_BYTES - 1);
	if (loss->unknown > 0) {
		add_item(out, &has_items);
		text_addf(out,
			  "%" PRIu64 " records are of a kind that this "
			  "version does not know",
			  loss->unknown);
	}
	if (loss->cut_bytes > 0) {
		add_item(out, &has_items);
		text_add(out, "the last line has no end");
	}
	if (loss->empty_bytes > 0) {
		add_item(out, &has_items);
		text_addf(out, "%" PRIu64 " bytes are empty (NUL)",
			  loss->empty_bytes);
	}
	return has_items;
}
