/* SPDX-License-Identifier: MIT */
/* audit_table: rows as a table that fits a terminal. */
#include "audit_table.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "audit_cell.h"
#include "text.h"

#define GAP           2
#define MIN_KEY_WIDTH 20

/**
 * struct layout - how wide each column is; 0: left out
 */
struct layout {
	enum audit_by by;
	size_t widths[AUDIT_COLUMN_COUNT_OF];
};

static size_t terminal_columns(int fd)
{
	const char *said = getenv("COLUMNS");
	struct winsize size;
	uint64_t columns;

	if (said != NULL &&
	    text_parse_decimal(said, strlen(said), 10000, &columns) &&
	    columns > 0)
		return (size_t)columns;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	return 80;
}

struct audit_style audit_style_of(FILE *stream)
{
	const char *term = getenv("TERM");
	const char *no_color = getenv("NO_COLOR");
	int fd = fileno(stream);

	if (isatty(fd) == 0)
		return (struct audit_style){0};
	return (struct audit_style){
		.columns = terminal_columns(fd),
		.has_colour = (no_color == NULL || no_color[0] == '\0') &&
			      term != NULL && strcmp(term, "dumb") != 0,
	};
}

static size_t cell(const struct audit_row *row, enum audit_by by,
		   enum audit_column column, char buf[static AUDIT_CELL_BYTES])
{
	struct text t;

	text_init(&t, buf, AUDIT_CELL_BYTES);
	audit_cell_write(row, by, column, &t);
	return t.len;
}

static void measure(struct layout *layout, const struct audit_row *const *rows,
		    size_t count)
{
	char buf[AUDIT_CELL_BYTES];

	for (int c = 0; c < AUDIT_COLUMN_COUNT_OF; c++) {
		enum audit_column column = (enum audit_column)c;

		if (!audit_column_is_shown(layout->by, column))
			continue;
		size_t width = 0;
		for (size_t i = 0; i < count; i++) {
			size_t len = cell(rows[i], layout->by, column, buf);
			width = len > width ? len : width;
		}
		/* Nobody is named anywhere: no such column. */
		if (width == 0)
			continue;
		size_t title = strlen(audit_column_title(layout->by, column));
		layout->widths[c] = width > title ? width : title;
	}
}

static size_t total(const struct layout *layout)
{
	size_t sum = 0;

	for (int c = 0; c < AUDIT_COLUMN_COUNT_OF; c++)
		if (layout->widths[c] > 0)
			sum += layout->widths[c] + (c > 0 ? GAP : 0);
	return sum;
}

static void fit(struct layout *layout, size_t columns)
{
	static const enum audit_column spare[] = {
		AUDIT_COLUMN_FIRST, AUDIT_COLUMN_PROCESS, AUDIT_COLUMN_LAST,
		AUDIT_COLUMN_UP,    AUDIT_COLUMN_DOWN,    AUDIT_COLUMN_FAILED,
	};

	size_t *key = &layout->widths[AUDIT_COLUMN_KEY];
	size_t least = *key < MIN_KEY_WIDTH ? *key : MIN_KEY_WIDTH;

	for (size_t i = 0; i < sizeof(spare) / sizeof(spare[0]) &&
			   total(layout) - *key + least > columns;
	     i++)
		layout->widths[spare[i]] = 0;
	size_t rest = total(layout) - *key;
	if (rest + *key <= columns)
		return;
	*key = columns > rest + least ? columns - rest : least;
}

/* Of a name that is too long the end is shown, behind "...". */
static void put_key(FILE *stream, const char *text, size_t len, size_t width)
{
	if (len <= width)
		(void)fprintf(stream, "%-*s", (int)width, text);
	else
		(void)fprintf(stream, "...%s", text + (len - (width - 3)));
}

static const char *colour_of(const struct audit_row *row)
{
	static const char *const colours[AUDIT_OUTCOME_COUNT + 1] = {
		[AUDIT_OUTCOME_DENIED] = "\x1b[31m",
		[AUDIT_OUTCOME_FAILED] = "\x1b[33m",
		[AUDIT_OUTCOME_OBSERVED] = "\x1b[36m",
		[AUDIT_OUTCOME_ALLOWED] = "",
		[AUDIT_OUTCOME_COUNT] = "",
	};

	if (row->outcome == AUDIT_OUTCOME_COUNT &&
	    row->counts[AUDIT_OUTCOME_DENIED] > 0)
		return colours[AUDIT_OUTCOME_DENIED];
	return colours[row->outcome];
}

/* @row NULL: the titles. */
static void put_line(FILE *stream, const struct layout *layout,
		     const struct audit_row *row)
{
	char buf[AUDIT_CELL_BYTES];
	size_t pending = 0;

	for (int c = 0; c < AUDIT_COLUMN_COUNT_OF; c++) {
		enum audit_column column = (enum audit_column)c;
		size_t width = layout->widths[c];
		const char *text = buf;

		if (width == 0)
			continue;
		if (row == NULL)
			text = audit_column_title(layout->by, column);
		else
			(void)cell(row, layout->by, column, buf);
		size_t len = strlen(text);
		/* No blanks at the ends of lines. */
		(void)fprintf(stream, "%*s", (int)pending, "");
		if (c == AUDIT_COLUMN_KEY)
			put_key(stream, text, len, width);
		else if (audit_column_is_number(column))
			(void)fprintf(stream, "%*s", (int)width, text);
		else
			(void)fputs(text, stream);
		bool is_padded =
			c == AUDIT_COLUMN_KEY || audit_column_is_number(column);
		pending = GAP + (is_padded || len >= width ? 0 : width - len);
	}
}

void audit_table_print(FILE *stream, const struct audit_style *style,
		       enum audit_by by, const struct audit_row *const *rows,
		       size_t count)
{
	struct layout layout = {.by = by};

	measure(&layout, rows, count);
	if (style->columns > 0)
		fit(&layout, style->columns);
	(void)fputs(style->has_colour ? "\x1b[1m" : "", stream);
	put_line(stream, &layout, NULL);
	(void)fputs(style->has_colour ? "\x1b[0m\n" : "\n", stream);
	for (size_t i = 0; i < count; i++) {
		const char *colour = colour_of(rows[i]);
		bool has_colour = style->has_colour && colour[0] != '\0';

		(void)fputs(has_colour ? colour : "", stream);
		put_line(stream, &layout, rows[i]);
		(void)fputs(has_colour ? "\x1b[0m\n" : "\n", stream);
	}
}
