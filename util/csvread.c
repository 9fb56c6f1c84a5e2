#include "util/csvread.h"

#include "util/array.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Bytes of the buffer, which holds the whole current row: its initial size, and its maximum, for a
 * row that is one byte too long and a NUL.
 */
enum { BUFFER_FIRST = 64 << 10, BUFFER_MAX = CSVREAD_ROW_MAX + 2 };

enum { END = -1 }; /* end of file, in place of a byte */

struct csvread {
	const char *path;
	int fd;
	bool ended;	/* the buffer has the rest of the file */
	uint64_t line;	/* current line */
	uint64_t first; /* first line of the row */
	char *buffer;	/* bytes of the file and a NUL; cells are NUL-terminated in it */
	size_t room, nr_bytes;
	size_t row, next; /* offsets in the buffer: start of the row, next byte to read */
	size_t *cells;	  /* start of each cell, in bytes from the start of the row */
	size_t nr_cells, cells_room;
};

static int wrong(const struct csvread *reader, uint64_t line, const char *what, struct error *err)
{
	return error_set(err, ERROR_FORMAT, "%s: line %" PRIu64 ": %s", reader->path, line, what);
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Makes room after the row's bytes, which may move to the start of the buffer. */
static int make_room(struct csvread *reader, struct error *err)
{
	size_t room = reader->room ? reader->room * 2 : BUFFER_FIRST;
	char *grown;

	if (reader->row > 0) {
		memmove(reader->buffer, reader->buffer + reader->row,
			reader->nr_bytes - reader->row);
		reader->nr_bytes -= reader->row;
		reader->next -= reader->row;
		reader->row = 0;
	}
	if (reader->nr_bytes + 1 < reader->room)
		return 0;
	room = room < BUFFER_MAX ? room : BUFFER_MAX;
	if (room <= reader->room)
		return wrong(reader, reader->first, "is longer than 16 MiB", err);
	grown = realloc(reader->buffer, room);
	if (!grown)
		return error_nomem(err, "reading a table");
	reader->buffer = grown;
	reader->room = room;
	return 0;
}

/* Reads more of the file unless it has ended. */
static int fill(struct csvread *reader, struct error *err)
{
	ssize_t len;

	if (reader->ended)
		return 0;
	if (make_room(reader, err) < 0)
		return -1;
	do {
		len = read(reader->fd, reader->buffer + reader->nr_bytes,
			   reader->room - 1 - reader->nr_bytes);
	} while (len < 0 && errno == EINTR);
	if (len < 0)
		return error_io(err, reader->path, "cannot be read", errno);
	reader->ended = len == 0;
	reader->nr_bytes += (size_t)len;
	reader->buffer[reader->nr_bytes] = '\0';
	return 0;
}

struct csvread *csvread_open(int fd, const char *path, struct error *err)
{
	struct csvread *reader = calloc(1, sizeof(*reader));

	if (!reader) {
		close(fd);
		error_nomem(err, "opening a table");
		return NULL;
	}
	reader->path = path;
	reader->line = 1;
	reader->fd = fd;
	if (fill(reader, err) < 0) {
		csvread_close(reader);
		return NULL;
	}
	if (strncmp(reader->buffer, "\xef\xbb\xbf", 3) == 0)
		reader->next = 3;
	return reader;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Sets *@c to the next byte or END. */
static int look(struct csvread *reader, int *c, struct error *err)
{
	if (reader->next == reader->nr_bytes && fill(reader, err) < 0)
		return -1;
	*c = END;
	if (reader->next < reader->nr_bytes)
		*c = (unsigned char)reader->buffer[reader->next];
	return 0;
}

/* Skips @c, which look() returned, unless it is END. */
static void step(struct csvread *reader, int c)
{
	reader->next += c != END;
	reader->line += c == '\n';
}

/* The bytes to stop at, in an unquoted cell and in a quoted one. */
enum { STOPS_PLAIN = 1, STOPS_QUOTED = 2 };

static const unsigned char stops[256] = {
	['\0'] = STOPS_PLAIN | STOPS_QUOTED,
	['\n'] = STOPS_PLAIN | STOPS_QUOTED,
	['\r'] = STOPS_PLAIN,
	[','] = STOPS_PLAIN,
	['"'] = STOPS_PLAIN | STOPS_QUOTED,
};

/* Skips to the next byte in `stops` that has a bit of @which, or to END; sets *@c to it. */
static int find(struct csvread *reader, unsigned which, int *c, struct error *err)
{
	do {
		const char *at = reader->buffer + reader->next;

		while (!(stops[(unsigned char)*at] & which))
			at++;
		reader->next = (size_t)(at - reader->buffer);
		if (reader->next < reader->nr_bytes && *at == '\0')
			return wrong(reader, reader->line,
				     "contains a zero byte, so it is not text", err);
		if (look(reader, c, err) < 0)
			return -1;
	} while (*c != END && !(stops[*c] & which));
	return 0;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static int begin_cell(struct csvread *reader, size_t start, struct error *err)
{
	if (reader->nr_cells >= CSVREAD_CELLS_MAX)
		return wrong(reader, reader->first, "has more than 4096 cells", err);
	if (!array_grow(reader->cells, reader->cells_room, reader->nr_cells + 1))
		return error_nomem(err, "reading a table");
	reader->cells[reader->nr_cells++] = start;
	return 0;
}

/*
 * Reads a cell after its opening quote and removes one of each two doubled quotes. *@c is the byte
 * after the closing quote. Positions are relative to the row, which may move.
 */
static int read_quoted(struct csvread *reader, int *c, struct error *err)
{
	size_t from = reader->next - reader->row, to = from;

	for (;;) {
		if (find(reader, STOPS_QUOTED, c, err) < 0)
			return -1;
		if (*c == END)
			return wrong(reader, reader->first, "a quote is never closed", err);
		step(reader, *c);
		if (*c == '\n')
			continue;
		if (look(reader, c, err) < 0)
			return -1;
		char *row = reader->buffer + reader->row;
		size_t len = reader->next - reader->row - from;

		if (from != to)
			memmove(row + to, row + from, len);
		to += len;
		if (*c != '"') {
			row[to - 1] = '\0'; /* overwrites the closing quote */
			return 0;
		}
		step(reader, *c);
		from += len + 1;
	}
}

static bool ends_cell(int c)
{
	return c == ',' || c == '\n' || c == '\r' || c == END;
}

/* Reads the cell that begins with *@c; sets *@c to the byte after it. */
static int read_cell(struct csvread *reader, int *c, struct error *err)
{
	const size_t start = reader->next - reader->row;

	if (*c == '"') {
		step(reader, *c);
		if (begin_cell(reader, start + 1, err) < 0 || read_quoted(reader, c, err) < 0)
			return -1;
		if (!ends_cell(*c))
			return wrong(reader, reader->line, "a comma is missing after a quote", err);
		return 0;
	}
	if (begin_cell(reader, start, err) < 0 || find(reader, STOPS_PLAIN, c, err) < 0)
		return -1;
	if (*c == '"')
		return wrong(reader, reader->line, "a quote inside an unquoted cell", err);
	reader->buffer[reader->next] = '\0'; /* at END it is one already */
	return 0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Skips @c, which ends a line, and the line feed after a carriage return. */
static int end_line(struct csvread *reader, int c, struct error *err)
{
	const bool is_return = c == '\r';

	step(reader, c);
	if (!is_return)
		return 0;
	if (look(reader, &c, err) < 0)
		return -1;
	if (c != '\n')
		return wrong(reader, reader->line, "a carriage return without a line feed", err);
	step(reader, c);
	return 0;
}

/* Skips empty lines. *@c is the byte after them. */
static int begin_row(struct csvread *reader, int *c, struct error *err)
{
	reader->nr_cells = 0;
	for (;;) {
		reader->row = reader->next;
		reader->first = reader->line;
		if (look(reader, c, err) < 0)
			return -1;
		if (*c != '\n' && *c != '\r')
			return 0;
		if (end_line(reader, *c, err) < 0)
			return -1;
	}
}

int csvread_row(struct csvread *reader, struct error *err)
{
	int c;

	if (begin_row(reader, &c, err) < 0)
		return -1;
	if (c == END)
		return 0;
	for (;;) {
		if (read_cell(reader, &c, err) < 0)
			return -1;
		if (c != ',')
			return end_line(reader, c, err) < 0 ? -1 : 1;
		step(reader, c);
		if (look(reader, &c, err) < 0)
			return -1;
	}
}

size_t csvread_nr_cells(const struct csvread *reader)
{
	return reader->nr_cells;
}

const char *csvread_cell(const struct csvread *reader, size_t number)
{
	return reader->buffer + reader->row + reader->cells[number];
}

uint64_t csvread_line(const struct csvread *reader)
{
	return reader->first;
}

void csvread_close(struct csvread *reader)
{
	if (!reader)
		return;
	if (reader->fd >= 0)
		close(reader->fd);
	free(reader->buffer);
	free(reader->cells);
	free(reader);
}
