#include "util/csvread.h"

#include "util/array.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct csvread {
	const char *path;
	FILE *file;
	uint64_t line;	/* being read */
	uint64_t first; /* of the row */
	char *text;	/* the cells of the row, each with a NUL */
	size_t len, room;
	size_t *cells; /* where each begins in the text */
	size_t nr_cells, cells_room;
};

static int wrong(const struct csvread *reader, uint64_t line, const char *what, struct error *err)
{
	return error_set(err, ERROR_FORMAT, "%s: line %" PRIu64 ": %s", reader->path, line, what);
}

static void skip_mark(FILE *file)
{
	char mark[3];

	if (fread(mark, 1, 3, file) != 3 || memcmp(mark, "\xef\xbb\xbf", 3) != 0)
		rewind(file);
}

/* Opened without waiting for the writer of a FIFO, which it may be. */
static FILE *open_regular(const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	FILE *file = NULL;

	if (fd < 0 || fstat(fd, &st) < 0 || (S_ISREG(st.st_mode) && !(file = fdopen(fd, "r"))))
		error_io(err, path, "cannot be opened", errno);
	else if (!file)
		error_set(err, ERROR_FORMAT, "%s: is not a regular file", path);
	if (!file && fd >= 0)
		close(fd);
	return file;
}

struct csvread *csvread_open(const char *path, struct error *err)
{
	struct csvread *reader = calloc(1, sizeof(*reader));

	if (!reader) {
		error_nomem(err, "opening a table");
		return NULL;
	}
	reader->path = path;
	reader->line = 1;
	reader->file = open_regular(path, err);
	if (!reader->file) {
		free(reader);
		return NULL;
	}
	skip_mark(reader->file);
	return reader;
}

static int get(struct csvread *reader)
{
	int c = getc_unlocked(reader->file);

	reader->line += c == '\n';
	return c;
}

static int begin_cell(struct csvread *reader, struct error *err)
{
	if (reader->nr_cells >= CSVREAD_CELLS_MAX)
		return wrong(reader, reader->first, "has more than 4096 cells", err);
	if (!array_grow(reader->cells, reader->cells_room, reader->nr_cells + 1))
		return error_nomem(err, "reading a table");
	reader->cells[reader->nr_cells++] = reader->len;
	return 0;
}

static int put(struct csvread *reader, char c, struct error *err)
{
	if (reader->len >= CSVREAD_ROW_MAX)
		return wrong(reader, reader->first, "is longer than 16 MiB", err);
	if (!array_grow(reader->text, reader->room, reader->len + 1))
		return error_nomem(err, "reading a table");
	reader->text[reader->len++] = c;
	return 0;
}

static int put_byte(struct csvread *reader, int c, struct error *err)
{
	if (c == '\0')
		return wrong(reader, reader->line, "holds a zero byte, so it is no text", err);
	return put(reader, (char)c, err);
}

/* The rest of a cell whose opening quote was read. *@next is what follows the closing one. */
static int read_quoted(struct csvread *reader, int *next, struct error *err)
{
	for (;;) {
		int c = get(reader);

		if (c == '"') {
			*next = get(reader);
			if (*next != '"')
				return 0;
		}
		if (c == EOF)
			return wrong(reader, reader->first, "a quote is never closed", err);
		if (put_byte(reader, c, err) < 0)
			return -1;
	}
}

static bool ends_cell(int c)
{
	return c == ',' || c == '\n' || c == '\r' || c == EOF;
}

/* The cell that begins with *@next, which is what follows it afterwards. */
static int read_cell(struct csvread *reader, int *next, struct error *err)
{
	const uint64_t line = reader->line;

	if (begin_cell(reader, err) < 0)
		return -1;
	if (*next == '"') {
		if (read_quoted(reader, next, err) < 0)
			return -1;
		if (!ends_cell(*next))
			return wrong(reader, reader->line, "a comma is missing behind a quote",
				     err);
		return put(reader, '\0', err);
	}
	for (; !ends_cell(*next); *next = get(reader)) {
		if (*next == '"')
			return wrong(reader, line, "a quote inside a cell without quotes", err);
		if (put_byte(reader, *next, err) < 0)
			return -1;
	}
	return put(reader, '\0', err);
}

/* What ends a line has been read up to @c. */
static int end_line(struct csvread *reader, int c, struct error *err)
{
	if (c == '\r' && get(reader) != '\n')
		return wrong(reader, reader->line, "a carriage return without a line feed", err);
	if (ferror(reader->file))
		return error_io(err, reader->path, "cannot be read", errno);
	return 0;
}

int csvread_row(struct csvread *reader, struct error *err)
{
	int c;

	reader->nr_cells = reader->len = 0;
	while ((c = get(reader)) == '\n' || c == '\r') {
		if (end_line(reader, c, err) < 0)
			return -1;
	}
	reader->first = reader->line;
	if (c == EOF)
		return end_line(reader, c, err);
	for (;;) {
		if (read_cell(reader, &c, err) < 0)
			return -1;
		if (c != ',')
			return end_line(reader, c, err) < 0 ? -1 : 1;
		c = get(reader);
	}
}

size_t csvread_nr_cells(const struct csvread *reader)
{
	return reader->nr_cells;
}

const char *csvread_cell(const struct csvread *reader, size_t number)
{
	return reader->text + reader->cells[number];
}

uint64_t csvread_line(const struct csvread *reader)
{
	return reader->first;
}

void csvread_close(struct csvread *reader)
{
	if (!reader)
		return;
	fclose(reader->file);
	free(reader->text);
	free(reader->cells);
	free(reader);
}
