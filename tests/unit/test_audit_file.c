/* SPDX-License-Identifier: MIT */
/* test_audit_file: damaged files are read as far as they are whole. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "audit_file.h"

#define RECORD \
	"{\"ts\":\"2025-12-01T00:00:00.123Z\",\"seq\":1,\"event\":\"tap\"}"

static int make(const char *text, size_t len)
{
	int fd = memfd_create("records", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), len);
	return fd;
}

/* Reads all of @fd. Return: how many records there were. */
static unsigned int read_all(int fd, struct audit_loss *loss, char *words,
			     size_t size)
{
	struct diag diag = {.text = ""};
	struct audit_entry entry;
	unsigned int count = 0;
	struct text t;

	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	struct audit_file *file = audit_file_of(fd, "f", &diag);
	assert_non_null(file);
	while (audit_file_next(file, &entry, &diag) == AUDIT_FILE_RECORD)
		count++;
	assert_string_equal(diag.text, "");
	*loss = file->loss;
	text_init(&t, words, size);
	bool is_lossy = audit_loss_text(file, &t);
	assert_int_equal(is_lossy, t.len > 0);
	audit_file_close(file);
	return count;
}

static void reads_what_is_whole_and_counts_the_rest(void **state)
{
	static const struct {
		const char *text;
		size_t len;
		unsigned int records;
		struct audit_loss loss;
	} rows[] = {

#define ROW(text) (text), sizeof(text) - 1
		{ROW(""),				     0, {0}                              },
		{ROW(RECORD "\n"),                            1, {0}                              },
		{ROW(RECORD "\n\n" RECORD "\n"),              2, {0}                              },
		{ROW(RECORD),				 0, {.cut_bytes = sizeof(RECORD) - 1}},
		{ROW(RECORD "\n{\"ts\":"),                    1, {.cut_bytes = 6}                 },
		{ROW(RECORD "\n{\"ts\":\n" RECORD "\n"),
							  2,					      {.bad = 1, .first_bad = 2}       },
		{ROW("\0\0\0" RECORD "\n\0" RECORD "\n\0\0"),
							  2,					      {.empty_bytes = 6}               },
		{ROW("{\0}\n" RECORD "\n"),                   1, {.bad = 1, .first_bad = 1}       },
		{ROW("{\"ts\":\"2025-12-01T00:00:00.123Z\",\"seq\":1,"
		     "\"event\":\"x\"}\n"),
							  0,					      {.unknown = 1}                   },
		{ROW("\x7f"
		     "ELF\n\n\xff\xfe\n"),
							  0,					      {.bad = 2, .first_bad = 1}       },
	};
	char words[512];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct audit_loss loss;

		assert_int_equal(read_all(make(rows[i].text, rows[i].len),
					  &loss, words, sizeof(words)),
				 rows[i].records);
		assert_memory_equal(&loss, &rows[i].loss, sizeof(loss));
	}
}

static void passes_over_a_line_that_is_too_long(void **state)
{
	static char text[3 * AUDIT_FILE_BUFFER_BYTES];
	struct audit_loss loss;
	char words[512];

	(void)state;
	memset(text, 'x', sizeof(text));
	memcpy(text, RECORD "\n", sizeof(RECORD));
	memcpy(text + sizeof(text) - sizeof(RECORD) - 1, "\n" RECORD "\n",
	       sizeof(RECORD) + 1);
	assert_int_equal(
		read_all(make(text, sizeof(text)), &loss, words, sizeof(words)),
		2);
	assert_int_equal(loss.bad, 1);
	assert_int_equal(loss.too_long, 1);
	assert_string_equal(words,
			    "1 of 3 lines could not be read (the first is line "
			    "2), 1 of them longer than 65535 bytes");
}

/* 5 GB of which nothing was ever written but two lines. */
static void jumps_over_the_holes_of_a_sparse_file(void **state)
{
	const off_t far = (off_t)5 * 1024 * 1024 * 1024;
	int fd = make(RECORD "\n", sizeof(RECORD));
	struct audit_loss loss;
	char words[512];

	(void)state;
	assert_int_equal(pwrite(fd, RECORD "\n", sizeof(RECORD), far),
			 sizeof(RECORD));
	assert_int_equal(ftruncate(fd, 2 * far), 0);
	assert_int_equal(read_all(fd, &loss, words, sizeof(words)), 2);
	assert_int_equal(loss.empty_bytes,
			 (uint64_t)(2 * far) - 2 * sizeof(RECORD));
	assert_int_equal(loss.bad, 0);
	assert_int_equal(loss.cut_bytes, 0);
}

static void goes_on_where_a_file_that_is_followed_has_grown(void **state)
{
	struct diag diag = {.text = ""};
	struct audit_entry entry;
	int fd = make(RECORD "\n{\"ts\":", sizeof(RECORD) + 6);
	int writer = dup(fd);

	(void)state;
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	/* One offset serves both: the writer is told where the end is. */
	struct audit_file *file = audit_file_of(fd, "f", &diag);
	assert_non_null(file);
	file->is_following = true;
	assert_int_equal(audit_file_next(file, &entry, &diag),
			 AUDIT_FILE_RECORD);
	assert_int_equal(audit_file_next(file, &entry, &diag), AUDIT_FILE_END);
	static const char rest[] =
		"\"2025-12-01T00:00:00.123Z\",\"seq\":2,\"event\":\"tap\"}\n";
	assert_int_equal(
		pwrite(writer, rest, sizeof(rest) - 1, sizeof(RECORD) + 6),
		sizeof(rest) - 1);
	assert_int_equal(audit_file_next(file, &entry, &diag),
			 AUDIT_FILE_RECORD);
	assert_int_equal(entry.seq, 2);
	assert_int_equal(file->loss.bad, 0);
	audit_file_close(file);
	(void)close(writer);
}

static void refuses_what_is_no_file(void **state)
{
	struct diag diag = {.text = ""};

	(void)state;
	assert_null(audit_file_open("/", &diag));
	assert_string_equal(diag.text, "/: not a file of records");
	diag.text[0] = '\0';
	assert_null(audit_file_open("/dev/zero", &diag));
	assert_string_equal(diag.text, "/dev/zero: not a file of records");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_what_is_whole_and_counts_the_rest),
		cmocka_unit_test(passes_over_a_line_that_is_too_long),
		cmocka_unit_test(jumps_over_the_holes_of_a_sparse_file),
		cmocka_unit_test(
			goes_on_where_a_file_that_is_followed_has_grown),
		cmocka_unit_test(refuses_what_is_no_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
