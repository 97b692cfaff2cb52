/* SPDX-License-Identifier: MIT */
/*
 * audit_file: the records of a file, one by one, and how much of it was none.
 *
 * How it works: the file is read in blocks into one buffer; a line longer than
 * the buffer allows is passed over. Stretches of NUL, as a crash or a sparse
 * file leaves them, are jumped over (SEEK_DATA), so 5 GB of nothing cost
 * nothing. Nothing that was no record is passed over in silence: it is counted.
 */
#ifndef AUDIT_FILE_H
#define AUDIT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "audit_line.h"
#include "diag.h"
#include "text.h"

#define AUDIT_FILE_BUFFER_BYTES ((size_t)4 * AUDIT_LINE_READ_BYTES)

/**
 * struct audit_loss - what could not be read
 * @bad:	lines that are no records; the first is line @first_bad
 * @too_long:	among them, those over AUDIT_LINE_READ_BYTES
 * @unknown:	records of a kind that this version does not know
 * @cut_bytes:	of a last line without its end
 * @empty_bytes: NUL
 */
struct audit_loss {
	uint64_t bad;
	uint64_t first_bad;
	uint64_t too_long;
	uint64_t unknown;
	uint64_t cut_bytes;
	uint64_t empty_bytes;
};

/**
 * struct audit_file - one that is being read
 * @lines:	seen so far, @records: those that were records
 * @is_following: its end is not the last word
 */
struct audit_file {
	int fd;
	const char *name;
	bool is_following;
	bool is_skipping;
	size_t start;
	size_t scanned;
	size_t end;
	uint64_t lines;
	uint64_t records;
	struct audit_loss loss;
	struct audit_line_space space;
	char buffer[AUDIT_FILE_BUFFER_BYTES];
};

enum audit_file_next {
	AUDIT_FILE_RECORD = 0,
	AUDIT_FILE_END,
	AUDIT_FILE_ERROR, /* read(2) failed: diag says so */
};

/**
 * audit_file_open() - @name, or standard input for "-"
 * @name:	borrowed as long as the file is open
 * Return: the caller's, for audit_file_close(); NULL with @diag set. What is
 * neither a regular file nor a pipe is refused.
 */
struct audit_file *audit_file_open(const char *name, struct diag *diag);

/** audit_file_of() - the same of a descriptor, which is closed with it */
struct audit_file *audit_file_of(int fd_own, const char *name,
				 struct diag *diag);

/** audit_file_close() - NULL does nothing */
void audit_file_close(struct audit_file *file);

/**
 * audit_file_next() - the next record
 * @entry_out:	its text is good until the next call
 *
 * After AUDIT_FILE_END of a file that is followed it may be called again.
 */
enum audit_file_next audit_file_next(struct audit_file *file,
				     struct audit_entry *entry_out,
				     struct diag *diag)
	__attribute__((warn_unused_result));

/** audit_loss_text() - append what was lost, in words. Return: false: nothing.
 */
bool audit_loss_text(const struct audit_file *file, struct text *out);

#endif
