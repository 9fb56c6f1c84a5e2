/*
 * Writers: rows of cells become a file of some form.
 *
 *	writer_start(&writer, columns, nr);
 *	writer_row(&writer, cells, nr);      for every row
 *
 * To add a form, write a file like report/csvform.c.
 *
 * For the files of report/ only; the door is report/report.h.
 */
#ifndef READPERF_REPORT_WRITER_H
#define READPERF_REPORT_WRITER_H

#include "report/cell.h"
#include "util/outfile.h"

#include <stdbool.h>
#include <stddef.h>

/** Columns are only ever appended, never renamed or moved: scripts know them. */
struct column {
	const char *name;
	enum cell_type type; /* each of its cells is of this type, or empty */
	const char *unit;    /* "" if it has none */
	const char *meaning; /* sentences for the manual page, plain ASCII, on one line */
};

struct writer;

enum { FORM_HEAD_MAX = 2048 };

/** What makes a form of files: the only code that knows it. */
struct form {
	const char *ending; /* ".csv": behind a table's name it is the file's */
	size_t head_max;    /* bytes of a file that tell whose it is, up to FORM_HEAD_MAX */
	/* Whether a file that starts with the @len bytes at @head, head_max of them if it has as
	 * many, holds a table of these columns or an older version of it, which had the first ones.
	 * @open: columns may follow that are not in the list. */
	bool (*is_own)(const char *head, size_t len, const struct column *columns, size_t nr,
		       bool open);
	/* Appends what stands before the rows. */
	void (*start)(struct writer *writer, const struct column *columns, size_t nr);
	/* Appends a row. */
	void (*row)(struct writer *writer, const struct cell *cells, size_t nr);
};

/** A table being written to @out, which is borrowed; that is NULL while it is not. */
struct writer {
	const struct form *form;
	struct outfile *out;
	bool raw; /* texts are written as they are, also those that a spreadsheet would compute */
};

static inline void writer_start(struct writer *writer, const struct column *columns, size_t nr)
{
	writer->form->start(writer, columns, nr);
}

static inline void writer_row(struct writer *writer, const struct cell *cells, size_t nr)
{
	writer->form->row(writer, cells, nr);
}

#endif
